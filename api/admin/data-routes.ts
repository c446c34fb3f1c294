/** Loaded market data: `/api/admin/data/symbols`, `/api/admin/data/coverage`. */

import { type Coverage, type LoadedBars, selectLoadedBars } from '../../db/market/coverage.ts';
import { type LoadedSymbol, selectLoadedSymbols } from '../../db/market/instruments.ts';
import { MARKETS, OPEN_MARKETS, qualifiedSymbol } from '../../engine/market/symbols.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import type { Route } from '../call/route.ts';
import { instant, listSchema, optionalFlag, pageQuery, searchText, z } from '../http/input/fields.ts';
import { day } from '../market/schemas.ts';
import { defineRoute, type Services } from './services.ts';

const COMMON = { tag: 'Back office: market data', access: 'admin', limit: 'back_office' } as const;
const [MARKET] = OPEN_MARKETS;

const loaded = {
  rows: z.int(),
  first_date: day.nullable(),
  last_date: day.nullable(),
};
const loadedSymbolSchema = z
  .object({
    id: z.int(),
    symbol: z.string(),
    market: z.enum(MARKETS),
    name: z.string(),
    asset_type: z.string(),
    primary_venue: z.string(),
    status: z.enum(['active', 'delisted']),
    listed_on: day.nullable(),
    delisted_on: day.nullable(),
    delisting_return_pct: z.number().nullable(),
    ...loaded,
    by_venue_mode: z.array(z.object({ venue_mode: z.enum(VENUE_BASES), ...loaded })),
  })
  .meta({ id: 'LoadedSymbol' });

function symbolView(symbol: LoadedSymbol, bars: readonly LoadedBars[]): z.input<typeof loadedSymbolSchema> {
  const firstDates = bars.map(({ firstDate }) => firstDate).sort();
  const lastDates = bars.map(({ lastDate }) => lastDate).sort();
  return {
    id: symbol.id,
    symbol: qualifiedSymbol(symbol.symbol),
    market: MARKET,
    name: symbol.name,
    asset_type: symbol.assetType,
    primary_venue: symbol.primaryVenue,
    status: symbol.delistedOn === null ? 'active' : 'delisted',
    listed_on: symbol.listedOn,
    delisted_on: symbol.delistedOn,
    delisting_return_pct: symbol.delistingReturnPct,
    rows: bars.reduce((sum, { rows }) => sum + rows, 0),
    first_date: firstDates[0] ?? null,
    last_date: lastDates.at(-1) ?? null,
    by_venue_mode: bars.map(({ venueBasis, rows, firstDate, lastDate }) => ({
      venue_mode: venueBasis,
      rows,
      first_date: firstDate,
      last_date: lastDate,
    })),
  };
}

const coverageSchema = z.object({
  items: z.array(
    z.object({
      market: z.enum(MARKETS),
      venue_mode: z.enum(VENUE_BASES),
      symbols: z.int().meta({ description: 'Symbols with at least one daily bar' }),
      ...loaded,
      symbols_250: z.int().meta({ description: 'Symbols with at least 250 daily bars' }),
    }),
  ),
  generated_at: instant,
  cached: z.boolean(),
});

function coverageView({ venueBasis, symbols, rows, firstDate, lastDate, symbols250 }: Coverage) {
  return {
    market: MARKET,
    venue_mode: venueBasis,
    symbols,
    rows,
    first_date: firstDate,
    last_date: lastDate,
    symbols_250: symbols250,
  };
}

export const DATA_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listLoadedSymbols',
    ...COMMON,
    method: 'get',
    path: '/api/admin/data/symbols',
    summary: 'List instruments with their loaded bars',
    description: 'Counts bars for the instruments of the page, in total and per venue basis.',
    querySchema: z.object({
      q: searchText(64).meta({ description: 'Part of the symbol or name, or a former ticker' }),
      market: z.enum(MARKETS).optional().meta({ description: 'Only instruments of this market' }),
      has_bars: optionalFlag.meta({ description: 'Only instruments with (`true`) or without (`false`) daily bars' }),
      status: z
        .enum(['active', 'delisted'])
        .optional()
        .meta({ description: 'Only active or only delisted instruments' }),
      ...pageQuery,
    }),
    dataSchema: listSchema(loadedSymbolSchema),
    errors: [],
    handle: async ({ query: { q, market, has_bars, status, page, size }, services: { pool } }) => {
      if (market !== undefined && market !== MARKET) return { total: 0, page, size, items: [] };
      const isDelisted = status === undefined ? undefined : status === 'delisted';
      const filter = { text: q?.replace(/\.US$/i, ''), hasBars: has_bars, isDelisted };
      const { total, items } = await selectLoadedSymbols(pool, filter, { page, size });
      const ids = items.map(({ id }) => id);
      const bars = await selectLoadedBars(pool, ids);
      return { total, page, size, items: items.map((item) => symbolView(item, bars.get(item.id) ?? [])) };
    },
  }),
  defineRoute({
    operationId: 'getCoverage',
    ...COMMON,
    method: 'get',
    path: '/api/admin/data/coverage',
    summary: 'Count symbols and rows per market and venue basis',
    dataSchema: coverageSchema,
    errors: [],
    handle: async ({ services: { coverage } }) => {
      const { value, cached } = await coverage();
      return { items: value.coverage.map(coverageView), generated_at: value.generated_at, cached };
    },
  }),
];
