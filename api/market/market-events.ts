/** Events and changes of symbols of all instruments: `/v1/events` and `/v1/symbols/changes`. */
import { type MarketEvent, selectEventsBetween } from '../../db/market/adjustments.ts';
import type { Pool } from '../../db/pool.ts';
import type { PageRequest } from '../../db/query-builder.ts';
import { type Day, FAR_FUTURE, FAR_PAST, formatDay, newYorkTime } from '../../engine/market/dates.ts';
import { FINDING_KINDS } from '../../engine/market/findings.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { assertDayRange, listSchema, z } from '../http/input/fields.ts';
import type { DirectoryItem } from './directory.ts';
import { assertPast } from './directory-as-of.ts';
import type { MarketView } from './market-view.ts';
import { day, eventFields, symbol } from './schemas.ts';
import { dividendAmount } from './static-info.ts';

export const marketEventsSchema = listSchema(
  z
    .object({
      symbol: symbol.nullable(),
      ...eventFields,
      findings: z.array(z.enum(FINDING_KINDS)).meta({ description: 'Doubts about the prices around it' }),
    })
    .meta({ id: 'MarketEvent' }),
);

interface DayRange {
  readonly start?: Day | undefined;
  readonly end?: Day | undefined;
}

/** Events through the newest distributable day, or as they were known at the end of an earlier day. */
export async function marketEventsOf(
  { pool, market }: { readonly pool: Pool; readonly market: MarketView },
  {
    start,
    end = FAR_FUTURE,
    known_at: knownDay,
    ...page
  }: DayRange & PageRequest & { readonly known_at?: Day | undefined },
): Promise<z.input<typeof marketEventsSchema>> {
  assertDayRange({ start, end });
  if (knownDay !== undefined) assertPast(market, knownDay);
  const last = Math.min(end, knownDay ?? market.distributableDay);
  const knownAt = knownDay === undefined ? null : new Date(newYorkTime(knownDay + 1, 0));
  const { total, items } = await selectEventsBetween(pool, { start: start ?? null, end: last, knownAt }, page);
  const byId = new Map(market.directory.items.map((item) => [item.id, item]));
  return { total, page: page.page, size: page.size, items: items.map((event) => eventView(market, byId, event)) };
}

function eventView(market: MarketView, byId: ReadonlyMap<number, DirectoryItem>, event: MarketEvent) {
  const { instrumentId: id, kind, exDay, factor, closeBefore } = event;
  const findings = market.findings({ id }, exDay - 1, exDay).filter((finding) => finding.day === exDay);
  return {
    symbol: byId.get(id)?.qualified ?? null,
    kind,
    ex_date: formatDay(exDay),
    factor,
    amount: dividendAmount(event, closeBefore),
    findings: findings.map((finding) => finding.kind),
  };
}

const CHANGES = ['listed', 'delisted', 'symbol_changed', 'name_changed'] as const;

export const symbolChangesSchema = listSchema(
  z
    .object({
      date: day.meta({ description: 'The first day that it holds' }),
      symbol: symbol.meta({ description: 'Of today' }),
      kind: z.enum(CHANGES),
      was: z.string().nullable().meta({ description: 'The symbol or name before; null for listings and delistings' }),
      became: z.string().nullable(),
    })
    .meta({ id: 'SymbolChange' }),
);

type Change = z.input<typeof symbolChangesSchema>['items'][number] & { readonly at: Day };

/** Listings, delistings, and new symbols and names up to today, oldest first. */
export function symbolChangesOf(
  { directory, today }: MarketView,
  { start = FAR_PAST, end = FAR_FUTURE, page, size }: DayRange & PageRequest,
): z.input<typeof symbolChangesSchema> {
  assertDayRange({ start, end });
  const last = Math.min(end, today);
  const changes = directory.items.flatMap(changesOf).filter(({ at }) => at >= start && at <= last);
  changes.sort((a, b) => a.at - b.at || (a.symbol < b.symbol ? -1 : 1));
  const items = changes.slice((page - 1) * size, page * size).map(({ at: _, ...change }) => change);
  return { total: changes.length, page, size, items };
}

function changesOf({ qualified, instrument }: DirectoryItem): Change[] {
  const { listedOn, delistedOn, ticker, previousTickers, name, previousNames } = instrument;
  const change = (kind: Change['kind'], at: Day, was: string | null = null, became: string | null = null): Change => ({
    at,
    date: formatDay(at),
    symbol: qualified,
    kind,
    was,
    became,
  });
  const symbols = successions(
    previousTickers.map((one) => ({ text: qualifiedSymbol(one.ticker), ...one })),
    qualifiedSymbol(ticker),
  );
  const names = successions(
    previousNames.map((one) => ({ text: one.name, ...one })),
    name,
  );
  return [
    ...(listedOn === null ? [] : [change('listed', listedOn)]),
    ...symbols.map(({ at, was, became }) => change('symbol_changed', at, was, became)),
    ...names.map(({ at, was, became }) => change('name_changed', at, was, became)),
    ...(delistedOn === null ? [] : [change('delisted', delistedOn)]),
  ];
}

/** Each text with the one that followed it, and the first day of that. */
function successions(previous: readonly { readonly text: string; readonly lastDay: Day }[], last: string) {
  const inOrder = previous.toSorted((a, b) => a.lastDay - b.lastDay);
  return inOrder.map(({ text, lastDay }, i) => ({ at: lastDay + 1, was: text, became: inOrder[i + 1]?.text ?? last }));
}
