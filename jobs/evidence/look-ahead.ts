/** Searches a kept run for look-ahead, and measures the warm-up that it needs. */
import { transaction } from '../../db/pool.ts';
import type { SavedBacktest } from '../../db/runs/kept-runs.ts';
import { saveLookAhead } from '../../db/runs/verdicts.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { LookAheadReport } from '../contracts/evidence.ts';
import type { JobContext } from '../contracts/job-context.ts';
import type { Proof, ReadContext } from '../runs/kind.ts';
import { withKind } from './kinds.ts';

export type LookAheadContext = ReadContext & Pick<JobContext, 'now'>;

function reportOf({ proof, warmUp }: Proof, now: number): LookAheadReport {
  const { prefixes, differences, verdict, first } = proof;
  const { needed, available, compared } = warmUp;
  return {
    prefixes,
    differences,
    verdict,
    first: first ? { cut_after: formatDay(first.cutAfter), date: formatDay(first.day), kind: first.kind } : undefined,
    warm_up: { needed_bars: needed, available_bars: available, compared },
    engine_version: ENGINE_VERSION,
    proved_at: new Date(now).toISOString(),
  };
}

/**
 * Stores the report with the run and, if there was no look-ahead, as the newest proof of the strategy. Null when no bar lies in the range
 * any more, or the run is from a version that kept no specification.
 */
export async function proveKept(context: LookAheadContext, saved: SavedBacktest): Promise<LookAheadReport | null> {
  if (saved.spec === null) return null;
  const found = await withKind(saved, async (kind) => {
    const { spec, data } = await kind.readKept(context, saved);
    return 'failure' in data ? null : kind.prove(context, spec, data);
  });
  if (found === null) return null;
  const report = reportOf(found, context.now());
  const { verdict, prefixes, proved_at, engine_version: engineVersion } = report;
  const isProof = found.proved !== null && verdict === 'none';
  const proof = isProof ? { ...found.proved, engineVersion, prefixes, at: new Date(proved_at) } : null;
  await transaction(context.pool, (connection) => saveLookAhead(connection, saved.id, report, proof));
  return report;
}
