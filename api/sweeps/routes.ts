/** Sweeps: `/v1/sweeps`. */
import { MAX_SWEEP_SYMBOLS } from '../../jobs/contracts/sweep.ts';
import { RUN_ERRORS } from '../backtests/routes.ts';
import type { Route } from '../call/route.ts';
import { symbolListBody } from '../http/input/body.ts';
import { deletedSchema, listSchema, pageQuery, z } from '../http/input/fields.ts';
import { waitQuery } from '../runs/fields.ts';
import { SCREEN_ERRORS } from '../screener/request.ts';
import { defineRoute, type Services } from '../screener/services.ts';
import {
  cancelSweep,
  listSweeps,
  queueSweep,
  retryOwnSweep,
  SWEEPS_PATH,
  sweepCells,
  sweepResult,
  sweepState,
} from './handlers.ts';
import { SWEEP_EXAMPLE, sweepBody } from './request.ts';
import { readSweepSchema, sweepJobSchema, sweepResultSchema, sweepSchema } from './schemas.ts';

const TAG = 'Sweeps';
const idPath = z.object({ sweep_id: z.uuid().meta({ example: '0199e9c2-6f1b-7c4e-9a53-2d8f5b7e1c40' }) });

export const SWEEP_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'runSweep',
    method: 'post',
    path: SWEEPS_PATH,
    tag: TAG,
    summary: 'Run strategies over a whole market',
    description:
      'Every instrument × strategy × combination, computed by all workers; each cell has exactly the figures of ' +
      'that backtest. Queued: the answer is 202. One sweep of an account runs at a time.',
    access: 'member',
    limit: 'optimize',
    takesIdempotencyKey: true,
    isLong: true,
    bodySchema: sweepBody,
    bodyExample: SWEEP_EXAMPLE,
    bodyLimits: symbolListBody(MAX_SWEEP_SYMBOLS),
    successStatus: 202,
    dataSchema: sweepJobSchema,
    errors: [
      ...RUN_ERRORS.filter(
        (code) => !['venue_mode_refused', 'concurrent_backtests', 'backtest_cancelled'].includes(code),
      ),
      ...SCREEN_ERRORS,
      'invalid_asset_type',
      'plan_capability',
      'quota_exceeded',
    ],
    handle: ({ body, ...call }) => queueSweep(call, body),
  }),
  defineRoute({
    operationId: 'listSweeps',
    method: 'get',
    path: SWEEPS_PATH,
    tag: TAG,
    summary: 'Sweeps of the account, newest first',
    access: 'member',
    limit: 'account',
    querySchema: z.object(pageQuery),
    dataSchema: listSchema(sweepSchema),
    errors: [],
    handle: ({ query, ...call }) => listSweeps(call, query),
  }),
  defineRoute({
    operationId: 'getSweep',
    method: 'get',
    path: `${SWEEPS_PATH}/{sweep_id}`,
    tag: TAG,
    summary: 'How far a sweep is',
    access: 'member',
    limit: 'account',
    pathSchema: idPath,
    querySchema: waitQuery,
    dataSchema: readSweepSchema,
    errors: ['not_found'],
    handle: ({ path, query, ...call }) => sweepState(call, path.sweep_id, query.wait),
  }),
  defineRoute({
    operationId: 'getSweepResult',
    method: 'get',
    path: `${SWEEPS_PATH}/{sweep_id}/result`,
    tag: TAG,
    summary: 'What all cells come to',
    description: 'Spreads over the instruments per combination, the best and the worst cells, and histograms.',
    access: 'member',
    limit: 'account',
    pathSchema: idPath,
    dataSchema: sweepResultSchema,
    errors: ['not_found', 'sweep_failed', 'sweep_not_finished'],
    handle: ({ path, ...call }) => sweepResult(call, path.sweep_id),
  }),
  defineRoute({
    operationId: 'downloadSweepCells',
    method: 'get',
    path: `${SWEEPS_PATH}/{sweep_id}/cells.parquet`,
    tag: TAG,
    summary: 'Every cell as an Apache Parquet file',
    description: 'Kept for 7 days after the end of the sweep. Figures are those of the single backtests.',
    access: 'member',
    limit: 'account',
    pathSchema: idPath,
    fileTypes: ['application/vnd.apache.parquet'],
    isResumable: true,
    dataSchema: z.string(),
    errors: ['not_found', 'sweep_expired', 'sweep_failed', 'sweep_not_finished'],
    handle: ({ path, ...call }) => sweepCells(call, path.sweep_id),
  }),
  defineRoute({
    operationId: 'retrySweep',
    method: 'post',
    path: `${SWEEPS_PATH}/{sweep_id}/retry`,
    tag: TAG,
    summary: 'Let a failed sweep go on',
    description: 'What its chunks have computed counts; only the others run again.',
    access: 'member',
    limit: 'optimize',
    pathSchema: idPath,
    successStatus: 202,
    dataSchema: sweepJobSchema,
    errors: ['not_found', 'wrong_state'],
    handle: ({ path, ...call }) => retryOwnSweep(call, path.sweep_id),
  }),
  defineRoute({
    operationId: 'deleteSweep',
    method: 'delete',
    path: `${SWEEPS_PATH}/{sweep_id}`,
    tag: TAG,
    summary: 'Cancel and remove a sweep',
    access: 'member',
    limit: 'account',
    pathSchema: idPath,
    dataSchema: deletedSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => cancelSweep(call, path.sweep_id),
  }),
];
