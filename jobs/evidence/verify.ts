/** Verification of kept backtests: computes them again and explains every difference. */
import { text } from 'node:stream/consumers';
import { selectSnapshotAt } from '../../db/lake/lake-tables.ts';
import type { Pool } from '../../db/pool.ts';
import type { KeptRun } from '../../db/runs/kept-runs.ts';
import type { ResultPart } from '../../db/runs/run-results.ts';
import { saveVerdict, selectKeptAfter, selectVerificationSample, type Verdict } from '../../db/runs/verdicts.ts';
import { EMPTY_SERIES } from '../../engine/market/series.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { backtestKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { Receipt, Verification } from '../contracts/evidence.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { MARKET_NAMESPACE } from '../contracts/lake.ts';
import { RUN_KINDS } from '../contracts/run-kinds.ts';
import type { History, HistorySource, ReadHistories } from '../runs/history.ts';
import type { Figures, KeptSpec, ReadContext, RunKind } from '../runs/kind.ts';
import { deletedColumn } from '../runs/own-columns.ts';
import { NO_DIFFERENCES } from '../runs/past-data.ts';
import { resultDigest } from '../runs/receipt.ts';
import { recompute } from '../runs/recompute.ts';
import { type KeptSummary, keptSummary } from '../runs/summary.ts';
import { type LakeState, lakeAt } from '../tables/lake-at.ts';
import { pastHistories } from '../tables/past-histories.ts';
import { withKind } from './kinds.ts';

const NONE: History = { series: EMPTY_SERIES, events: [] };

function pastSource(storage: ObjectStorage, state: LakeState): HistorySource {
  return async (instruments, asOf) => {
    const idOf = new Map(instruments.map(({ symbol, instrumentId }) => [symbol, instrumentId]));
    const found = new Map<number | undefined, History>();
    for await (const { symbol, series, events } of pastHistories(storage, state, asOf, new Set(idOf.keys()))) {
      found.set(idOf.get(symbol), { series, events });
    }
    const read: ReadHistories = async (_db, ids) => ids.map((id) => found.get(id) ?? NONE);
    return read;
  };
}

/** Share of the kept backtests that is verified every night. */
const SAMPLE_SHARE = 0.01;
const PAGE = 100;

export type VerifyContext = ReadContext & Pick<JobContext, 'storage' | 'now'>;
export type SampleContext = VerifyContext & Pick<JobContext, 'log'>;

/** The stored arrays, without those whose object was deleted. */
async function keptArrays(storage: ObjectStorage, { userId, id, kind }: KeptRun): Promise<Map<ResultPart, string>> {
  const arrays = new Map<ResultPart, string>();
  for (const part of RUN_KINDS[kind].kept.parts) {
    const stream = await storage.get(backtestKey(userId, id, part));
    if (stream) arrays.set(part, await text(stream));
  }
  return arrays;
}

/** Every figure of a kept run before and after. */
function metricsOf(was: Figures, is: Figures | null): Verification['metrics'] {
  return Object.keys(was).map((name) => ({ name, was: was[name], is: is?.[name] ?? null }));
}

function verdictOf(reasons: readonly string[]): Verdict {
  const has = (reason: string) => reasons.includes(reason);
  if (has('spec_changed')) return 'spec_changed';
  if (has('unexplained')) return 'unexplained';
  const isRevised = has('data_revised') || has('column_deleted');
  if (isRevised && has('engine_changed')) return 'both';
  if (isRevised) return 'data_revised';
  return has('engine_changed') ? 'engine_changed' : 'reproduced';
}

/** How a computation on the data of its load agrees with a receipt. */
type Recomputation = Pick<NonNullable<Verification['snapshot']>, 'same_data' | 'same_result'>;

const NOT_COMPUTED: Recomputation = { same_data: null, same_result: null };

/** The snapshot of the bars that a receipt names by its version of the data. */
async function snapshotOf(
  pool: Pool,
  { data_version: version }: Receipt,
  recompute: () => Promise<Recomputation>,
): Promise<Verification['snapshot']> {
  const table = `${MARKET_NAMESPACE}.daily_bars`;
  const found = await selectSnapshotAt(pool, table, version);
  if (!found) return null;
  const { snapshotId, committedAt } = found;
  return { table, snapshot_id: snapshotId, committed_at: committedAt.toISOString(), ...(await recompute()) };
}

/** Computes a run again on the bars and events of the load that its receipt names, where its snapshots are kept. */
function recomputeAtLoad(context: VerifyContext, saved: KeptRun, was: Receipt, at: Date): Promise<Recomputation> {
  return withKind(saved, async (kind) => {
    const state = kind.readsMarket ? null : await lakeAt(context, was.data_version);
    if (!state) return NOT_COMPUTED;
    const computation = { dataVersion: was.data_version, at };
    const source = pastSource(context.storage, state);
    const { result, dataDigest } = await recompute(context, kind, saved, computation, source);
    const again: KeptSummary | null = result && JSON.parse(result.summary);
    return {
      same_data: dataDigest === was.data_sha256,
      same_result: again?.receipt?.result_sha256 === was.result_sha256,
    };
  });
}

async function compare<Spec extends KeptSpec, Data extends object>(
  context: VerifyContext,
  saved: KeptRun,
  kind: RunKind<Spec, Data>,
  was: Receipt,
  dataVersion: string,
): Promise<Verification> {
  const { pool, storage, now } = context;
  const at = new Date(now());
  const computation = { dataVersion, at };
  const { result, specDigest, dataDigest, differences } = await recompute(context, kind, saved, computation);
  const again: KeptSummary | null = result && JSON.parse(result.summary);
  const is = again?.receipt ?? null;
  const reasons: string[] = [];
  if (specDigest(was.engine_version) !== was.spec_sha256) reasons.push('spec_changed');
  if (was.engine_version !== ENGINE_VERSION) reasons.push('engine_changed');
  const isRevised = dataDigest !== was.data_sha256;
  if (isRevised) reasons.push('data_revised');
  if ((await deletedColumn(pool, saved.spec)) !== null) reasons.push('column_deleted');
  const arrays = await keptArrays(storage, saved);
  const summary = keptSummary(saved.summary);
  const isKeptWhole = resultDigest(kind.digested(summary), Object.fromEntries(arrays)) === was.result_sha256;
  const isExplained = reasons.length > 0 || is?.result_sha256 === was.result_sha256;
  if (!isKeptWhole || !isExplained) reasons.push('unexplained');
  const run = { digest: was.data_sha256, at: new Date(was.computed_at), candles: arrays.get('klines') ?? null };
  const changed = isRevised ? await differences(run, result) : NO_DIFFERENCES;
  return {
    verdict: verdictOf(reasons),
    reasons,
    verified_at: at.toISOString(),
    engine: { was: was.engine_version, is: ENGINE_VERSION },
    receipt: { was, is },
    snapshot: await snapshotOf(pool, was, async () =>
      isRevised ? recomputeAtLoad(context, saved, was, at) : NOT_COMPUTED,
    ),
    ...changed,
    metrics: metricsOf(kind.figures(summary), again && kind.figures(again)),
  };
}

/** Computes a kept backtest again, compares, and stores the verdict with it. */
export async function verifyKept(context: VerifyContext, saved: KeptRun, dataVersion: string): Promise<Verification> {
  const { pool, now } = context;
  const at = new Date(now());
  const summary = keptSummary(saved.summary);
  const { receipt } = summary;
  const verification: Verification = await withKind(saved, (kind) =>
    receipt === undefined || saved.spec === null
      ? {
          verdict: 'no_receipt',
          reasons: ['no_receipt'],
          verified_at: at.toISOString(),
          engine: { was: summary.engine_version, is: ENGINE_VERSION },
          receipt: { was: null, is: null },
          snapshot: null,
          ...NO_DIFFERENCES,
          metrics: metricsOf(kind.figures(summary), null),
        }
      : compare(context, saved, kind, receipt, dataVersion),
  );
  await saveVerdict(pool, saved.id, verification.verdict, at);
  return verification;
}

/** Verifies all kept backtests, a page at a time, and calls `onVerified` after each. */
export async function verifyAll(
  context: VerifyContext,
  dataVersion: string,
  onVerified: (saved: KeptRun, verdict: Verdict) => void,
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

/** Verifies a sample, least recently verified first; logs differences that neither data nor version explains. */
export async function verifySample(context: SampleContext, dataVersion: string): Promise<void> {
  const { pool, signal, log } = context;
  for (const saved of await selectVerificationSample(pool, SAMPLE_SHARE)) {
    signal.throwIfAborted();
    const { verdict } = await verifyKept(context, saved, dataVersion);
    if (verdict === 'unexplained')
      log.error({ backtestId: saved.id }, 'a kept backtest differs and nothing explains it');
  }
}
