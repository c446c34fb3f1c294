/** The histories of a universe in memory: whole ones of some instruments, or the closes of many. */
import { closesOf, copySeries } from '../../engine/market/series.ts';
import type { History } from '../runs/history.ts';

/** The largest numbers of bars in memory. */
export interface KeptLimits {
  /** Bars of whole histories take 44 bytes each, and as much again while they are adjusted. */
  readonly whole: number;
  /** Bars of which days and closes alone are kept take 12 bytes each. */
  readonly closes: number;
}

/** Limits of about equal memory. */
export function keptLimits(whole: number): KeptLimits {
  return { whole, closes: Math.floor((20 * whole) / 3) };
}

export const KEPT_LIMITS = keptLimits(3_000_000);

export class KeptHistories {
  /** The kind says what is kept of each history; null: they do not fit, and none is kept. */
  private kind: 'whole' | 'closes' | null = 'whole';
  private readonly limits: KeptLimits;
  private readonly histories = new Map<number, History>();
  private bars = 0;

  constructor(limits: KeptLimits) {
    this.limits = limits;
  }

  /** Null: they are not kept. The bars of one may be its days and closes alone. */
  get all(): ReadonlyMap<number, History> | null {
    return this.kind === null ? null : this.histories;
  }

  /** Null: they are not kept whole. */
  get whole(): ReadonlyMap<number, History> | null {
    return this.kind === 'whole' ? this.histories : null;
  }

  /** Keeps a copy, because what is streamed is overwritten. */
  add(instrumentId: number, history: History): void {
    this.bars += history.series.length;
    if (this.kind === 'whole' && this.bars > this.limits.whole) {
      this.kind = 'closes';
      for (const [id, one] of this.histories) this.histories.set(id, withCloses(one));
    }
    if (this.kind === 'closes' && this.bars > this.limits.closes) {
      this.kind = null;
      this.histories.clear();
    }
    if (this.kind !== null)
      this.histories.set(instrumentId, this.kind === 'whole' ? copied(history) : withCloses(history));
  }
}

const copied = ({ series, events }: History): History => ({ series: copySeries(series), events });
const withCloses = ({ series, events }: History): History => ({ series: closesOf(series), events });
