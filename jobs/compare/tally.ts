/** The summary of a comparison while it runs, in bounded memory, and its differences as a Parquet file. */
import type { ComparisonResult, UnreadUnit } from '../../db/market/comparisons.ts';
import type { BarDifference, DifferenceKind } from '../../db/market/other-bars.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { type ParquetColumn, ParquetFile } from '../parquet/parquet-file.ts';

/** Tickers and differences that the result lists. */
const NAMED = 100;

/** Rows of a unit that are not compared. */
export class UnusableRows {
  malformed = 0;
  readonly unknown = new Map<string, number>();

  addUnknown(ticker: string): void {
    this.unknown.set(ticker, (this.unknown.get(ticker) ?? 0) + 1);
  }
}

export class Tally {
  compared = 0;
  sessions = 0;
  readonly sessionsOnlyHere: string[] = [];
  readonly sessionsOnlyThere: string[] = [];
  private readonly differences: Record<DifferenceKind, number> = { differs: 0, only_here: 0, only_there: 0 };
  private readonly unknownTickers = new Set<string>();
  private readonly unread: UnreadUnit[] = [];
  private malformed = 0;
  private unknownRows = 0;
  /** By the difference of price, largest first. */
  private largest: BarDifference[] = [];

  addUnusable({ malformed, unknown }: UnusableRows): void {
    this.malformed += malformed;
    for (const [ticker, rows] of unknown) {
      this.unknownRows += rows;
      if (this.unknownTickers.size < NAMED) this.unknownTickers.add(ticker);
    }
  }

  addUnread(unit: UnreadUnit): void {
    this.unread.push(unit);
  }

  addDifferences(found: readonly BarDifference[]): void {
    for (const { kind } of found) this.differences[kind]++;
    const all = [...this.largest, ...found.filter(({ kind }) => kind === 'differs')];
    this.largest = all.sort((a, b) => severity(b) - severity(a)).slice(0, NAMED);
  }

  end(file: ComparisonResult['file']): ComparisonResult {
    const { compared, malformed, sessions, sessionsOnlyHere, sessionsOnlyThere, unread, differences, largest } = this;
    const unknown = { rows: this.unknownRows, tickers: [...this.unknownTickers].sort() };
    return {
      compared,
      differences,
      malformed,
      unknown,
      sessions,
      sessionsOnlyHere,
      sessionsOnlyThere,
      unread,
      largest,
      file,
    };
  }
}

/** A difference of prices matters more than one of volumes, which depend on the trades that a vendor counts. */
const severity = ({ pricePct, volumePct }: BarDifference) => (pricePct ?? 0) + (volumePct ?? 0) / 1e6;

type Cell = (difference: BarDifference) => string | number | null;

const figure = (name: string, cell: Cell): [ParquetColumn, Cell] => [{ name, type: 'double', isOptional: true }, cell];

const COLUMNS: readonly [ParquetColumn, Cell][] = [
  [{ name: 'symbol', type: 'text' }, ({ symbol }) => qualifiedSymbol(symbol)],
  [{ name: 'date', type: 'date' }, ({ date }) => requireDay(date)],
  [{ name: 'kind', type: 'text' }, ({ kind }) => kind],
  figure('open', ({ open }) => open),
  figure('high', ({ high }) => high),
  figure('low', ({ low }) => low),
  figure('close', ({ close }) => close),
  figure('volume', ({ volume }) => volume),
  figure('other_open', ({ otherOpen }) => otherOpen),
  figure('other_high', ({ otherHigh }) => otherHigh),
  figure('other_low', ({ otherLow }) => otherLow),
  figure('other_close', ({ otherClose }) => otherClose),
  figure('other_volume', ({ otherVolume }) => otherVolume),
  figure('price_pct', ({ pricePct }) => pricePct),
  figure('volume_pct', ({ volumePct }) => volumePct),
];

/** Encodes differences as they are found. The buffers that it returns, one after the other, are the file. */
export class DifferenceFile {
  private readonly file = new ParquetFile(
    'differences',
    COLUMNS.map(([column]) => column),
  );

  add(differences: readonly BarDifference[]): Buffer {
    return this.file.group(
      COLUMNS.map(([, cell]) => differences.map(cell)),
      differences.length,
    );
  }

  end(): Buffer {
    return this.file.finish();
  }
}
