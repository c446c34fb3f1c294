/** Selects the instruments to buy when more have a signal than there are places. */
import type { PortfolioInstrument, Ranking } from './portfolio.ts';

/** The bars with an entry signal of each instrument; each bar is scanned once, when it is first needed. */
export class EntrySignals {
  private readonly instruments: readonly PortfolioInstrument[];
  /** Next bar of each with a signal. */
  private readonly next: Int32Array;

  constructor(instruments: readonly PortfolioInstrument[]) {
    this.instruments = instruments;
    this.next = new Int32Array(instruments.length).fill(-1);
  }

  /** Must be asked in the order of the bars. */
  isOn(instrument: number, index: number): boolean {
    if (this.next[instrument] < index) {
      const { signals, to } = this.instruments[instrument];
      this.next[instrument] = signals.entry(index, to);
    }
    return this.next[instrument] === index;
  }
}

/** Candidates (in the order of their symbols) by rank: undefined figures last, equal ones by symbol. */
export function byRank(
  candidates: readonly number[],
  ranking: Pick<Ranking, 'order'> | null,
  figureOf: (instrument: number) => number,
): readonly number[] {
  if (ranking === null || candidates.length < 2) return candidates;
  const sign = ranking.order === 'asc' ? 1 : -1;
  const figures = new Map(candidates.map((instrument) => [instrument, figureOf(instrument)]));
  const figureAt = (instrument: number) => figures.get(instrument) ?? Number.NaN;
  return candidates.toSorted((a, b) => {
    const [x, y] = [figureAt(a), figureAt(b)];
    const isUndefined = Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return isUndefined || (Number.isNaN(x) ? 0 : sign * (x - y)) || a - b;
  });
}
