/** Symbols in any vendor's spelling, from a column or from the name of a file. */
import { isTicker } from '../../../engine/market/symbols.ts';

/** Endings that mark warrants, units, rights, preferred shares, and classes: `BRK-B`, `BRK/B`, `BRK B`, `BRK_B` are `BRK.B`. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/[-. /_]W[ST]$|\+$/, '.WS'],
  [/[-. /_]UN?$|=$/, '.U'],
  [/[-. /_]RT?$|\^$/, '.RT'],
  [/[-. /_]PR?[-. ]?([A-Z])$/, '-$1'],
  [/[-. /_]([A-Z])$/, '.$1'],
];

/** The ticker of a symbol; null when its marks are not known. */
export function tickerOfText(text: string): string | null {
  const symbol = text
    .trim()
    .toUpperCase()
    .replace(/[.]US$/, '');
  const mark = /^[A-Z0-9]+$/.test(symbol) ? undefined : MARKS.find(([ending]) => ending.test(symbol));
  const ticker = mark ? symbol.replace(...mark) : symbol;
  return isTicker(ticker) ? ticker : null;
}

const AFFIXES = [/^(?:daily|weekly|time_series|intraday)_(?:adjusted_)?/i, /^(?:stock|ticker|quotes?)_/i];
const ENDINGS = [/_(?:data|daily|prices?|history|historical|max|1d|d|us_d)$/i, /_us(?:_d)?$/i, /[.]us$/i];

/** The symbol that the name of a file gives: its stem without known affixes; null: it gives none. */
export function symbolOfName(path: string): string | null {
  const name = path.split(/[/!\\]/).at(-1) ?? '';
  let stem = name.replace(/(\.(csv|txt|tsv|gz|zst|parquet|arrow|feather))+$/i, '');
  for (const affix of [...AFFIXES, ...ENDINGS]) stem = stem.replace(affix, '');
  const ticker = /^[A-Za-z0-9][A-Za-z0-9._-]{0,7}$/.test(stem) ? tickerOfText(stem) : null;
  return ticker !== null && /[A-Z]/.test(ticker) ? ticker : null;
}
