/** The directory of instruments, by symbol, former ticker, and name. */
import type { Instrument } from '../../db/market/instruments.ts';
import {
  foldText,
  type ParsedSymbol,
  parseSymbol,
  qualifiedSymbol,
  type Searchable,
  spellingsOf,
} from '../../engine/market/symbols.ts';
import { ServiceError } from '../../engine/util/errors.ts';

export interface DirectoryItem extends Searchable {
  readonly id: number;
  readonly instrument: Instrument;
  /** `<TICKER>.US` */
  readonly qualified: string;
}

export interface Directory {
  readonly items: readonly DirectoryItem[];
  /** By current symbol and, if no instrument has it now, by former ticker. */
  readonly bySymbol: ReadonlyMap<string, DirectoryItem>;
  /** Ascending. */
  readonly assetTypes: readonly string[];
}

/** Asset types of instruments, and those that are always accepted. */
function assetTypesOf(items: readonly DirectoryItem[]): readonly string[] {
  return [...new Set(['stock', 'etf', ...items.map(({ instrument }) => instrument.assetType)])].sort();
}

/** Throws for an asset type that no instrument has. */
export function assertAssetTypes({ assetTypes }: Directory, wanted: readonly string[]): void {
  const unknown = wanted.find((type) => !assetTypes.includes(type));
  if (unknown === undefined) return;
  throw new ServiceError('invalid_asset_type', { value: unknown, allowed: assetTypes.join(', ') });
}

export function buildDirectory(instruments: readonly Instrument[]): Directory {
  const items = instruments.map(toItem);
  const bySymbol = new Map(items.map((item) => [item.symbol, item]));
  const latestRenames = items
    .flatMap((item) => item.instrument.previousTickers.map(({ ticker, lastDay }) => ({ ticker, lastDay, item })))
    .sort((a, b) => b.lastDay - a.lastDay);
  for (const { ticker, item } of latestRenames) if (!bySymbol.has(ticker)) bySymbol.set(ticker, item);
  return { items, bySymbol, assetTypes: assetTypesOf(items) };
}

function toItem(instrument: Instrument): DirectoryItem {
  return {
    id: instrument.id,
    instrument,
    symbol: instrument.symbol,
    qualified: qualifiedSymbol(instrument.symbol),
    aliases: instrument.previousTickers.map((previous) => previous.ticker),
    foldedName: foldText(instrument.name),
    isDelisted: instrument.delistedOn !== null,
    isPopular: instrument.isPopular,
  };
}

/** The fields that begin every answer about an instrument. */
export function instrumentFields({ qualified, instrument }: DirectoryItem) {
  return { symbol: qualified, name: instrument.name, market: 'US' as const, currency: instrument.currency };
}

/** Parses a symbol in the spelling of the directory, or as it was sent if the directory has none of its spellings. */
export function readSymbol({ bySymbol }: Directory, text: string): ParsedSymbol {
  const known = spellingsOf(text)
    .map(parseSymbol)
    .find((parsed) => parsed.ok && bySymbol.has(parsed.ticker));
  return known ?? parseSymbol(text);
}

export function symbolError(parsed: ParsedSymbol & { readonly ok: false }, text: string): ServiceError {
  return parsed.reason === 'malformed'
    ? new ServiceError('invalid_symbol', { symbol: text.slice(0, 64) })
    : new ServiceError('market_not_open', { market: parsed.market ?? '' });
}

/** The instrument of a symbol. Throws if the symbol is malformed or unknown, or its market is not open. */
export function findInstrument(directory: Directory, text: string): DirectoryItem {
  const parsed = readSymbol(directory, text);
  if (!parsed.ok) throw symbolError(parsed, text);
  const item = directory.bySymbol.get(parsed.ticker);
  if (!item) throw new ServiceError('symbol_not_found', { symbol: qualifiedSymbol(parsed.ticker) });
  return item;
}
