/** Checks a call that has a record judged, and makes a specification of it. */
import type { Readable } from 'node:stream';
import { FREQUENCIES } from '../../engine/judge/frequency.ts';
import { MOST_RESAMPLED } from '../../engine/judge/judge.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { JUDGED_FORMS, type JudgeSpec } from '../../jobs/contracts/judge.ts';
import type { AccountCaller } from '../access/caller.ts';
import { assertPlanHas, PLANS } from '../access/plans.ts';
import { queryInteger, z } from '../http/input/fields.ts';
import { refuse } from '../http/input/request-failure.ts';
import { findInstrument } from '../market/directory.ts';
import { storeUpload } from '../my/column-upload.ts';
import { columnsNamed, readableColumns } from '../rules/own-columns.ts';
import { specInstrument } from '../runs/comparison.ts';
import { costFields } from '../runs/cost-fields.ts';
import type { RunCall, Services } from '../runs/services.ts';

const MAX_TRIALS = 1_000_000;
const MAX_NAME = 100;
/** The Sharpe ratio a year of a stream with skill, and the share of streams that have it. */
const USUAL_SHARPE = 0.5;
const USUAL_PRIOR = 0.05;

const queryNumber = (min: number, max: number) => z.coerce.number().min(min).max(max);

export const judgeQuery = z.object({
  form: z.enum(JUDGED_FORMS).default('returns').meta({
    description: 'Returns as fractions, equity curves, or trades with `exit_date` and `pnl`, from 100,000',
  }),
  benchmark: z
    .string()
    .min(1)
    .max(MAX_NAME)
    .optional()
    .meta({ description: 'A column of the record, or a symbol, with its dividends' }),
  risk_free: costFields.risk_free.meta({ description: 'The market column of the risk-free rate' }),
  trials: queryInteger(1, MAX_TRIALS).optional().meta({ description: 'Of which the record is the best' }),
  frequency: z.enum(FREQUENCIES).optional().meta({ description: 'Default: by the steps between rows' }),
  sharpe: queryNumber(0.01, 10)
    .prefault(USUAL_SHARPE)
    .meta({ description: 'Sharpe ratio a year of a stream with skill, for `power` and `fdr`' }),
  prior: queryNumber(0.0001, 0.9999)
    .prefault(USUAL_PRIOR)
    .meta({ description: 'Share of streams with skill, for `fdr`' }),
  detail: z
    .string()
    .max(MOST_RESAMPLED * (MAX_NAME + 1))
    .transform((names) => names.split(','))
    .optional()
    .meta({
      description: `Streams with resamples and series, at most ${MOST_RESAMPLED}, separated by commas. Default: the best. Series: of the first, and of others up to 20,000 rows in all`,
    }),
});
type JudgeQuery = z.output<typeof judgeQuery>;

function benchmarkOf({ market }: Services, name: string): JudgeSpec['benchmark'] {
  try {
    return { name, instrument: specInstrument(findInstrument(market.directory, name)) };
  } catch (error) {
    // The file tells whether it is one of its columns.
    if (error instanceof ServiceError) return { name, instrument: null };
    throw error;
  }
}

/** Throws, with the place, for what can be known to be wrong before the file is read; then stores it. */
export async function judgeSpecOf(call: RunCall<AccountCaller>, query: JudgeQuery, body: Readable): Promise<JudgeSpec> {
  const { caller, services } = call;
  assertPlanHas(caller, 'judge_values_max');
  const { benchmark, risk_free, trials = null, frequency = null, sharpe, prior, detail = [], form } = query;
  if (detail.length > MOST_RESAMPLED)
    refuse(['query', 'detail'], { code: 'list_too_long', details: { max: MOST_RESAMPLED } });
  const rates = risk_free === undefined ? {} : { riskFree: risk_free };
  const columns = await readableColumns(call, [], rates, 'query');
  const { quotas, limits } = PLANS[caller.plan];
  const { market } = services;
  return {
    form,
    frequency,
    trials,
    prior,
    detail,
    ...rates,
    alternative: sharpe,
    benchmark: benchmark === undefined ? null : benchmarkOf(services, benchmark),
    columns: columnsNamed(columns, new Set(), rates),
    asOf: market.newestSession ?? market.distributableDay,
    quota: { plan: caller.plan, values: quotas.judge_values_max, hasSeveral: limits.optimize > 0 },
    ...(await storeUpload(call, body, 'judge_values_max')),
  };
}
