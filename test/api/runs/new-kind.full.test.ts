/** A new kind of run needs a row in the catalogue, a job, and routes. This test adds one to a copy of the service, and runs it. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { required } from '../../../engine/util/values.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { removeTree } from '../../support/folders.ts';
import { freePort } from '../../support/free-port.ts';
import { endProcess, startProcess } from '../../support/processes.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDERS = ['api', 'db', 'engine', 'jobs', 'migrations', 'ops', 'storage', 'package.json', 'tsconfig.json'];

/** Halves even numbers. */
const JOB = `
import { RUN_KINDS } from '../contracts/run-kinds.ts';
import { finishUncached, type RunContext, runFrame } from '../runs/frame.ts';

export function runToyJob(context: RunContext, { runId }: { readonly runId: string }): Promise<void> {
  return runFrame(context, runId, async (run) => {
    const { number } = RUN_KINDS.toy.spec.parse(JSON.parse(run.spec));
    if (number % 2 === 1) return { code: 'not_found', details: {} };
    await finishUncached(context, { half: number / 2 });
    return null;
  });
}
`;

const ROUTES = `
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import type { Route } from '../call/route.ts';
import { JsonText } from '../http/answer/reply.ts';
import { z } from '../http/input/fields.ts';
import { answerRun } from '../runs/request.ts';
import { jobSchema, stateOf } from '../runs/schemas.ts';
import { defineRoute, type Services } from '../runs/services.ts';
import { stateRoute } from '../runs/state-route.ts';

const toySchema = z.object({ half: z.int() });

export const TOY_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'runToy',
    method: 'post',
    takesPrefer: true,
    path: '/v1/toy',
    tag: 'Toys',
    summary: 'Halve an even number',
    access: 'anyone',
    limit: 'backtest',
    bodySchema: RUN_KINDS.toy.spec,
    bodyExample: { number: 42 },
    dataSchema: toySchema,
    acceptedSchema: jobSchema,
    errors: ['not_found', 'concurrent_backtests', 'backtest_cancelled'],
    handle: ({ body: spec, ...call }) =>
      answerRun(call, { kind: 'toy', spec, save: false }, ({ result }) => new JsonText(result.summary)),
  }),
  stateRoute('toy', {
    operationId: 'getToyJob',
    tag: 'Toys',
    summary: 'State of a queued toy',
    dataSchema: stateOf(toySchema),
    show: (_call, { result }) => new JsonText(result.summary),
  }),
];
`;

const ROW = `
  toy: {
    queue: { ...OPTIMIZE_QUEUE, name: 'toy' },
    spec: zod.object({ number: zod.int() }),
    jobsPath: '/v1/toy/jobs',
    ...NOT_KEPT,
  },`;

/** The row, and the lines that the compiler requires because of it. Each is inserted after a text that its file has once. */
const LINES: readonly (readonly [file: string, place: string, line: string])[] = [
  ['jobs/contracts/run-kinds.ts', 'export const RUN_KINDS = {', ROW],
  ['jobs/contracts/run-kinds.ts', "import type { z } from 'zod';", "import { z as zod } from 'zod';"],
  ['db/schema/runs.ts', "kind: oneOf('backtest', 'optimize',", " 'toy',"],
  [
    'jobs/worker/handlers.ts',
    '() => Promise<Run<Payload<Q>>> } = {',
    "toy: async () => (await import('../toy/run.ts')).runToyJob,",
  ],
  ['api/routes.ts', 'export const ROUTES = [', '...TOY_ROUTES,'],
  ['api/routes.ts', '/** Every route of the API. */', "\nimport { TOY_ROUTES } from './toy/routes.ts';"],
];

/** The migration of the new kind. */
const MIGRATION = `
  alter table runs drop constraint runs_kind_check;
  alter table runs add constraint runs_kind_check
    check (kind in ('backtest', 'optimize', 'portfolio', 'verify', 'look_ahead', 'tear_sheet', 'screen', 'sql', 'toy'))`;

let database: TestDatabase;
let folder: string;
let processes: ChildProcess[] = [];
let url: string;

function addLine(path: string, place: string, line: string): void {
  const [before, after, ...others] = readFileSync(path, 'utf8').split(place);
  if (after === undefined || others.length > 0) throw new Error(`${path} does not have ${place} once`);
  writeFileSync(path, `${before}${place}${line}${after}`);
}

function addFile(path: string, text: string): void {
  mkdirSync(dirname(path));
  writeFileSync(path, text);
}

beforeAll(async () => {
  database = await createTestDatabase();
  // Modules are identified by real paths: with another path they would be loaded twice.
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'market-new-kind-')));
  const copy = join(folder, 'copy');
  for (const name of FOLDERS) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => !path.includes('node_modules') });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  addFile(join(copy, 'jobs/toy/run.ts'), JOB);
  addFile(join(copy, 'api/toy/routes.ts'), ROUTES);
  for (const [file, place, line] of LINES) addLine(join(copy, file), place, line);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const env = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'data'), PORT: String(port), SAMPLE_SYMBOLS: '50' };
  await database.pool.query(MIGRATION);
  execFileSync(process.execPath, ['ops/commands/cli.ts', 'db', 'migrate'], {
    cwd: copy,
    env: { ...process.env, LOG_LEVEL: 'silent', ...env },
  });
  const checkout = pathToFileURL(`${copy}/`);
  processes = await Promise.all([startProcess('api', env, checkout), startProcess('worker', env, checkout)]);
});
afterAll(async () => {
  await Promise.all(processes.map((child) => endProcess(child, 'SIGTERM')));
  await database.drop();
  removeTree(folder);
});

async function call(path: string, number?: number, headers: Readonly<Record<string, string>> = {}) {
  const sent = number === undefined ? {} : { method: 'POST', body: JSON.stringify({ number }) };
  const response = await fetch(url + path, { ...sent, headers: { 'content-type': 'application/json', ...headers } });
  const { key, data } = (await response.json()) as { key?: string; data: Record<string, unknown> | null };
  return { status: response.status, key, data };
}

it('is awaited, and answers with its result', async () => {
  expect(await call('/v1/toy', 42)).toMatchObject({ status: 200, data: { half: 21 } });
});

it('answers with the error of a run that fails', async () => {
  expect(await call('/v1/toy', 41)).toMatchObject({ status: 404, key: 'error.not_found' });
});

it.each([
  [6, { status: 'done', error: null, result: { half: 3 } }],
  [7, { status: 'failed', error: { key: 'error.not_found' }, result: null }],
])('is queued, and shows its state: %i', async (number, end) => {
  const { status, data } = await call('/v1/toy', number, { prefer: 'respond-async' });
  expect([status, data]).toEqual([202, expect.objectContaining({ location: `/v1/toy/jobs/${data?.job_id}` })]);
  const location = String(required(data).location);
  const known = async () => (await call(`${location}?wait=30`)).data;
  await eventually(known, (state) => state?.status === 'done' || state?.status === 'failed');
  expect(await known()).toMatchObject({ job_id: data?.job_id, ...end });
  // The routes of other kinds do not find it.
  const id = location.split('/').at(-1);
  expect(await call(`/v1/backtests/jobs/${id}`)).toMatchObject({ status: 404 });
});

it('is described like any other', async () => {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/v1/toy', '/v1/toy/jobs/{job_id}']));
});
