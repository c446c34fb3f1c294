/** Sweeps: `/v1/sweeps`. */
import type { Readable } from 'node:stream';
import { transaction } from '../../db/pool.ts';
import { selectSweeps } from '../../db/sweeps/sweep-list.ts';
import { type Sweep, selectSweep, selectSweepRequest } from '../../db/sweeps/sweeps.ts';
import { formatDay, MS_PER_DAY } from '../../engine/market/dates.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { EXPORT_CONTENT_TYPES } from '../../jobs/contracts/export.ts';
import { CELLS_KEPT_DAYS, MAX_SWEEP_SYMBOLS } from '../../jobs/contracts/sweep.ts';
import { enqueueSweep, removeSweep, retrySweep } from '../../jobs/sweep/enqueue.ts';
import { sweepCellsKey, sweepResultKey } from '../../storage/keys.ts';
import { type AccountCaller, accountOf } from '../access/caller.ts';
import { assertPlanHas, assertWithin, boundsOf } from '../access/plans.ts';
import { TRADING_ERRORS } from '../backtests/routes.ts';
import { type Accepted, JsonStream, openObject, type StoredFileReply, storedFile } from '../http/answer/reply.ts';
import { symbolListBody } from '../http/input/body.ts';
import { deletedSchema, listSchema, pageQuery, z } from '../http/input/fields.ts';
import { screenedUniverse, withBars } from '../portfolios/universe.ts';
import { ownResearchOf } from '../rules/resolve.ts';
import { ratesOf } from '../runs/cost-fields.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { workOfCall } from '../runs/request.ts';
import { exampleRoute, recordedStateRoute, startsWith } from '../runs/routes.ts';
import { runPath } from '../runs/schemas.ts';
import { searchWords, wordsField } from '../runs/search-words.ts';
import { acceptedAt, ownRun, type RunRecord } from '../runs/state.ts';
import { SCREEN_ERRORS } from '../screener/request.ts';
import { defineRoute, type ScreenCall, type Services } from '../screener/services.ts';
import { sweepExample, sweepExampleSchema } from './example.ts';
import { isSweepRequest, SWEEP_EXAMPLE, type SweepBody, sweepBody, sweepOf } from './request.ts';
import { readSweepSchema, sweepJobSchema, sweepResultSchema, sweepSchema } from './schemas.ts';
import { notesOf, pauseNotices, sweepView } from './view.ts';

const { accepted } = startsWith<Services>();

const TAG = 'Sweeps';

type SweepCall = ScreenCall<AccountCaller>;

const SWEEP_RECORD: RunRecord<Sweep> = {
  path: '/v1/sweeps',
  idName: 'sweep_id',
  select: async (db, caller, id) => {
    const sweep = await selectSweep(db, id);
    return sweep?.userId === accountOf(caller)?.userId ? sweep : null;
  },
};

const ownSweep = (call: SweepCall, id: string) => ownRun(call, SWEEP_RECORD, id);

/** Records a sweep, and starts it unless another sweep of the account runs. */
async function queueSweep(call: SweepCall, body: SweepBody): Promise<Accepted> {
  const { services, context, caller } = call;
  const { pool, boss, market, now } = services;
  assertPlanHas(caller, 'sweep_cells_max');
  const own = await Promise.all(body.runs.map(({ rules }) => ownResearchOf(call, rules, ratesOf(body))));
  const { universe } = body;
  const isScreened = typeof universe !== 'string' && 'screen' in universe;
  const screened = isScreened ? await screenedUniverse(call, universe.screen, body, ['body', 'universe']) : null;
  const requested = sweepOf(body, market, own, screened);
  // A time range counts back from the last bar of each instrument, so every instrument with bars has one in the range.
  const instruments = await withBars(services.longPool, requested.instruments, requested.spec);
  assertWithin(caller, 'sweep_cells_max', instruments.length * requested.combinations);
  const { id, isQueued } = await workOfCall(context, now(), (id) => selectSweep(pool, id));
  if (!isQueued) {
    const sweep = { id, ...facts(call), bounds: boundsOf(caller.plan), ...requested, instruments };
    await transaction(pool, (connection) => enqueueSweep(connection, boss, sweep));
  }
  return acceptedSweep(call, id);
}

/** Who asks for a change of a sweep, and when. */
function facts({ services, context: { requestId }, caller }: SweepCall) {
  return { userId: caller.account.userId, requestId, at: new Date(services.now()) };
}

async function readView(call: SweepCall, sweep: Sweep): Promise<z.input<typeof readSweepSchema>> {
  const [view, request] = await Promise.all([sweepView(call, sweep), selectSweepRequest(call.services.pool, sweep.id)]);
  return { ...view, request: isSweepRequest(request) ? request : null };
}

const listQuery = z.object({
  ...pageQuery,
  q: wordsField.meta({
    description:
      'Words that a sweep has, all of them, as in lists of kept backtests: in a strategy, a symbol that its request lists, an entry rule, or the range. ' +
      'A sweep has no tags and no return',
    example: 'strategy:rsi luma',
  }),
});

async function listSweeps(call: SweepCall, { q, ...query }: z.output<typeof listQuery>) {
  const { services, caller } = call;
  const { total, items } = await selectSweeps(services.pool, caller.account.userId, searchWords(q ?? ''), query);
  const pauses = pauseNotices(call);
  const views = await Promise.all(items.map((sweep) => sweepView(call, sweep, pauses)));
  return { total, page: query.page, size: query.size, items: views };
}

async function removeOwnSweep(call: SweepCall, id: string): Promise<{ deleted: true }> {
  const { pool, boss } = call.services;
  found(await transaction(pool, (connection) => removeSweep(connection, boss, { id, ...facts(call) })));
  return { deleted: true };
}

/** Resumes a failed sweep. */
async function retryOwnSweep(call: SweepCall, id: string): Promise<Accepted> {
  const { pool, boss, now } = call.services;
  const sweep = await ownSweep(call, id);
  await transaction(pool, (connection) => retrySweep(connection, boss, sweep, new Date(now())));
  return acceptedSweep(call, id);
}

const acceptedSweep = async (call: SweepCall, id: string) => acceptedAt(SWEEP_RECORD.path, await ownSweep(call, id));

/** A sweep that is done. Throws if it failed or has not finished. */
async function finishedSweep(call: SweepCall, id: string): Promise<Sweep> {
  const sweep = await ownSweep(call, id);
  if (sweep.status === 'failed') throw new ServiceError('sweep_failed');
  if (sweep.status !== 'done') throw new ServiceError('sweep_not_finished', { status: sweep.status });
  return sweep;
}

/** The result as the worker has stored it, with the notes in the caller's language added. */
async function sweepResult(call: SweepCall, id: string): Promise<JsonStream> {
  const sweep = await finishedSweep(call, id);
  const content = await openObject(call.services.storage, sweepResultKey(sweep.userId, id), 'not_found');
  return new JsonStream(textOf(content, notesOf(call, sweep.noteCodes)));
}

/** The JSON of an object with `notes` added as its first member. */
async function* textOf(content: Readable, notes: object): AsyncGenerator<string> {
  content.setEncoding('utf8');
  let isFirst = true;
  for await (const piece of content) {
    const text = String(piece);
    yield isFirst ? text.replace(/^\{/, `{"notes":${JSON.stringify(notes)},`) : text;
    isFirst = false;
  }
}

async function sweepCells(call: SweepCall, id: string): Promise<StoredFileReply> {
  const { storage, now } = call.services;
  const { userId, finishedAt, cellsBytes, cellsSha256, createdAt } = await finishedSweep(call, id);
  const isOld = finishedAt === null || finishedAt.getTime() + CELLS_KEPT_DAYS * MS_PER_DAY <= now();
  if (isOld || cellsBytes === null || cellsSha256 === null) throw new ServiceError('sweep_expired');
  const day = formatDay(Math.floor(createdAt.getTime() / MS_PER_DAY));
  const stored = {
    key: sweepCellsKey(userId, id),
    name: `sweep-${day}-${id.slice(0, 8)}-cells.parquet`,
    contentType: EXPORT_CONTENT_TYPES.parquet,
    bytes: cellsBytes,
    checksum: cellsSha256,
  };
  return storedFile(storage, stored, 'sweep_expired');
}

const COMMON = { tag: TAG, access: 'member', limit: 'account' } as const;
const OF_SWEEP = { ...COMMON, pathSchema: runPath(SWEEP_RECORD.idName) } as const;
const SWEEP_PATH = `${SWEEP_RECORD.path}/{sweep_id}`;

export const SWEEPS: OfferedKind<Services> = {
  tag: TAG,
  own: [
    accepted({
      operationId: 'runSweep',
      path: SWEEP_RECORD.path,
      tag: TAG,
      summary: 'Run strategies over a whole market',
      description:
        'Every instrument × strategy × combination, computed by all workers; each cell has exactly the figures of ' +
        'that backtest. Queued: the answer is 202. One sweep of an account runs at a time.',
      access: 'member',
      limit: 'optimize',
      isLong: true,
      bodySchema: sweepBody,
      bodyExample: SWEEP_EXAMPLE,
      bodyLimits: symbolListBody(MAX_SWEEP_SYMBOLS),
      dataSchema: sweepJobSchema,
      errors: [
        ...TRADING_ERRORS.filter((code) => !['venue_mode_refused', 'figures_overflow'].includes(code)),
        ...SCREEN_ERRORS,
        'invalid_asset_type',
        'plan_capability',
        'quota_exceeded',
      ],
      start: ({ body, ...call }) => queueSweep(call, body),
    }),
    exampleRoute(TAG, {
      operationId: 'getSweepExample',
      path: `${SWEEP_RECORD.path}/example`,
      summary: 'Get a finished small sweep of the loaded market, with its request',
      dataSchema: sweepExampleSchema,
      show: sweepExample,
    }),
    defineRoute({
      ...COMMON,
      operationId: 'listSweeps',
      method: 'get',
      path: SWEEP_RECORD.path,
      summary: 'List sweeps of the account, newest first',
      querySchema: listQuery,
      dataSchema: listSchema(sweepSchema),
      errors: [],
      handle: ({ query, ...call }) => listSweeps(call, query),
    }),
    defineRoute({
      ...OF_SWEEP,
      operationId: 'getSweepResult',
      method: 'get',
      path: `${SWEEP_PATH}/result`,
      summary: 'Get the result of a sweep',
      description: 'The spread per combination, best and worst cells, and histograms.',
      dataSchema: sweepResultSchema,
      errors: ['not_found', 'sweep_failed', 'sweep_not_finished'],
      handle: ({ path, ...call }) => sweepResult(call, path.sweep_id),
    }),
    defineRoute({
      ...OF_SWEEP,
      operationId: 'downloadSweepCells',
      method: 'get',
      path: `${SWEEP_PATH}/cells.parquet`,
      summary: 'Download all cells as an Apache Parquet file',
      description: 'Kept for 7 days. Figures are those of backtests.',
      fileTypes: ['application/vnd.apache.parquet'],
      isResumable: true,
      dataSchema: z.string(),
      errors: ['not_found', 'sweep_expired', 'sweep_failed', 'sweep_not_finished'],
      handle: ({ path, ...call }) => sweepCells(call, path.sweep_id),
    }),
    defineRoute({
      ...OF_SWEEP,
      operationId: 'retrySweep',
      method: 'post',
      path: `${SWEEP_PATH}/retry`,
      summary: 'Resume a failed sweep',
      description: 'Chunks that were computed are not computed again.',
      limit: 'optimize',
      successStatus: 202,
      dataSchema: sweepJobSchema,
      errors: ['not_found', 'wrong_state'],
      handle: ({ path, ...call }) => retryOwnSweep(call, path.sweep_id),
    }),
    defineRoute({
      ...OF_SWEEP,
      operationId: 'deleteSweep',
      method: 'delete',
      path: SWEEP_PATH,
      summary: 'Cancel and remove a sweep',
      dataSchema: deletedSchema,
      errors: ['not_found'],
      handle: ({ path, ...call }) => removeOwnSweep(call, path.sweep_id),
    }),
  ],
  state: recordedStateRoute(SWEEP_RECORD, {
    operationId: 'getSweep',
    ...COMMON,
    summary: 'Get the progress of a sweep',
    dataSchema: readSweepSchema,
    view: readView,
  }),
};
