/**
 * A new kind of run is a row in the catalogue and one file on each floor. This test adds three to a copy of the service, two of which
 * accounts keep, and runs them.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { required } from '../../../engine/util/values.ts';
import { type ClientService, openClientService } from '../../support/client-service.ts';
import { eventually } from '../../support/eventually.ts';
import { removeTree } from '../../support/folders.ts';

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
import { JsonText } from '../http/answer/reply.ts';
import { z } from '../http/input/fields.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { startsWith, stateRoute } from '../runs/routes.ts';
import { stateOf } from '../runs/schemas.ts';
import type { Services } from '../runs/services.ts';

const toySchema = z.object({ half: z.int() });
const show = ({ result }) => new JsonText(result.summary);

export const TOYS: OfferedKind<Services> = {
  tag: 'Toys',
  own: [
    startsWith<Services>().awaited({
      operationId: 'runToy',
      path: '/v1/toy',
      tag: 'Toys',
      summary: 'Halve an even number',
      access: 'anyone',
      limit: 'backtest',
      bodySchema: RUN_KINDS.toy.spec,
      bodyExample: { number: 42 },
      dataSchema: toySchema,
      errors: ['not_found'],
      read: async ({ body: spec }) => ({ kind: 'toy', spec, show }),
    }),
  ],
  state: stateRoute('toy', 'Toys', {
    operationId: 'getToyJob',
    summary: 'State of a queued toy',
    dataSchema: stateOf(toySchema),
    show: (_call, run) => show(run),
  }),
};
`;

/** Holds an instrument: computed as a backtest is, under a name of its own. */
const KEPT_KIND = `
import { BACKTEST } from '../backtest/kind.ts';

export const HOLD: typeof BACKTEST = {
  ...BACKTEST,
  canonical: (spec, version) => ({ ...BACKTEST.canonical(spec, version), kind: 'hold' }),
};
`;

/** The same without anything that is found of a run later. */
const BARE_KIND = `
import { BACKTEST } from '../backtest/kind.ts';

const { sheet: _sheet, prove: _prove, ...rest } = BACKTEST;

export const BARE: typeof BACKTEST = {
  ...rest,
  canonical: (spec, version) => ({ ...BACKTEST.canonical(spec, version), kind: 'bare' }),
};
`;

/** The API of a kind that accounts keep. `offered`: what can be asked of a kept run. */
const keptApi = (kind: string, noun: string, offered: string) => `
import { backtestSpecOf, flatBody, fromFlat } from '../backtests/request.ts';
import { jobStateSchema, resultSchema } from '../backtests/schemas.ts';
import { keptRunResult } from '../runs/keep.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { startsWith, stateRoute } from '../runs/routes.ts';
import type { Services } from '../runs/services.ts';

export const ${noun.toUpperCase()}S: OfferedKind<Services> = {
  tag: '${noun}s',
  own: [
    startsWith<Services>().awaited({
      operationId: 'run${noun}',
      path: '/v1/${kind}',
      tag: '${noun}s',
      summary: 'Hold an instrument',
      access: 'anyone',
      limit: 'backtest',
      bodySchema: flatBody.pick({ symbol: true }),
      bodyExample: { symbol: 'ACRX.US' },
      dataSchema: resultSchema,
      errors: ['symbol_not_found'],
      read: async ({ body: { symbol }, ...call }) => {
        const request = fromFlat(flatBody.parse({ symbol, strategy: 'rules', rules: { entry: 'close > 0' }, time_range: '1Y' }));
        return {
          kind: '${kind}',
          spec: backtestSpecOf(request, call.services.market),
          save: true,
          show: (run) => keptRunResult(call, run),
        };
      },
    }),
  ],
  state: stateRoute('${kind}', '${noun}s', {
    operationId: 'get${noun}Job',
    summary: 'State of a queued ${kind}',
    dataSchema: jobStateSchema,
    show: keptRunResult,
  }),
  kept: {
    kind: '${kind}',
    noun: '${noun}',
    dataSchema: resultSchema,
    include: { trades: { parts: ['trades', 'klines'], isUsual: false, words: 'the trades, and the bars' } },
    columns: { trades: ['entry_date', 'exit_date', 'pnl'], equity: ['ts', 'equity'] },
    ${offered}
  },
};
`;

const HOLD_API = keptApi(
  'hold',
  'Hold',
  `hasTearSheet: true,
   evidence: { receipt: { operationId: 'getHoldReceipt' }, verify: { operationId: 'verifyHold' } },`,
);
const BARE_API = keptApi('bare', 'Bare', 'hasTearSheet: false, evidence: {},');

const ROWS = `
  toy: {
    queue: { ...OPTIMIZE_QUEUE, name: 'toy' },
    spec: zod.object({ number: zod.int() }),
    jobsPath: '/v1/toy/jobs',
    ...NOT_KEPT,
  },
  hold: {
    queue: { ...BACKTEST_QUEUE, name: 'hold' },
    spec: backtestSpecSchema,
    jobsPath: '/v1/holds/jobs',
    kept: { parts: BACKTEST_PARTS, path: '/v1/holds', name: 'hold', page: '/h' },
    seconds: null,
  },
  bare: {
    queue: { ...BACKTEST_QUEUE, name: 'bare' },
    spec: backtestSpecSchema,
    jobsPath: '/v1/bares/jobs',
    kept: { parts: BACKTEST_PARTS, path: '/v1/bares', name: 'bare', page: '/b' },
    seconds: null,
  },`;

const FILES = {
  'jobs/toy/run.ts': JOB,
  'api/toy/routes.ts': ROUTES,
  'jobs/hold/kind.ts': KEPT_KIND,
  'api/hold/routes.ts': HOLD_API,
  'jobs/bare/kind.ts': BARE_KIND,
  'api/bare/routes.ts': BARE_API,
};

/** The rows, and the lines that the compiler requires because of them. Each is inserted after a text that its file has once. */
const LINES: readonly (readonly [file: string, place: string, line: string])[] = [
  ['jobs/contracts/run-kinds.ts', 'export const RUN_KINDS = {', ROWS],
  ['jobs/contracts/run-kinds.ts', "import type { z } from 'zod';", "import { z as zod } from 'zod';"],
  ['db/schema/runs.ts', "kind: oneOf(\n      'backtest',\n      'optimize',", " 'toy', 'hold', 'bare',"],
  ['db/schema/runs.ts', "kind: oneOf('backtest', 'portfolio'", ", 'hold', 'bare'"],
  [
    'jobs/evidence/kinds.ts',
    '=> work(BACKTEST),',
    `hold: async (_spec, work) => work((await import('../hold/kind.ts')).HOLD),
     bare: async (_spec, work) => work((await import('../bare/kind.ts')).BARE),`,
  ],
  [
    'jobs/worker/handlers.ts',
    '() => Promise<Run<Payload<Q>>> } = {',
    `toy: async () => (await import('../toy/run.ts')).runToyJob,
     hold: async () => (await import('../evidence/kinds.ts')).keptRunJob('hold'),
     bare: async () => (await import('../evidence/kinds.ts')).keptRunJob('bare'),`,
  ],
  [
    'api/runs/history.ts',
    'const SUBJECTS = {',
    `hold: ({ summary }) => ({ kind: 'hold', symbol: backtestSummary(summary).symbol }),
     bare: ({ summary }) => ({ kind: 'bare', symbol: backtestSummary(summary).symbol }),`,
  ],
  ['api/routes.ts', 'export const ROUTES = [', '...[TOYS, HOLDS, BARES].flatMap(routesOfKind),'],
  [
    'api/routes.ts',
    '/** Every route of the API. */',
    "\nimport { TOYS } from './toy/routes.ts';\nimport { HOLDS } from './hold/routes.ts';\nimport { BARES } from './bare/routes.ts';",
  ],
];

/** The migration of the new kinds. */
const MIGRATION = `
  alter table runs drop constraint runs_kind_check;
  alter table runs add constraint runs_kind_check
    check (kind in ('backtest', 'optimize', 'portfolio', 'verify', 'look_ahead', 'tear_sheet', 'screen', 'sql', 'toy', 'hold', 'bare'));
  alter table backtests drop constraint backtests_kind_check;
  alter table backtests add constraint backtests_kind_check check (kind in ('backtest', 'portfolio', 'hold', 'bare'))`;

let service: ClientService;
let folder: string;

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
  // Modules are identified by real paths: with another path they would be loaded twice.
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'market-new-kind-')));
  for (const name of FOLDERS) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: (path) => !path.includes('node_modules') });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, text] of Object.entries(FILES)) addFile(join(folder, path), text);
  for (const [file, place, line] of LINES) addLine(join(folder, file), place, line);
  service = await openClientService({
    checkout: pathToFileURL(`${folder}/`),
    prepare: async ({ pool, url }) => {
      await pool.query(MIGRATION);
      // It declares the queues.
      execFileSync(process.execPath, ['ops/commands/cli.ts', 'db', 'migrate'], {
        cwd: folder,
        env: { ...process.env, LOG_LEVEL: 'silent', DATABASE_URL: url },
      });
    },
  });
});
afterAll(async () => {
  await service.close();
  removeTree(folder);
});

type Headers = Readonly<Record<string, string>>;

async function call(path: string, body?: object, headers: Headers = {}) {
  const sent = body && { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(service.url + path, {
    ...sent,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const { key, data } = (await response.json()) as { key?: string; data: Record<string, unknown> | null };
  return { status: response.status, key, data };
}

/** The paths of the interface description that have a word. */
async function described(word: string): Promise<string[]> {
  const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: object };
  return Object.keys(paths).filter((path) => path.includes(word));
}

it('is awaited, and answers with its result', async () => {
  expect(await call('/v1/toy', { number: 42 })).toMatchObject({ status: 200, data: { half: 21 } });
});

it('answers with the error of a run that fails', async () => {
  expect(await call('/v1/toy', { number: 41 })).toMatchObject({ status: 404, key: 'error.not_found' });
});

it.each([
  [6, { status: 'done', error: null, result: { half: 3 } }],
  [7, { status: 'failed', error: { key: 'error.not_found' }, result: null }],
])('is queued, and shows its state: %i', async (number, end) => {
  const { status, data } = await call('/v1/toy', { number }, { prefer: 'respond-async' });
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
  expect(await described('toy')).toEqual(['/v1/toy', '/v1/toy/jobs/{job_id}']);
});

describe('one that accounts keep', () => {
  let account: Headers;
  let id: unknown;

  beforeAll(async () => {
    account = { authorization: `Bearer ${await service.addAdmin()}` };
    const { status, data } = await call('/v1/hold', { symbol: 'ACRX' }, account);
    expect([status, data]).toEqual([200, expect.objectContaining({ symbol: 'ACRX.US', num_trades: 1 })]);
    id = data?.id;
  });

  it('is kept, listed, and read with the parts that a caller wants', async () => {
    const bare = await call(`/v1/holds/${id}`, undefined, account);
    expect(Object.keys(required(bare.data))).toEqual(expect.arrayContaining(['equity', 'receipt']));
    expect(bare.data).not.toHaveProperty('trades');
    const whole = await call(`/v1/holds/${id}?include_trades=true`, undefined, account);
    expect(whole.data).toMatchObject({ trades: [expect.any(Object)], klines: expect.any(Array) });
    expect(await call(`/v1/backtests/${id}`, undefined, account)).toMatchObject({ status: 404 });
    const listed = await call('/v1/backtests?kind=all', undefined, account);
    expect(listed.data).toMatchObject({ total: 1, items: [{ id, kind: 'hold', symbol: 'ACRX.US' }] });
    const others = await call('/v1/backtests?kind=backtest', undefined, account);
    expect(others.data).toMatchObject({ total: 0 });
  });

  it('is shared by a link that anybody may read', async () => {
    const { data } = await call(`/v1/holds/${id}/share`, { shared: true }, account);
    const shared = await call(new URL(String(data?.api_url)).pathname);
    expect(shared).toMatchObject({ status: 200, data: { id: null, symbol: 'ACRX.US' } });
  });

  it('is exported', async () => {
    const csv = await fetch(`${service.url}/api/hold/${id}/export?kind=trades`, { headers: account });
    expect([csv.status, (await csv.text()).split('\r\n')]).toEqual([
      200,
      ['Entry date,Exit date,P&L', expect.stringMatching(/^\d{4}-\d\d-\d\d,/)],
    ]);
  });

  it('has a receipt, is verified, and has a tear sheet', async () => {
    const receipt = await call(`/v1/holds/${id}/receipt.json`, undefined, account);
    expect(receipt).toMatchObject({ status: 200, data: { result_sha256: expect.any(String) } });
    const verified = await call(`/v1/holds/${id}/verify`, {}, account);
    expect(verified).toMatchObject({ status: 200, data: { verdict: 'reproduced' } });
    const sheet = await call(`/v1/holds/${id}/tear-sheet`, undefined, account);
    expect(sheet).toMatchObject({ status: 200, data: { returns: expect.any(Object) } });
  });

  it('offers nothing that its kind does not name', async () => {
    expect(await call(`/v1/holds/${id}/look-ahead`, {}, account)).toMatchObject({
      status: 404,
      key: 'error.not_found',
    });
    expect(await described('hold')).toEqual([
      '/v1/hold',
      '/v1/holds/jobs/{job_id}',
      '/v1/holds/{hold_id}',
      '/v1/holds/{hold_id}/share',
      '/v1/holds/{hold_id}/receipt.json',
      '/v1/holds/{hold_id}/verify',
      '/v1/holds/{hold_id}/tear-sheet',
      '/v1/holds/{hold_id}/tear-sheet.csv',
      '/api/hold/shared/{slug}',
      '/api/hold/{hold_id}',
      '/api/hold/{hold_id}/share',
      '/api/hold/{hold_id}/export',
    ]);
  });

  it('has no receipt and no tear sheet where its kind offers none', async () => {
    const { data } = await call('/v1/bare', { symbol: 'ACRX' }, account);
    const path = `/v1/bares/${data?.id}`;
    expect(await call(path, undefined, account)).toMatchObject({ status: 200, data: { symbol: 'ACRX.US' } });
    const missing = { status: 404, key: 'error.not_found' };
    expect(await call(`${path}/receipt.json`, undefined, account)).toMatchObject(missing);
    expect(await call(`${path}/tear-sheet`, undefined, account)).toMatchObject(missing);
    const csv = await fetch(`${service.url}/api/bare/${data?.id}/export?kind=trades`, { headers: account });
    expect([csv.status, csv.headers.get('link')]).toEqual([200, null]);
    expect(await described('bare')).toEqual([
      '/v1/bare',
      '/v1/bares/jobs/{job_id}',
      '/v1/bares/{bare_id}',
      '/v1/bares/{bare_id}/share',
      '/api/bare/shared/{slug}',
      '/api/bare/{bare_id}',
      '/api/bare/{bare_id}/share',
      '/api/bare/{bare_id}/export',
    ]);
  });
});
