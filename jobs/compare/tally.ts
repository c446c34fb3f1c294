/** Sums up a comparison, in bounded memory. */
import type { ComparisonResult } from '../../db/market/comparisons.ts';
import type { BarDifference, DifferenceKind } from '../../db/market/other-bars.ts';

/** Tickers and differences that the result names. */
const NAMED = 100;

export class Tally {
  compared = 0;
  malformed = 0;
  sessions = 0;
  readonly sessionsOnlyHere: string[] = [];
  readonly sessionsOnlyThere: string[] = [];
  private readonly differences: Record<DifferenceKind, number> = { differs: 0, only_here: 0, only_there: 0 };
  private readonly unknownTickers = new Set<string>();
  private unknownRows = 0;
  /** By the difference of price, largest first. */
  private largest: BarDifference[] = [];

  addUnknown(ticker: string): void {
    this.unknownRows++;
    if (this.unknownTickers.size < NAMED) this.unknownTickers.add(ticker);
  }

  addDifferences(found: readonly BarDifference[]): void {
    for (const { kind } of found) this.differences[kind]++;
    const all = [...this.largest, ...found.filter(({ kind }) => kind === 'differs')];
    this.largest = all.sort((a, b) => severity(b) - severity(a)).slice(0, NAMED);
  }

  end(file: ComparisonResult['file']): ComparisonResult {
    const { compared, malformed, sessions, sessionsOnlyHere, sessionsOnlyThere, differences, largest } = this;
    const unknown = { rows: this.unknownRows, tickers: [...this.unknownTickers].sort() };
    return {
      compared,
      differences,
      malformed,
      unknown,
      sessions,
      sessionsOnlyHere,
      sessionsOnlyThere,
      largest,
      file,
    };
  }
}

/** A wrong price matters more than another count of trades. */
const severity = ({ pricePct, volumePct }: BarDifference) => (pricePct ?? 0) + (volumePct ?? 0) / 1e6;
