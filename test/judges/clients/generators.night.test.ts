/** The interface description in tools of Python: a generator of clients with its type checker, and a validator. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { deadline } from '../../support/deadlines.ts';
import { openPythonTools } from '../../support/python-client.ts';
import { type GeneratorService, openGeneratorService } from './generator-service.ts';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const python = await openPythonTools('openapi-python-client and openapi-spec-validator');
const run = promisify(execFile);
let service: GeneratorService;

beforeAll(async () => {
  service = await openGeneratorService();
});
afterAll(() => service.close());

interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** A function of the generator's template hands on arguments that httpx types more narrowly. */
const MYPY = `
[mypy]
strict = True
[mypy-market_api.client]
disable_error_code = arg-type
`;

(python ? it : it.skip)(
  'a client that openapi-python-client generates passes mypy, and makes ten calls',
  async () => {
    const project = join(service.folder, 'python');
    mkdirSync(project);
    const words = async (...args: readonly string[]) => {
      const PATH = `${dirname(String(python))}:${process.env.PATH}`;
      const options = { cwd: project, env: { ...process.env, ...service.env, PATH }, maxBuffer: 1 << 26 };
      return run(String(python), [...args], options).catch((failed: Output) => failed);
    };
    const settings = ['--config', here('openapi-python-client.yml'), '--meta', 'none', '--output-path', 'market_api'];
    const generate = ['-m', 'openapi_python_client', 'generate', '--fail-on-warning', '--path', '../openapi.json'];
    const generated = await words(...generate, ...settings);
    expect(generated.stdout + generated.stderr).toBe('Generating market_api\n');
    cpSync(here('generated_client.py'), join(project, 'generated_client.py'));
    writeFileSync(join(project, 'mypy.ini'), MYPY);
    const checked = await words('-m', 'mypy', '--no-error-summary', 'market_api', 'generated_client.py');
    expect(checked.stdout).toBe('');
    const called = await words('generated_client.py');
    expect(called.stderr).toBe('');
    expect(JSON.parse(called.stdout)).toEqual(await service.wanted());
  },
  deadline(240_000),
);

const VALIDATE = `
import json
from openapi_spec_validator import OpenAPIV31SpecValidator
with open("openapi.json") as file:
    for error in OpenAPIV31SpecValidator(json.load(file)).iter_errors():
        print(list(error.absolute_path), error.message[:300])
`;

(python ? it : it.skip)('a validator in Python finds it valid', async () => {
  const { stdout } = await run(String(python), ['-c', VALIDATE], { cwd: service.folder });
  expect(stdout).toBe('');
});
