/** Maps the vendor's symbols and codes to those of the service. */
import type { AdjustmentKind } from '../../../engine/market/adjust.ts';
import { isTicker } from '../../../engine/market/symbols.ts';

/** Suffixes of CMS symbols (`BRK B`, `AAC WS`), which NYSE exchanges use, and their Nasdaq form. */
const CMS_SUFFIXES: readonly (readonly [RegExp, string])[] = [
  [/ WS$/, '+'],
  [/ U$/, '='],
  [/ RT$/, '^'],
  [/ PR([A-Z])$/, '-$1'],
  [/ ([A-Z])$/, '.$1'],
];

/**
 * The ticker of a vendor's symbol: the Nasdaq form with letters for its signs (`AAC+` is `AAC.WS`), because a ticker has only letters,
 * digits, dots, and dashes. Null when there is no such form.
 */
export function tickerOf(symbol: string): string | null {
  const nasdaq = CMS_SUFFIXES.reduce((text, [suffix, sign]) => text.replace(suffix, sign), symbol.trim().toUpperCase());
  const ticker = nasdaq.replace(/\+$/, '.WS').replace(/=$/, '.U').replace(/\^$/, '.RT');
  return isTicker(ticker) ? ticker : null;
}

const ASSET_TYPES: Readonly<Record<string, string>> = {
  EQS: 'stock',
  ETF: 'etf',
  DR: 'adr',
  CDI: 'adr',
  PRF: 'preferred',
  PFS: 'preferred',
  WAR: 'warrant',
  BSW: 'warrant',
  TRT: 'right',
  DRT: 'right',
  UNT: 'unit',
  MF: 'fund',
  ETC: 'etn',
  SP: 'etn',
};

export function assetTypeOf(securityType: string | null): string {
  return ASSET_TYPES[securityType ?? ''] ?? 'other';
}

/** Event codes and their kinds; the others (rights, capital repayments) are not used. */
const EVENT_KINDS: Readonly<Record<string, AdjustmentKind>> = {
  FSPLT: 'split',
  SD: 'split',
  RSPLT: 'reverse_split',
  CONSD: 'reverse_split',
  BON: 'stock_dividend',
  DIV: 'cash_dividend',
  SOFF: 'spin_off',
  DMRGR: 'spin_off',
};

export function kindOfEvent(event: string): AdjustmentKind | null {
  return EVENT_KINDS[event] ?? null;
}
