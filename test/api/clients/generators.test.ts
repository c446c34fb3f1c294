/** The interface description as the tools of others read it: a linter, a generator of clients, and a validator in Python. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { buildOpenApi } from '../../../api/http/openapi/openapi.ts';
import { ROUTES } from '../../../api/routes.ts';

const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const run = promisify(execFile);
const source = JSON.stringify(buildOpenApi(ROUTES, 'http://127.0.0.1:3000'));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'market-generators-'));
  writeFileSync(join(folder, 'openapi.json'), source);
  symlinkSync(PACKAGES, join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('Redocly has nothing to say against it', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The data belong to whoever runs the service: there is no license for all installations.
      'info-license': 'off',
      // `jobs/{job_id}` beside `{backtest_id}/share`: ids are numbers, so no address is both.
      'no-ambiguous-paths': 'off',
    },
  });
  const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0].pointer])).toEqual([]);
});

it('oazapfts makes a client of it that compiles', async () => {
  const options = {
    target: 'es2024',
    lib: ['es2024', 'dom'],
    module: 'nodenext',
    strict: true,
    noEmit: true,
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['client.ts'] }));
  const command = (name: string, ...words: string[]) =>
    run(process.execPath, [join(PACKAGES, name), ...words], { cwd: folder }).catch((failed: Output) => failed);
  const generated = await command('oazapfts/dist/cli.js', 'openapi.json', 'client.ts');
  expect([generated.stdout, generated.stderr]).toEqual(['', '']);
  const compiled = await command('typescript/bin/tsc', '--project', '.');
  expect([compiled.stdout, compiled.stderr]).toEqual(['', '']);
});

interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

it('its patterns are those that the regular expressions of all languages know', () => {
  const patterns = [...source.matchAll(/"pattern":"((?:[^"\\]|\\.)*)"/g)].map(([, pattern]) => pattern);
  expect(patterns.length).toBeGreaterThan(5);
  expect(patterns.filter((pattern) => /\\\\[pP]\{|\(\?</.test(pattern))).toEqual([]);
});

const VALIDATE = `
import json
from openapi_spec_validator import OpenAPIV31SpecValidator
with open("openapi.json") as file:
    for error in OpenAPIV31SpecValidator(json.load(file)).iter_errors():
        print(list(error.absolute_path), error.message[:300])
`;
const hasValidator = await run('python3', ['-c', 'import openapi_spec_validator']).then(
  () => true,
  () => {
    process.stderr.write('SKIPPED: openapi-spec-validator (python3 does not have it)\n');
    return false;
  },
);

(hasValidator ? it : it.skip)('a validator in Python finds it valid', async () => {
  const { stdout } = await run('python3', ['-c', VALIDATE], { cwd: folder });
  expect(stdout).toBe('');
});
