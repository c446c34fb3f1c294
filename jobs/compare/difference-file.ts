/** The differences of a comparison as a Parquet file. */
import type { BarDifference } from '../../db/market/other-bars.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { type ParquetColumn, ParquetFile } from '../parquet/parquet-file.ts';

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
