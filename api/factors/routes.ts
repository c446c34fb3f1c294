/** Factor studies: `/v1/factors`. */
import { transaction } from '../../db/pool.ts';
import { type Sweep, selectSweep, selectSweepRequest } from '../../db/sweeps/sweeps.ts';
import { EXPORT_CONTENT_TYPES } from '../../jobs/contracts/export.ts';
import { MAX_PORTFOLIO_SYMBOLS } from '../../jobs/contracts/portfolio.ts';
import { enqueueStudy } from '../../jobs/factors/enqueue.ts';
import { boundsOf } from '../access/plans.ts';
import type { Accepted } from '../http/answer/reply.ts';
import { symbolListBody } from '../http/input/body.ts';
import { pageQuery, z } from '../http/input/fields.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { workOfCall } from '../runs/request.ts';
import { recordedStateRoute, startsWith } from '../runs/routes.ts';
import { runPath } from '../runs/schemas.ts';
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
} from '../sweeps/chunked.ts';
import { sweepJobSchema } from '../sweeps/schemas.ts';
import { FACTORS_EXAMPLE, type FactorsBody, factorsBody, isFactorsRequest, studyOf } from './request.ts';
import { readStudySchema, studyResultSchema, studySchema } from './schemas.ts';
import { studyView } from './view.ts';

const { accepted } = startsWith<Services>();

const STUDY_WORK: ChunkedWork = {
  kind: 'factors',
  record: chunkedRecord('factors', '/v1/factors', 'study_id'),
  tag: 'Factors',
  noun: { one: 'FactorStudy', many: 'FactorStudies' },
  words: { one: 'a factor study', many: 'factor studies', file: 'factors' },
};
const { record: STUDY_RECORD, tag: TAG } = STUDY_WORK;

async function queueStudy(call: ChunkedCall, body: FactorsBody): Promise<Accepted> {
  const { services, context, caller } = call;
  const { pool, boss, now } = services;
  const requested = await studyOf(call, body);
  const { id, isQueued } = await workOfCall(context, now(), (id) => selectSweep(pool, id));
  if (!isQueued) {
    const study = { id, ...factsOf(call), bounds: boundsOf(caller.plan), ...requested };
    await transaction(pool, (connection) => enqueueStudy(connection, boss, study));
  }
  return acceptedWork(call, STUDY_RECORD, id);
}

async function readView(call: ChunkedCall, study: Sweep): Promise<z.input<typeof readStudySchema>> {
  const [view, request] = await Promise.all([studyView(call, study), selectSweepRequest(call.services.pool, study.id)]);
  return { ...view, request: isFactorsRequest(request) ? request : null };
}

export const FACTOR_STUDIES: OfferedKind<Services> = {
  tag: TAG,
  own: [
    accepted({
      operationId: 'runFactorStudy',
      path: STUDY_RECORD.path,
      tag: TAG,
      summary: 'Study which values order the returns that follow',
      description:
        'Each value is computed for every member as known at each session, and compared with the returns that follow: ' +
        'rank correlations, quantiles, turnover, and the choice of one among many. Queued: the answer is 202. ' +
        'One study or sweep of an account runs at a time.',
      access: 'member',
      limit: 'optimize',
      isLong: true,
      bodySchema: factorsBody,
      bodyExample: FACTORS_EXAMPLE,
      bodyLimits: symbolListBody(MAX_PORTFOLIO_SYMBOLS),
      dataSchema: sweepJobSchema,
      errors: [
        'invalid_symbol',
        'market_not_open',
        'symbol_not_found',
        'invalid_date',
        'invalid_date_range',
        'invalid_time_range',
        'invalid_backtest_adjust',
        'invalid_asset_type',
        'rule_invalid',
        'no_bars_in_range',
        'plan_capability',
        'quota_exceeded',
        'storage_full',
      ],
      start: ({ body, ...call }) => queueStudy(call, body),
    }),
    listRoute(STUDY_WORK, { querySchema: z.object(pageQuery), dataSchema: studySchema, view: studyView }),
    resultRoute(STUDY_WORK, {
      description: 'Information coefficients, quantiles, and spreads by factor and horizon; correlations; the choice.',
      dataSchema: studyResultSchema,
    }),
    defineRoute({
      tag: TAG,
      access: 'member',
      limit: 'account',
      operationId: 'downloadFactorSeries',
      method: 'get',
      path: `${STUDY_RECORD.path}/{study_id}/series.parquet`,
      pathSchema: runPath(STUDY_RECORD.idName),
      summary: 'Download the series of a factor study as an Apache Parquet file',
      description: 'By factor, horizon, and date: `ic`, `spread`, `cumulated`. Kept for 7 days.',
      fileTypes: [EXPORT_CONTENT_TYPES.parquet],
      isResumable: true,
      dataSchema: z.string(),
      errors: ['not_found', 'sweep_expired', 'sweep_failed', 'sweep_not_finished'],
      handle: ({ path, ...call }) => fileOf(call, STUDY_WORK, path.study_id, 'series'),
    }),
    ...changeRoutes(STUDY_WORK, sweepJobSchema),
  ],
  state: recordedStateRoute(STUDY_RECORD, {
    operationId: 'getFactorStudy',
    tag: TAG,
    access: 'member',
    limit: 'account',
    summary: 'Get the progress of a factor study',
    dataSchema: readStudySchema,
    view: readView,
  }),
};
