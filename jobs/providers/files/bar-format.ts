/** How the lines of a file of daily bars are read: from its layout, its header, and `market.json`. */
import { fromKeys, keysOf } from '../../../engine/util/values.ts';
import { type Delimiter, splitFields } from '../text-chunks.ts';
import { SYMBOL_COLUMNS } from './layouts/generic.ts';
import { columnName, layoutOf } from './layouts/index.ts';
import { BAR_FIELDS, type BarField, type BarLayout, type LayoutId, type PriceForm } from './layouts/layout.ts';
import type { MarketJson } from './market-json.ts';
import { symbolOfName, tickerOfText } from './symbol-text.ts';
import type { DateForm } from './values.ts';

export interface BarFormat {
  readonly layout: LayoutId;
  readonly delimiter: string;
  readonly headerLines: number;
  /** Fields of a line. */
  readonly width: number;
  /** Positions of the fields; -1: the file has no such column. */
  readonly at: Readonly<Record<BarField, number>>;
  /** The ticker of all lines; null: a column has it. */
  readonly ticker: string | null;
  readonly prices: PriceForm;
  readonly dateForm?: DateForm;
  readonly decimal: '.' | ',';
  /** Decimals of open, high, low, and close in the file, the most that occur. */
  readonly decimals: readonly number[];
  /** Factor of prices that are written as integers. */
  readonly scale: number;
  readonly closeAsTradedAt: number;
  readonly splitsAt: number;
  readonly dividendsAt: number;
}

export interface HeaderLines {
  readonly lines: readonly string[];
  readonly delimiter: Delimiter;
  readonly names: readonly string[];
}

/** More are errors of floating-point numbers. */
export const MAX_COLUMN_DECIMALS = 7;

const KNOWN_EXTRAS =
  /^(adj|per$|time$|openint|transactions|n$|vw|rtype|publisher_id|instrument_id|lastupdated|name|label|change)/;

/** The format of a file of bars, or why it has none. */
export function barFormatOf(
  header: HeaderLines,
  layout: BarLayout,
  path: string,
  market: MarketJson,
  tell: (sentence: string) => void,
): BarFormat | string {
  const { names } = header;
  const isGeneric = ['generic', 'text', 'kaggle'].includes(layout.id);
  const position = (name: string | undefined) => (name === undefined ? -1 : names.indexOf(columnName(name)));
  const named = isGeneric ? market.columns : undefined;
  const positions = fromKeys(BAR_FIELDS, (field) => position(named?.[field] ?? layout.columns?.[field] ?? field));
  const at = { ...positions, symbol: symbolColumn(names, layout, market) };
  const ticker = at.symbol === -1 ? tickerOf(header, layout, path, market) : null;
  if (at.symbol === -1 && ticker === null) return 'no column names the symbol, and the name of the file is none';
  const unknown = unknownColumns(names, layout, at);
  if (unknown.length > 0) tell(`unknown columns: ${unknown.join(', ')}`);
  return {
    layout: layout.id,
    delimiter: header.delimiter,
    headerLines: layout.headerLines ?? 1,
    width: names.length,
    at,
    ticker,
    prices: (isGeneric ? market.prices : undefined) ?? layout.prices,
    dateForm: isGeneric ? market.date_format : undefined,
    decimal: (isGeneric ? market.decimal : undefined) ?? '.',
    decimals: [MAX_COLUMN_DECIMALS, MAX_COLUMN_DECIMALS, MAX_COLUMN_DECIMALS, MAX_COLUMN_DECIMALS],
    scale: 1,
    closeAsTradedAt: position(layout.closeAsTraded),
    splitsAt: position(layout.splits),
    dividendsAt: position(layout.dividends),
  };
}

function symbolColumn(names: readonly string[], layout: BarLayout, market: MarketJson): number {
  if (layout.id === 'own') return names.indexOf('symbol');
  if (market.symbol_from !== undefined && market.symbol_from !== 'column') return -1;
  const given = market.columns?.symbol ?? layout.columns?.symbol;
  if (given !== undefined) return names.indexOf(columnName(given));
  return Math.max(
    -1,
    ...SYMBOL_COLUMNS.filter((name) => names.includes(name))
      .slice(0, 1)
      .map((name) => names.indexOf(name)),
  );
}

function tickerOf(
  { lines, delimiter }: HeaderLines,
  layout: BarLayout,
  path: string,
  market: MarketJson,
): string | null {
  if (layout.headerLines === 3) return oneTicker(splitFields(lines[1] ?? '', delimiter)?.slice(1) ?? []);
  const { symbol_from: from } = market;
  if (from === undefined || from === 'name' || from === 'column') return symbolOfName(path);
  const found = new RegExp(from).exec(path.split(/[/!]/).at(-1) ?? '')?.[1];
  return found === undefined ? null : tickerOfText(found);
}

function oneTicker(texts: readonly string[]): string | null {
  const distinct = new Set(texts.map((text) => text.trim()).filter((text) => text !== ''));
  return distinct.size === 1 ? tickerOfText([...distinct][0]) : null;
}

function unknownColumns(names: readonly string[], layout: BarLayout, at: Readonly<Record<BarField, number>>): string[] {
  const known = new Set<string>([...layout.has, ...keysOf(at), layout.splits ?? '', layout.dividends ?? '']);
  return names.filter((name, i) => !known.has(name) && !KNOWN_EXTRAS.test(name) && !Object.values(at).includes(i));
}

/** The layout of a header, as `market.json` names it or as it is recognized. */
export function barLayoutOf(names: readonly string[], fileName: string, isOwn: boolean, market: MarketJson) {
  const aliases = Object.entries(market.columns ?? {}).map(([ours, theirs]) => [columnName(theirs), ours] as const);
  const renamed = names.map((name) => aliases.find(([theirs]) => theirs === name)?.[1] ?? name);
  return layoutOf(names, fileName, isOwn) ?? layoutOf(renamed, fileName, false);
}
