/** The table of layouts, in the order in which a header is compared with them. */
import { delimiterOf, splitFields } from '../../text-chunks.ts';
import { GENERIC, KAGGLE, OWN, TEXT, TEXT_DATETIME } from './generic.ts';
import type { Layout } from './layout.ts';
import {
  ALPACA,
  ALPHA_VANTAGE,
  ALPHA_VANTAGE_LISTINGS,
  DATABENTO,
  EODHD,
  EODHD_DIVIDENDS,
  EODHD_LISTINGS,
  EODHD_SPLITS,
  MASSIVE,
  NASDAQ,
  NASDAQ_LISTED,
  OTHER_LISTED,
  SHARADAR,
  SHARADAR_ACTIONS,
  SHARADAR_TICKERS,
  STOOQ,
  STOOQ_SYMBOL,
  TIINGO,
  YAHOO,
  YAHOO_ADJUSTED,
  YAHOO_DOWNLOAD,
  YAHOO_DOWNLOAD_ADJUSTED,
} from './vendors.ts';

const LAYOUTS: readonly Layout[] = [
  ...[STOOQ, STOOQ_SYMBOL, NASDAQ, SHARADAR, TIINGO, DATABENTO, MASSIVE, ALPACA, ALPHA_VANTAGE],
  ...[YAHOO, YAHOO_ADJUSTED, YAHOO_DOWNLOAD, YAHOO_DOWNLOAD_ADJUSTED, EODHD, KAGGLE, TEXT, TEXT_DATETIME, GENERIC],
  ...[ALPHA_VANTAGE_LISTINGS, NASDAQ_LISTED, OTHER_LISTED, SHARADAR_TICKERS, EODHD_LISTINGS],
  ...[SHARADAR_ACTIONS, EODHD_SPLITS, EODHD_DIVIDENDS],
];

/** The layout of a header; null: none. `isOwn`: the file lies below `daily/<basis>/`. */
export function layoutOf(header: readonly string[], fileName: string, isOwn: boolean): Layout | null {
  const names = new Set(header);
  const fits = ({ has, lacks = [], fileName: pattern }: Layout) =>
    has.every((name) => names.has(name)) &&
    !lacks.some((name) => names.has(name)) &&
    (pattern === undefined || pattern.test(fileName));
  if (isOwn && fits(OWN)) return OWN;
  return LAYOUTS.find(fits) ?? null;
}

/** The name of a column as layouts know it: `<OPEN>` and ` Open ` are `open`. */
export function columnName(text: string): string {
  return text
    .trim()
    .replace(/^<(.*)>$/, '$1')
    .toLowerCase();
}

/** The layout of a file of a list, by its name and the columns of its first line. */
export function layoutOfFile({
  layout,
  firstLine,
}: {
  readonly layout: string | null;
  readonly firstLine: string | null;
}): Layout | null {
  if (layout === null || layout === 'own' || firstLine === null) return null;
  const header = splitFields(firstLine, delimiterOf(firstLine))?.map(columnName) ?? [];
  return (
    LAYOUTS.find(
      (other) => other.id === layout && other.kind !== 'bars' && other.has.every((name) => header.includes(name)),
    ) ?? null
  );
}
