/** Maps the vendor's tickers and codes to those of the service. */
import type { AdjustmentKind } from '../../../engine/market/adjust.ts';
import { isTicker } from '../../../engine/market/symbols.ts';

/** Lower-case letters have a meaning: `BACpL` is the series L of preferred shares, `XYZr` a right, `XYZw` when issued. */
const MARKS: readonly (readonly [vendor: RegExp, ours: string])[] = [
  [/^([A-Z0-9.]+)p([A-Z])$/, '$1-$2'],
  [/^([A-Z0-9.]+)p$/, '$1.PR'],
  [/^([A-Z0-9.]+)r$/, '$1.RT'],
  [/^([A-Z0-9.]+)w$/, '$1.WI'],
];

const OUR_MARKS: readonly (readonly [ours: RegExp, vendor: string])[] = [
  [/-([A-Z])$/, 'p$1'],
  [/\.PR$/, 'p'],
  [/\.RT$/, 'r'],
  [/\.WI$/, 'w'],
];

/** Null for a ticker without a form in the service, such as a when-issued preferred share. */
export function tickerOf(vendorTicker: string): string | null {
  const ticker = MARKS.reduce((text, [mark, form]) => text.replace(mark, form), vendorTicker.trim());
  return isTicker(ticker) ? ticker : null;
}

/** The inverse of `tickerOf`. */
export function vendorTickerOf(ticker: string): string {
  return OUR_MARKS.reduce((text, [mark, form]) => text.replace(mark, form), ticker);
}

const ASSET_TYPES: Readonly<Record<string, string>> = {
  CS: 'stock',
  OS: 'stock',
  NYRS: 'stock',
  ETF: 'etf',
  ETV: 'etf',
  ETS: 'etf',
  ETN: 'etn',
  SP: 'etn',
  ADRC: 'adr',
  GDR: 'adr',
  ADRP: 'preferred',
  PFD: 'preferred',
  WARRANT: 'warrant',
  ADRW: 'warrant',
  RIGHT: 'right',
  ADRR: 'right',
  UNIT: 'unit',
  FUND: 'fund',
};

export function assetTypeOf(type: string | null | undefined): string {
  return ASSET_TYPES[type ?? ''] ?? 'other';
}

const SPLIT_KINDS: Readonly<Record<string, AdjustmentKind>> = {
  forward_split: 'split',
  reverse_split: 'reverse_split',
  stock_dividend: 'stock_dividend',
};

/** Null for an unknown type. */
export function kindOfSplit(type: string): AdjustmentKind | null {
  return SPLIT_KINDS[type] ?? null;
}
