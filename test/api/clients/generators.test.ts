/** The interface description in third-party tools: a linter, a generator of clients, and a validator in Python. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { buildOpenApi } from '../../../api/docs/openapi.ts';
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

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: { readonly type: string };
}
interface Operation {
  readonly parameters: readonly Parameter[];
}
/** Path parameters that are numbers, as templates write them. */
const NUMBERS = new Set(
  Object.values<Readonly<Record<string, Operation>>>(JSON.parse(source).paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters }) => parameters)
    .flatMap((one) => (one.in === 'path' && one.schema.type === 'integer' ? [`{${one.name}}`] : [])),
);

/** Recommended rules of Redocly that are off, and why. */
const RULES_OFF = {
  // `jobs/{job_id}` and `{backtest_id}/share` match no common address, which is tested here instead.
  'no-ambiguous-paths': 'off',
} as const;

async function lint(rules: Readonly<Record<string, 'off' | 'warn'>>) {
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' });
  return problems.map(({ ruleId, message, location }) => ({ ruleId, message, pointer: location[0].pointer }));
}

it('Redocly finds no problem in the interface description', async () => {
  expect(await lint(RULES_OFF)).toEqual([]);
});

it('no two paths match the same address: one has a word where the other has a number', async () => {
  const found = (await lint({})).filter(({ ruleId }) => ruleId === 'no-ambiguous-paths');
  expect(found.length).toBeGreaterThan(0);
  for (const { message } of found) {
    const [one, other] = [...message.matchAll(/`([^`]+)`/g)].map(([, path]) => path.split('/'));
    const differs = (words: readonly string[], names: readonly string[]) =>
      words.some((word, at) => /^[a-z-]+$/.test(word) && NUMBERS.has(names[at]));
    expect([message, differs(one, other) || differs(other, one)]).toEqual([message, true]);
  }
});

it('oazapfts generates a client that compiles', async () => {
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

it('patterns use only the regular expressions that all languages support', () => {
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
