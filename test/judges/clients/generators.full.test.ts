/** The interface description in third-party tools: a linter, generators of clients, and a validator in Python. */

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { openClient } from '../../../api/clients/typescript/index.ts';
import { buildOpenApi } from '../../../api/docs/openapi.ts';
import { ROUTES } from '../../../api/routes.ts';
import { type ClientService, openClientService } from '../../support/client-service.ts';
import { deadline } from '../../support/deadlines.ts';
import { openPythonTools } from '../../support/python-client.ts';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const PACKAGES = here('../../../node_modules');
const JUDGES = here('../node_modules');
const OPENAPI_TYPESCRIPT = join(JUDGES, 'openapi-typescript/bin/cli.js');
const python = await openPythonTools('openapi-python-client and openapi-spec-validator');
const run = promisify(execFile);
const source = JSON.stringify(buildOpenApi(ROUTES, 'http://127.0.0.1:3000'));
let folder: string;
let service: ClientService;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await openClientService();
  env = { MARKET_API_URL: service.url, MARKET_API_KEY: await service.addKey('enterprise') };
  folder = mkdtempSync(join(tmpdir(), 'market-generators-'));
  writeFileSync(join(folder, 'openapi.json'), source);
  symlinkSync(JUDGES, join(folder, 'node_modules'));
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

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

/** Ten calls with each generated client. The generated code is written beside the program. */
const OPENAPI_FETCH = `
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';
const headers = { 'X-API-Key': process.env.MARKET_API_KEY };
const market = createClient<paths>({ baseUrl: process.env.MARKET_API_URL, headers });
function dataOf<B extends { data: unknown }>({ data, error }: { data?: B; error?: unknown }): B['data'] {
  if (data) return data.data;
  throw new Error(JSON.stringify(error));
}
const path = { symbol: 'ACRX' };
const backtest = dataOf(await market.POST('/v1/backtest', { body: { symbol: 'ACRX', strategy: 'sma_cross', time_range: '1Y' } }));
const screen = dataOf(await market.POST('/v1/screener', { body: { where: 'close > 5' } }));
console.log(JSON.stringify([
  dataOf(await market.GET('/v1/quote/{symbol}', { params: { path } })).last,
  dataOf(await market.GET('/v1/kline/{symbol}', { params: { path, query: { days: 3 } } })).bars.map(({ close }) => close),
  dataOf(await market.GET('/v1/events/{symbol}', { params: { path } })).events.length,
  dataOf(await market.GET('/v1/static/{symbol}', { params: { path } })).name,
  dataOf(await market.GET('/v1/symbols', { params: { query: { q: 'corp' } } })).items.map(({ symbol }) => symbol),
  dataOf(await market.GET('/v1/strategies')).strategies.length,
  'total' in screen ? screen.total : null,
  'num_trades' in backtest ? backtest.num_trades : null,
  dataOf(await market.GET('/api/plans')).plans.map(({ code }) => code),
  dataOf(await market.GET('/api/meta')).version,
]));`;

interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

const TSCONFIG = {
  target: 'es2024',
  lib: ['es2024', 'dom'],
  module: 'nodenext',
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  types: ['node'],
  typeRoots: [join(PACKAGES, '@types')],
};

/** Generates a client, compiles it with a program, and runs that; resolves with what it prints. */
async function callsOf(name: string, program: string, generator: readonly string[]): Promise<unknown> {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: TSCONFIG, include: ['program.ts'] }));
  writeFileSync(join(project, 'program.ts'), program);
  const node = async (...words: readonly string[]) =>
    run(process.execPath, [...words], { cwd: project, env: { ...process.env, ...env } }).catch(
      (failed: Output) => failed,
    );
  const generated = await node(...generator);
  expect(generated.stderr).toBe('');
  const compiled = await node(join(PACKAGES, 'typescript/bin/tsc'), '--project', '.');
  expect([compiled.stdout, compiled.stderr]).toEqual(['', '']);
  const { stdout, stderr } = await node('program.ts');
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

describe('a generated client compiles and makes ten calls:', () => {
  it('openapi-typescript with openapi-fetch', async () => {
    const generator = [OPENAPI_TYPESCRIPT, '../openapi.json', '--output', 'api.ts', '--default-non-nullable', 'false'];
    expect(await callsOf('openapi-fetch', OPENAPI_FETCH, generator)).toEqual(await wanted());
  });

  (python ? it : it.skip)(
    'openapi-python-client',
    async () => {
      const project = join(folder, 'python');
      mkdirSync(project);
      const words = async (...args: readonly string[]) => {
        const PATH = `${dirname(String(python))}:${process.env.PATH}`;
        const options = { cwd: project, env: { ...process.env, ...env, PATH }, maxBuffer: 1 << 26 };
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
      expect(JSON.parse(called.stdout)).toEqual(await wanted());
    },
    deadline(240_000),
  );
});

/** A function of the generator's template hands on arguments that httpx types more narrowly. */
const MYPY = `
[mypy]
strict = True
[mypy-market_api.client]
disable_error_code = arg-type
`;

/** Returns the answers that the client of this project gets. */
async function wanted(): Promise<unknown> {
  const { quote, kline, events, staticInfo, symbols, strategies, screen, backtest, call } = openClient({
    url: service.url,
    key: env.MARKET_API_KEY,
  });
  return [
    (await quote('ACRX')).last,
    (await kline('ACRX', { days: 3 })).bars.map(({ close }) => close),
    (await events('ACRX')).events.length,
    (await staticInfo('ACRX')).name,
    (await symbols({ q: 'corp' })).items.map(({ symbol }) => symbol),
    (await strategies()).strategies.length,
    (await screen({ where: 'close > 5' })).total,
    (await backtest({ symbol: 'ACRX', strategy: 'sma_cross', time_range: '1Y' })).num_trades,
    (await call('listPlans', {})).plans.map(({ code }) => code),
    (await call('getMeta', {})).version,
  ];
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

(python ? it : it.skip)('a validator in Python finds it valid', async () => {
  const { stdout } = await run(String(python), ['-c', VALIDATE], { cwd: folder });
  expect(stdout).toBe('');
});
