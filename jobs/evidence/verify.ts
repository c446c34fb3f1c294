/** Verification of kept backtests: they are computed again, and every difference is explained. */
import { text } from 'node:stream/consumers';
import type { SavedBacktest } from '../../db/backtests/kept-backtests.ts';
import { saveVerdict, selectKeptAfter, selectVerificationSample, type Verdict } from '../../db/backtests/verdicts.ts';
import { selectPresentId } from '../../db/market/instruments.ts';
import type { Queryable } from '../../db/pool.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { backtestKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { BACKTEST_PARTS, type BacktestPart, type BacktestSpec, backtestSpecSchema } from '../backtest/contract.ts';
import { readHistory } from '../backtest/history.ts';
import { backtestForm, dataDigest, dataRead, type Receipt, resultDigest, specDigest } from '../backtest/receipt.ts';
import { METRIC_NAMES } from '../backtest/report.ts';
import { ledgers, resultOf } from '../backtest/run.ts';
import { type BacktestSummary, backtestSummary } from '../backtest/summary.ts';
import type { JobContext } from '../job-context.ts';
import type { Verification } from './contract.ts';
import { dataDifferences, NO_DIFFERENCES } from './past-data.ts';

/** Share of the kept backtests that is verified every night. */
const SAMPLE_SHARE = 0.01;
const PAGE = 100;

export type VerifyContext = Pick<JobContext, 'pool' | 'storage' | 'now'>;

function metricsOf(was: BacktestSummary | null, is: BacktestSummary | null): Verification['metrics'] {
  return METRIC_NAMES.map((name) => ({ name, was: was?.[name] ?? null, is: is?.[name] ?? null }));
}

/** The long arrays that are kept, without those whose object is gone. */
async function keptArrays(storage: ObjectStorage, { userId, id }: SavedBacktest): Promise<Map<BacktestPart, string>> {
  const arrays = new Map<BacktestPart, string>();
  for (const part of BACKTEST_PARTS) {
    const stream = await storage.get(backtestKey(userId, id, part));
    if (stream) arrays.set(part, await text(stream));
  }
  return arrays;
}

/** The digest of what is kept. */
function keptDigest(summary: BacktestSummary, arrays: ReadonlyMap<BacktestPart, string>): string {
  const { start_date, end_date, statistics = null } = summary;
  const metrics = Object.fromEntries(METRIC_NAMES.map((name) => [name, summary[name]]));
  return resultDigest({ start_date, end_date, metrics, statistics }, Object.fromEntries(arrays));
}

function verdictOf(reasons: readonly string[]): Verdict {
  const has = (reason: string) => reasons.includes(reason);
  if (has('spec_changed')) return 'spec_changed';
  if (has('unexplained')) return 'unexplained';
  if (has('data_revised') && has('engine_changed')) return 'both';
  if (has('data_revised')) return 'data_revised';
  return has('engine_changed') ? 'engine_changed' : 'reproduced';
}

/** The specification with the id that its instrument has now: a market that was replaced gives new ids. */
async function presentSpec(db: Queryable, spec: BacktestSpec): Promise<BacktestSpec> {
  const symbol = spec.symbol.replace(/\.US$/, '');
  const instrumentId = await selectPresentId(db, { id: spec.instrumentId, symbol });
  return instrumentId === null ? spec : { ...spec, instrumentId };
}

async function compare(
  { pool, storage, now }: VerifyContext,
  saved: SavedBacktest,
  summary: BacktestSummary,
  was: Receipt,
  dataVersion: string,
): Promise<Verification> {
  const at = new Date(now());
  const kept = backtestSpecSchema.parse(saved.spec);
  const spec = await presentSpec(pool, kept);
  const history = await readHistory(pool, spec.instrumentId, spec.asOf);
  const ledger = await ledgers.get(pool, dataVersion);
  const result = resultOf(spec, history, ledger, { dataVersion, at });
  const again: BacktestSummary | null = result && JSON.parse(result.summary);
  const is = again?.receipt ?? null;
  const reasons: string[] = [];
  if (specDigest(backtestForm(kept, was.engine_version)) !== was.spec_sha256) reasons.push('spec_changed');
  if (was.engine_version !== ENGINE_VERSION) reasons.push('engine_changed');
  const isRevised = dataDigest(dataRead(spec, history)) !== was.data_sha256;
  if (isRevised) reasons.push('data_revised');
  const arrays = await keptArrays(storage, saved);
  const isKeptWhole = keptDigest(summary, arrays) === was.result_sha256;
  const isExplained = reasons.length > 0 || is?.result_sha256 === was.result_sha256;
  if (!isKeptWhole || !isExplained) reasons.push('unexplained');
  const run = { digest: was.data_sha256, at: new Date(was.computed_at), candles: arrays.get('klines') ?? null };
  const differences = isRevised
    ? await dataDifferences(pool, spec, history, run, result?.klines ?? '[]')
    : NO_DIFFERENCES;
  return {
    verdict: verdictOf(reasons),
    reasons,
    verified_at: at.toISOString(),
    engine: { was: was.engine_version, is: ENGINE_VERSION },
    receipt: { was, is },
    ...differences,
    metrics: metricsOf(summary, again),
  };
}

/** Computes a kept backtest again and compares; the verdict is kept with it. */
export async function verifyKept(
  context: VerifyContext,
  saved: SavedBacktest,
  dataVersion: string,
): Promise<Verification> {
  const { pool, now } = context;
  const at = new Date(now());
  const summary = backtestSummary(saved.summary);
  const { receipt } = summary;
  const verification: Verification =
    receipt === undefined || saved.spec === null
      ? {
          verdict: 'no_receipt',
          reasons: ['no_receipt'],
          verified_at: at.toISOString(),
          engine: { was: summary.engine_version, is: ENGINE_VERSION },
          receipt: { was: null, is: null },
          ...NO_DIFFERENCES,
          metrics: metricsOf(summary, null),
        }
      : await compare(context, saved, summary, receipt, dataVersion);
  await saveVerdict(pool, saved.id, verification.verdict, at);
  return verification;
}

/** Verifies all kept backtests, a page at a time; `onVerified` hears of each. */
export async function verifyAll(
  context: VerifyContext,
  dataVersion: string,
  onVerified: (saved: SavedBacktest, verdict: Verdict) => void,
): Promise<void> {
  let last = 0;
  for (;;) {
    const page = await selectKeptAfter(context.pool, last, PAGE);
    if (page.length === 0) return;
    for (const saved of page) {
      onVerified(saved, (await verifyKept(context, saved, dataVersion)).verdict);
      last = saved.id;
    }
  }
}

/** Verifies a sample, the longest unverified first; logs what neither data nor version explains. */
export async function verifySample(context: JobContext, dataVersion: string): Promise<void> {
  const { pool, signal, log } = context;
  for (const saved of await selectVerificationSample(pool, SAMPLE_SHARE)) {
    signal.throwIfAborted();
    const { verdict } = await verifyKept(context, saved, dataVersion);
    if (verdict === 'unexplained')
      log.error({ backtestId: saved.id }, 'a kept backtest differs and nothing explains it');
  }
}
