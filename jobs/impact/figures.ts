/** The figures of a kept run before and after a load. */
import { type Computed, type EarlierFigures, selectEarlierFigures, type WaitingImpact } from '../../db/runs/impacts.ts';
import type { KeptRun } from '../../db/runs/kept-runs.ts';
import type { ImpactFigures } from '../../db/schema/runs.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { withKind } from '../evidence/kinds.ts';
import { type HistorySource, ledgers } from '../runs/history.ts';
import type { KeptSpec, ReadContext, RunKind } from '../runs/kind.ts';
import { deletedColumn } from '../runs/own-columns.ts';
import { historiesAfter } from '../runs/past-data.ts';
import { resultDigest } from '../runs/receipt.ts';
import { type KeptSummary, keptSummary } from '../runs/summary.ts';

export interface ImpactContext extends ReadContext {
  readonly dataVersion: string;
  readonly at: Date;
}

/** The figures of a run on the data of one moment. */
interface Figures {
  /** Digest of all of its figures: equal ones have changed nothing. */
  readonly digest: string;
  /** Null: no bar lies in its range. */
  readonly told: ImpactFigures | null;
  /** Whether they are those that were kept. */
  readonly areKept: boolean;
}

const NONE: Figures = { digest: '', told: null, areKept: false };

/** `digested`: the part of a summary that tells whether anything has changed. */
type Digested = RunKind<KeptSpec, object>['digested'];

function figuresOf(digested: Digested, summary: KeptSummary, areKept: boolean): Figures {
  const { total_pnl_pct = null, sharpe = null, statistics } = summary;
  const shown = statistics?.skill?.shown ?? null;
  const verdict = shown === null ? null : shown ? 'shown' : 'not_shown';
  return { digest: resultDigest(digested(summary)), told: { total_pnl_pct, sharpe, verdict }, areKept };
}

/**
 * Whether the digest of a receipt has everything that the run has read. It lacks cash dividends that rules name and the adjustment does not
 * count, and whether a delisted instrument has bars after the end.
 */
function isAllDigested({ spec }: KeptRun): boolean {
  const text = JSON.stringify(spec);
  return !text.includes('dividend') && (text.includes('"end":null') || !/"delistedOn":\d/.test(text));
}

/** Computes a kept run on data unless that is the data of its receipt. */
function figuresOn(context: ImpactContext, saved: KeptRun, source?: HistorySource): Promise<Figures> {
  const { pool, dataVersion, at } = context;
  const kept = keptSummary(saved.summary);
  const { receipt } = kept;
  return withKind(saved, async (kind) => {
    const { spec, data } = await kind.readKept(context, saved, source);
    if ('failure' in data) return NONE;
    const isSameEngine = receipt?.engine_version === ENGINE_VERSION;
    if (isSameEngine && isAllDigested(saved) && kind.digest(spec, data) === receipt.data_sha256)
      return figuresOf(kind.digested, kept, true);
    const ledger = await ledgers.get(pool, dataVersion);
    const result = await kind.result(pool, spec, data, ledger, { dataVersion, at });
    if ('failure' in result) return NONE;
    const summary: KeptSummary = JSON.parse(result.summary);
    const areKept = isSameEngine && summary.receipt?.result_sha256 === receipt.result_sha256;
    return figuresOf(kind.digested, summary, areKept);
  });
}

/** The figures before a load of a run that cannot be read as it was: those of the last load that changed them, or the kept ones. */
function lastKnown(saved: KeptRun, digested: Digested, earlier: EarlierFigures | null): Figures | null {
  if (earlier !== null) return { digest: earlier.digest ?? '', told: earlier.after, areKept: false };
  const kept = keptSummary(saved.summary);
  return kept.receipt?.engine_version === ENGINE_VERSION ? figuresOf(digested, kept, true) : null;
}

export const UNCHANGED: Computed = { state: 'unchanged', before: null, after: null, digest: null, change: null };

export const NOT_COMPUTED: Computed = { ...UNCHANGED, state: 'unknown' };

function changed(before: Figures, after: Figures): Computed {
  const [was, is] = [before, after].map(({ told }) => told?.total_pnl_pct ?? null);
  // The largest change is that no figure is left, or that there is one.
  const change = was === null || is === null ? Number.POSITIVE_INFINITY : Math.abs(is - was);
  return { state: 'changed', before: before.told, after: after.told, digest: after.digest, change };
}

/** Compares the figures of a kept run on the data before and after a load. */
export async function compareRun(context: ImpactContext, saved: KeptRun, waiting: WaitingImpact): Promise<Computed> {
  const { pool } = context;
  // Columns are as they were: a deleted one would change the figures too.
  if (saved.spec === null || (await deletedColumn(pool, saved.spec)) !== null) return NOT_COMPUTED;
  const { readsMarket = false, digested } = await withKind(saved, (kind) => ({
    readsMarket: kind.readsMarket,
    digested: kind.digested,
  }));
  const after = await figuresOn(context, saved, readsMarket ? undefined : historiesAfter(waiting.last));
  const earlier = await selectEarlierFigures(pool, waiting);
  // Kept on the corrected data, or on that of the earlier load that is corrected back.
  if (after.areKept && earlier === null) return UNCHANGED;
  const before = readsMarket
    ? lastKnown(saved, digested, earlier)
    : await figuresOn(context, saved, historiesAfter(waiting.first - 1));
  if (before === null) return NOT_COMPUTED;
  return before.digest === after.digest ? UNCHANGED : changed(before, after);
}
