/** The kinds of runs, one row each: everything that their senders, their jobs, and the calls that wait for them must agree on. */
import type { z } from 'zod';
import type { KeptKind } from '../../db/runs/kept-runs.ts';
import type { ResultPart } from '../../db/runs/run-results.ts';
import type { RunKind } from '../../db/runs/runs.ts';
import { BACKTEST_PARTS, BACKTEST_QUEUE, backtestSpecSchema } from './backtest.ts';
import { CLAIMS_QUEUE, claimsSpecSchema } from './claims.ts';
import { COLUMN_QUEUE, columnSpecSchema } from './columns.ts';
import { evidenceSpecSchema, LOOK_AHEAD_QUEUE, VERIFY_QUEUE } from './evidence.ts';
import { FACTOR_VALUES_QUEUE, factorValuesSpecSchema } from './factors.ts';
import { SEAL_QUEUE, sealSpecSchema } from './forward.ts';
import { JUDGE_QUEUE, judgeSpecSchema } from './judge.ts';
import { OPTIMIZE_QUEUE, searchSpecSchema } from './optimize.ts';
import { OUTCOMES_QUEUE, outcomesSpecSchema } from './outcomes.ts';
import { PORTFOLIO_PARTS, PORTFOLIO_QUEUE } from './portfolio.ts';
import type { QueueContract } from './queue-contract.ts';
import { portfolioRunSpecSchema } from './rotation.ts';
import { SCREEN_QUEUE, screenSpecSchema } from './screen.ts';
import { SQL_LIMITS, SQL_QUEUE, sqlSpecSchema } from './sql.ts';
import { TEAR_SHEET_QUEUE, tearSheetSpecSchema } from './tear-sheet.ts';

/** How results are kept in an account. */
interface Keeping {
  /** Large parts of a result. Each is a stored object. */
  readonly parts: readonly ResultPart[];
  /** Path of kept runs, before their ids, and one of them in words. */
  readonly path: string;
  readonly name: string;
  /** Path of the page that shows a shared result, before its slug. */
  readonly page: string;
}

interface RunKindRow {
  /** Its name equals the kind. */
  readonly queue: QueueContract & { readonly payload: (typeof BACKTEST_QUEUE)['payload'] };
  /** Schema of the specification that defines a result. */
  readonly spec: z.ZodType<object>;
  /** Path of the state of a run, before its id. */
  readonly jobsPath: string;
  /** Null: results are never kept. */
  readonly kept: Keeping | null;
  /** Seconds after which a run fails, which calls that wait so long wait for; null: no call waits until a run times out. */
  readonly seconds: number | null;
}

const NOT_KEPT = { kept: null, seconds: null } as const;

export const RUN_KINDS = {
  backtest: {
    queue: BACKTEST_QUEUE,
    spec: backtestSpecSchema,
    jobsPath: '/v1/backtests/jobs',
    kept: { parts: BACKTEST_PARTS, path: '/v1/backtests', name: 'backtest', page: '/r' },
    seconds: null,
  },
  portfolio: {
    queue: PORTFOLIO_QUEUE,
    spec: portfolioRunSpecSchema,
    jobsPath: '/v1/portfolio/jobs',
    kept: { parts: PORTFOLIO_PARTS, path: '/v1/portfolios', name: 'portfolio', page: '/p' },
    seconds: null,
  },
  optimize: { queue: OPTIMIZE_QUEUE, spec: searchSpecSchema, jobsPath: '/v1/optimize/jobs', ...NOT_KEPT },
  verify: { queue: VERIFY_QUEUE, spec: evidenceSpecSchema, jobsPath: '/v1/verify/jobs', ...NOT_KEPT },
  look_ahead: { queue: LOOK_AHEAD_QUEUE, spec: evidenceSpecSchema, jobsPath: '/v1/look-ahead/jobs', ...NOT_KEPT },
  tear_sheet: {
    queue: TEAR_SHEET_QUEUE,
    spec: tearSheetSpecSchema,
    jobsPath: '/v1/tear-sheets/jobs',
    ...NOT_KEPT,
  },
  screen: { queue: SCREEN_QUEUE, spec: screenSpecSchema, jobsPath: '/v1/screener/jobs', ...NOT_KEPT },
  sql: {
    queue: SQL_QUEUE,
    spec: sqlSpecSchema,
    jobsPath: '/v1/sql/jobs',
    kept: null,
    seconds: SQL_LIMITS.seconds,
  },
  factor_values: {
    queue: FACTOR_VALUES_QUEUE,
    spec: factorValuesSpecSchema,
    jobsPath: '/v1/factor-values/jobs',
    ...NOT_KEPT,
  },
  claims: { queue: CLAIMS_QUEUE, spec: claimsSpecSchema, jobsPath: '/v1/claims/jobs', ...NOT_KEPT },
  outcomes: {
    queue: OUTCOMES_QUEUE,
    spec: outcomesSpecSchema,
    jobsPath: '/v1/outcomes/jobs',
    kept: { parts: [], path: '/v1/outcomes', name: 'run of outcomes', page: '/o' },
    seconds: null,
  },
  judge: { queue: JUDGE_QUEUE, spec: judgeSpecSchema, jobsPath: '/v1/judge/jobs', ...NOT_KEPT },
  seal: { queue: SEAL_QUEUE, spec: sealSpecSchema, jobsPath: '/v1/my/forward-jobs', ...NOT_KEPT },
  column: { queue: COLUMN_QUEUE, spec: columnSpecSchema, jobsPath: '/v1/my/column-jobs', ...NOT_KEPT },
} as const satisfies Record<Exclude<RunKind, KeptKind>, RunKindRow & { readonly kept: null }> &
  Record<KeptKind, RunKindRow & { readonly kept: Keeping }>;

/** A kind of run with its specification. */
export type RunWork<K extends RunKind = RunKind> = {
  [One in K]: { readonly kind: One; readonly spec: z.output<(typeof RUN_KINDS)[One]['spec']> };
}[K];
