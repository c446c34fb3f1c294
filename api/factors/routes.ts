/** Factor studies: `/v1/factors`. */
import { transaction } from '../../db/pool.ts';
import { type Sweep, selectSweep, selectSweepRequest } from '../../db/sweeps/sweeps.ts';
import { EXPORT_CONTENT_TYPES } from '../../jobs/contracts/export.ts';
import { factorSpecSchema, MAX_FACTORS, MAX_FILE_VALUES } from '../../jobs/contracts/factors.ts';
import { MAX_PORTFOLIO_SYMBOLS } from '../../jobs/contracts/portfolio.ts';
import { enqueueStudy } from '../../jobs/factors/enqueue.ts';
import { factorValuesKey } from '../../storage/keys.ts';
import { assertPlanHas, assertWithin, boundsOf } from '../access/plans.ts';
import { type Accepted, FileStream, openObject } from '../http/answer/reply.ts';
import type { BodyLimits } from '../http/input/body.ts';
import { pageQuery, z } from '../http/input/fields.ts';
import { refuse } from '../http/input/request-failure.ts';
import { readableColumns } from '../rules/own-columns.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { workOfCall } from '../runs/request.ts';
import { type Asked, recordedStateRoute, startsWith, stateRoute } from '../runs/routes.ts';
import { runPath, stateOf } from '../runs/schemas.ts';
import { defineRoute, type Services } from '../screener/services.ts';
import {
  acceptedWork,
  type ChunkedCall,
  type ChunkedWork,
  changeRoutes,
  chunkedRecord,
  factsOf,
  fileOf,
  finishedWork,
  listRoute,
  resultRoute,
} from '../sweeps/chunked.ts';
import { sweepJobSchema } from '../sweeps/schemas.ts';
import {
  FACTORS_EXAMPLE,
  type FactorsBody,
  factorsBody,
  isFactorsRequest,
  studyOf,
  studyTexts,
  UNIVERSE_ERRORS,
} from './request.ts';
import { readStudySchema, studyResultSchema, studySchema } from './schemas.ts';
import { studyView } from './view.ts';

const { accepted, awaited } = startsWith<Services>();

const STUDY_WORK: ChunkedWork = {
  kind: 'factors',
  record: chunkedRecord('factors', '/v1/factors', 'study_id'),
  tag: 'Factors',
  noun: { one: 'FactorStudy', many: 'FactorStudies' },
  words: { one: 'a factor study', many: 'factor studies', file: 'factors' },
};
const { record: STUDY_RECORD, tag: TAG } = STUDY_WORK;

/** A list of symbols, and the longest factors with their names. */
const BODY_LIMITS: BodyLimits = { maxBytes: 512 * 1024, maxValues: MAX_PORTFOLIO_SYMBOLS + 4 * MAX_FACTORS };

async function queueStudy(call: ChunkedCall, body: FactorsBody): Promise<Accepted> {
  const { services, context, caller } = call;
  const { pool, longPool, market, boss, now } = services;
  assertPlanHas(caller, 'factor_cells_max');
  const requested = await studyOf(longPool, body, market, await readableColumns(call, studyTexts(body)));
  assertWithin(caller, 'factor_cells_max', requested.cellsEach * body.factors.length);
  const { id, isQueued } = await workOfCall(context, now(), (id) => selectSweep(pool, id));
  if (!isQueued) {
    await context.spend?.({ kind: 'factors', spec: requested.spec, trials: body.factors.length });
    const study = { id, ...factsOf(call), bounds: boundsOf(caller.plan), ...requested };
    await transaction(pool, (connection) => enqueueStudy(connection, boss, study));
  }
  return acceptedWork(call, STUDY_RECORD, id);
}

/** The file of the values of a factor, which a job writes when it is asked for first. */
async function askedValues(call: ChunkedCall, id: string, name: string): Promise<Asked<FileStream>> {
  const { storage } = call.services;
  const study = await finishedWork(call, STUDY_RECORD, id);
  const { factors } = factorSpecSchema.parse(study.spec);
  const place = factors.findIndex((factor) => factor.name === name);
  if (place < 0) refuse(['query', 'factor'], { code: 'no_factor', details: { name } });
  const count = Math.round(study.cells / factors.length);
  if (count > MAX_FILE_VALUES)
    refuse(['query', 'factor'], { code: 'file_too_long', details: { count, max: MAX_FILE_VALUES } });
  const key = factorValuesKey(study.userId, id, place);
  async function* pieces(): AsyncGenerator<Buffer> {
    yield* await openObject(storage, key, 'not_found');
  }
  const file = () =>
    new FileStream(`factor-${place + 1}-values.parquet`, EXPORT_CONTENT_TYPES.parquet, {
      [Symbol.asyncIterator]: pieces,
    });
  if (await storage.has(key)) return { answer: file() };
  return { kind: 'factor_values', spec: { studyId: id, place }, show: file };
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
      bodyLimits: BODY_LIMITS,
      dataSchema: sweepJobSchema,
      errors: [
        ...UNIVERSE_ERRORS,
        'invalid_backtest_adjust',
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
    awaited({
      method: 'get',
      tag: TAG,
      access: 'member',
      limit: 'account',
      operationId: 'downloadFactorValues',
      path: `${STUDY_RECORD.path}/{study_id}/values.parquet`,
      pathSchema: runPath(STUDY_RECORD.idName),
      querySchema: z.object({ factor: z.string().meta({ description: 'Its name', example: 'momentum' }) }),
      summary: 'Download the values of a factor as an Apache Parquet file',
      description:
        'By date and symbol, where the value is defined. Written when it is asked for first, and kept for 7 days.',
      fileTypes: [EXPORT_CONTENT_TYPES.parquet],
      dataSchema: z.string(),
      errors: ['not_found', 'sweep_failed', 'sweep_not_finished'],
      read: ({ path, query, ...call }) => askedValues(call, path.study_id, query.factor),
    }),
    stateRoute('factor_values', TAG, {
      operationId: 'getFactorValuesJob',
      summary: 'Get the state of a file of values that is written',
      dataSchema: stateOf(z.object({ bytes: z.int() })),
      show: (_, run) => JSON.parse(run.result.summary),
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
