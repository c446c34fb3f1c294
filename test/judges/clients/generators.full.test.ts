/** The interface description in other tools: a linter, and a generator of clients; `generators.night.test.ts` has those of Python. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { DESCRIPTION as source } from '../../support/description.ts';
import { type GeneratorService, JUDGES, openGeneratorService } from './generator-service.ts';

const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const OPENAPI_TYPESCRIPT = join(JUDGES, 'openapi-typescript/bin/cli.js');
const run = promisify(execFile);
let service: GeneratorService;

beforeAll(async () => {
  service = await openGeneratorService();
});
afterAll(() => service.close());

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: { readonly type: string };
}
interface Operation {
  readonly parameters: readonly ((Parameter & { readonly $ref?: undefined }) | { readonly $ref: string })[];
}
const {
  paths,
  components,
}: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
} = JSON.parse(source);
/** Path parameters that are numbers, as templates write them. */
const NUMBERS = new Set(
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters }) => parameters)
    .map((one) => (one.$ref === undefined ? one : components.parameters[one.$ref.split('/').at(-1) ?? '']))
    .flatMap((one) => (one.in === 'path' && one.schema.type === 'integer' ? [`{${one.name}}`] : [])),
);

const config = await createConfig({ extends: ['recommended'] });
const problems = (await lintFromString({ source, config, absoluteRef: 'openapi.json' })).map(
  ({ ruleId, message, location }) => ({ ruleId, message, pointer: location[0].pointer }),
);
/** `jobs/{job_id}` and `{backtest_id}/share` match no common address, which is tested here instead. */
const AMBIGUOUS = 'no-ambiguous-paths';

it('Redocly finds no problem in the interface description', () => {
  expect(problems.filter(({ ruleId }) => ruleId !== AMBIGUOUS)).toEqual([]);
});

it('no two paths match the same address: one has a word where the other has a number', () => {
  const found = problems.filter(({ ruleId }) => ruleId === AMBIGUOUS);
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
  const project = join(service.folder, name);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: TSCONFIG, include: ['program.ts'] }));
  writeFileSync(join(project, 'program.ts'), program);
  const node = async (...words: readonly string[]) =>
    run(process.execPath, [...words], { cwd: project, env: { ...process.env, ...service.env } }).catch(
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

it('a client of openapi-typescript with openapi-fetch compiles, and makes ten calls', async () => {
  const generator = [OPENAPI_TYPESCRIPT, '../openapi.json', '--output', 'api.ts', '--default-non-nullable', 'false'];
  expect(await callsOf('openapi-fetch', OPENAPI_FETCH, generator)).toEqual(await service.wanted());
});

it('patterns use only the regular expressions that all languages support', () => {
  const patterns = [...source.matchAll(/"pattern":"((?:[^"\\]|\\.)*)"/g)].map(([, pattern]) => pattern);
  expect(patterns.length).toBeGreaterThan(5);
  expect(patterns.filter((pattern) => /\\\\[pP]\{|\(\?[<!=]/.test(pattern))).toEqual([]);
});
