/** The progress of a load of bars: rows, rejected rows by reason, instruments, and finished and failed units. */
import type { SyncProgress } from '../../db/queue/sync-jobs.ts';
import type { RejectedByReason, SyncUnit } from '../../db/queue/sync-units.ts';
import type { LoadCounts } from './unit-loader.ts';

export interface WeighedUnit {
  readonly key: string;
  readonly weight: number;
}

/** The most that a running job shows. */
const MAX_RUNNING_PCT = 99;
/** Failed units that the error of the job lists. */
const MAX_NAMED = 20;

export class LoadTally {
  /** Instruments with bars in units of the job. */
  readonly instruments = new Set<number>();
  private readonly units: ReadonlyMap<string, WeighedUnit>;
  private readonly totalWeight: number;
  private readonly symbolsTotal: number;
  private readonly failures: string[] = [];
  private readonly rejected: Record<string, number> = {};
  private loadedWeight = 0;
  private written = 0;

  /** `symbolsTotal`: the instruments that the job covers. */
  constructor(units: readonly WeighedUnit[], symbolsTotal: number) {
    this.units = new Map(units.map((unit) => [unit.key, unit]));
    this.totalWeight = units.reduce((sum, { weight }) => sum + weight, 0);
    this.symbolsTotal = symbolsTotal;
  }

  /** Adds a finished unit, of which a share (0 to 1) is loaded. */
  add(
    { key, written, rejected, error }: SyncUnit,
    instrumentIds: Iterable<number> = [],
    loadedShare = error === null ? 1 : 0,
  ): void {
    this.written += written;
    for (const [reason, count] of Object.entries(rejected))
      this.rejected[reason] = (this.rejected[reason] ?? 0) + count;
    for (const id of instrumentIds) this.instruments.add(id);
    this.loadedWeight += loadedShare * (this.units.get(key)?.weight ?? 0);
    if (error !== null) this.failures.push(`${key}: ${error}`);
  }

  /** The progress between two units, or within a unit of which a share (0 to 1) has been read. */
  progress(reading?: { readonly key: string; readonly share: number; readonly counts: LoadCounts }): SyncProgress {
    const weight = this.loadedWeight + (reading ? (this.units.get(reading.key)?.weight ?? 0) * reading.share : 0);
    const symbolsDone = this.instruments.size + (reading?.counts.newInstruments ?? 0);
    return {
      progressPct: this.totalWeight > 0 ? (MAX_RUNNING_PCT * weight) / this.totalWeight : 0,
      symbolsTotal: Math.max(this.symbolsTotal, symbolsDone),
      symbolsDone,
      rowsWritten: this.written + (reading?.counts.accepted ?? 0),
      rowsRejected: merge(this.rejected, reading?.counts.rejected ?? {}),
    };
  }

  /** Describes the failed units for operators; null: none failed. */
  describeFailures(): string | null {
    const count = this.failures.length;
    if (count === 0) return null;
    const named = this.failures.slice(0, MAX_NAMED).join(' | ');
    const more = count > MAX_NAMED ? ` | and ${count - MAX_NAMED} more` : '';
    const others = count < this.units.size ? ', the others are' : '';
    return `${count} of ${this.units.size} units could not be loaded whole${others}: ${named}${more}`;
  }
}

function merge(a: RejectedByReason, b: RejectedByReason): RejectedByReason {
  const merged: Record<string, number> = { ...a };
  for (const [reason, count] of Object.entries(b)) merged[reason] = (merged[reason] ?? 0) + count;
  return merged;
}
