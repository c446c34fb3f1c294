/** Sweeps: `/v1/sweeps`. */
import { transaction } from '../../db/pool.ts';
import { type Sweep, selectSweep, selectSweepRequest } from '../../db/sweeps/sweeps.ts';
import { MAX_SWEEP_SYMBOLS } from '../../jobs/contracts/sweep.ts';
import { enqueueSweep } from '../../jobs/sweep/enqueue.ts';
import { assertPlanHas, assertWithin, boundsOf } from '../access/plans.ts';
import { TRADING_ERRORS } from '../backtests/routes.ts';
import type { Accepted } from '../http/answer/reply.ts';
import { symbolListBody } from '../http/input/body.ts';
import { pageQuery, z } from '../http/input/fields.ts';
import { screenedUniverse, withBars } from '../portfolios/universe.ts';
import { ownResearchOf } from '../rules/resolve.ts';
import { ratesOf } from '../runs/cost-fields.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { workOfCall } from '../runs/request.ts';
import { exampleRoute, recordedStateRoute, startsWith } from '../runs/routes.ts';
import { runPath } from '../runs/schemas.ts';
import { searchWords, wordsField } from '../runs/search-words.ts';
import { SCREEN_ERRORS } from '../screener/request.ts';
import { defineRoute, type Services } from '../screener/services.ts';
import {
  acceptedWork,
  type ChunkedCall,
  type ChunkedWork,
  changeRoutes,
  chunkedRecord,
  factsOf,
  fileOf,
  listRoute,
  resultRoute,
} from './chunked.ts';
import { sweepExample, sweepExampleSchema } from './example.ts';
import { isSweepRequest, SWEEP_EXAMPLE, type SweepBody, sweepBody, sweepOf } from './request.ts';
import { readSweepSchema, sweepJobSchema, sweepResultSchema, sweepSchema } from './schemas.ts';
import { sweepView } from './view.ts';

const { accepted } = startsWith<Services>();

const TAG = 'Sweeps';

const SWEEP_WORK: ChunkedWork = {
  kind: 'sweep',
  record: chunkedRecord('sweep', '/v1/sweeps', 'sweep_id'),
  tag: TAG,
  noun: { one: 'Sweep', many: 'Sweeps' },
  words: { one: 'a sweep', many: 'sweeps', file: 'sweep' },
};
const { record: SWEEP_RECORD } = SWEEP_WORK;

/** Records a sweep, and starts it unless another sweep of the account runs. */
async function queueSweep(call: ChunkedCall, body: SweepBody): Promise<Accepted> {
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
    const trials = instruments.length * requested.combinations;
    await context.spend?.({ kind: 'sweep', spec: { ...requested.spec, instruments }, trials });
    const sweep = { id, ...factsOf(call), bounds: boundsOf(caller.plan), ...requested, instruments };
    await transaction(pool, (connection) => enqueueSweep(connection, boss, sweep));
  }
  return acceptedWork(call, SWEEP_RECORD, id);
}

async function readView(call: ChunkedCall, sweep: Sweep): Promise<z.input<typeof readSweepSchema>> {
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
    listRoute(SWEEP_WORK, {
      querySchema: listQuery,
      dataSchema: sweepSchema,
      words: ({ q }) => searchWords(q ?? ''),
      view: sweepView,
    }),
    resultRoute(SWEEP_WORK, {
      description: 'The spread per combination, best and worst cells, and histograms.',
      dataSchema: sweepResultSchema,
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
      handle: ({ path, ...call }) => fileOf(call, SWEEP_WORK, path.sweep_id, 'cells'),
    }),
    ...changeRoutes(SWEEP_WORK, sweepJobSchema),
  ],
  state: recordedStateRoute(SWEEP_RECORD, {
    operationId: 'getSweep',
    ...COMMON,
    summary: 'Get the progress of a sweep',
    dataSchema: readSweepSchema,
    view: readView,
  }),
};
