/** The job that judges a record of returns that was made elsewhere. */
import { createHash } from 'node:crypto';
import type { Pool } from '../../db/pool.ts';
import type { RunFailure } from '../../db/runs/runs.ts';
import { pricedRangeOf } from '../../engine/backtest/backtest.ts';
import { type RateSettings, ratesOn } from '../../engine/backtest/rates.ts';
import type { HeldValue } from '../../engine/judge/benchmark.ts';
import { type Judgement, judge, RecordRefused } from '../../engine/judge/judge.ts';
import type { JudgeOptions } from '../../engine/judge/judge-stream.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { FiguresOverflow } from '../../engine/market/figures.ts';
import { heldPrices } from '../../engine/market/series.ts';
import { required } from '../../engine/util/values.ts';
import { OverQuota } from '../columns/bounds.ts';
import { FileRefused } from '../columns/line-reader.ts';
import { runUploadJob, type UploadContext, type UploadedFile } from '../columns/upload.ts';
import type { SpecInstrument } from '../contracts/backtest.ts';
import { type JudgeSpec, judgeSpecSchema } from '../contracts/judge.ts';
import { finishUncached } from '../runs/frame.ts';
import { readMembers } from '../runs/history.ts';
import { readRateColumns } from '../runs/rates.ts';
import { type ReadRecord, readRecord } from './read-record.ts';
import { type ReportedJudgement, type Reporting, reportJudgement } from './report.ts';

/** Several streams are a search, which the plan does not have. */
class NoSearches extends Error {
  override readonly name = 'NoSearches';
}

export function runJudgeJob(context: UploadContext, { runId }: { readonly runId: string }): Promise<void> {
  return runUploadJob(context, runId, judgeSpecSchema, (_, spec, file) => judgeFile(context, spec, file));
}

async function judgeFile(context: UploadContext, spec: JudgeSpec, file: UploadedFile): Promise<RunFailure | null> {
  const { plan } = spec.quota;
  try {
    const record = await readRecord(file, spec);
    assertPlan(record, spec);
    const options = await optionsOf(context.pool, record, spec);
    const seed = required(options.seed);
    const judgement = judge(options);
    const reported = reportOrRefuse(judgement, { record, options, seed, trials: spec.trials });
    await finishUncached(context, reported);
    return null;
  } catch (error) {
    if (error instanceof OverQuota) return error.failure(plan);
    if (error instanceof NoSearches) return { code: 'plan_capability', details: { plan, category: 'optimize' } };
    if (error instanceof FileRefused || error instanceof RecordRefused)
      return { code: 'record_refused', details: { problem: error.message } };
    throw error;
  }
}

/** Returns that are none grow beyond any number: the refusal says what they look like. */
function reportOrRefuse(judgement: Judgement, reporting: Reporting): ReportedJudgement {
  try {
    return reportJudgement(judgement, reporting);
  } catch (error) {
    if (!(error instanceof FiguresOverflow)) throw error;
    const doubt = judgement.notes.find(({ code }) => code === 'equity' || code === 'percent');
    if (doubt === undefined) throw error;
    const form = doubt.code === 'equity' ? 'an equity curve (form=equity)' : 'percentages, not fractions';
    throw new RecordRefused(`${doubt.streams?.join(', ')} overflows, and looks like ${form}`);
  }
}

function assertPlan({ columns }: ReadRecord, { benchmark, quota }: JudgeSpec): void {
  const streams = columns.filter(({ name }) => name !== benchmark?.name);
  if (streams.length > 1 && !quota.hasSeveral) throw new NoSearches();
}

async function optionsOf(pool: Pool, record: ReadRecord, spec: JudgeSpec): Promise<JudgeOptions> {
  const { benchmark, trials, form, frequency, alternative, prior, detail } = spec;
  const instrument = benchmark?.instrument ?? null;
  return {
    days: record.days,
    columns: record.columns,
    form: form === 'trades' ? 'equity' : form,
    frequency: form === 'trades' ? 'day' : frequency,
    benchmark: benchmark && {
      name: benchmark.name,
      value: instrument && (await heldInstrument(pool, instrument, spec)),
    },
    riskFreeOn: await riskFreeOf(pool, spec),
    isChosen: (trials ?? 1) > 1,
    alternative,
    prior,
    detail,
    seed: seedOfColumns(record),
  };
}

/** The instrument as it is held, with its dividends; null: it has no bars. */
async function heldInstrument(
  pool: Pool,
  instrument: SpecInstrument,
  { asOf }: Pick<JudgeSpec, 'asOf'>,
): Promise<HeldValue | null> {
  const [member] = await readMembers(pool, [instrument], asOf);
  const series = pricedRangeOf({ start: null, end: null, timeRange: 'MAX', adjust: 'total' }, member)?.series;
  return series === undefined || series.length === 0 ? null : { day: series.day, value: heldPrices(series) };
}

async function riskFreeOf(pool: Pool, spec: RateSettings & Pick<JudgeSpec, 'columns'>) {
  if (spec.riskFree === undefined) return null;
  const columns = await readRateColumns(pool, spec);
  return (days: Int32Array) => required(ratesOn(days, { riskFree: spec.riskFree }, columns).riskFree);
}

/**
 * The first 16 digits of the digest of the columns as canonical JSON, column by column: a list of objects with `name` and `values`, the
 * days first. Numbers and names are written there as `JSON.stringify` writes them.
 */
function seedOfColumns({ days, columns }: Pick<ReadRecord, 'days' | 'columns'>): string {
  const hash = createHash('sha256');
  hash.update(`[${JSON.stringify({ name: 'date', values: Array.from(days, formatDay) })}`);
  for (const { name, values } of columns) hash.update(`,${JSON.stringify({ name, values: Array.from(values) })}`);
  return hash.update(']').digest('hex').slice(0, 16);
}
