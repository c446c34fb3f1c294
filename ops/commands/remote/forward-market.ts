/** The market as the tables of a service have it, read into memory. */
import { z } from 'zod';
import type { Client } from '../../../api/clients/typescript/index.ts';
import { ADJUSTMENT_KINDS, type Adjustment } from '../../../engine/market/adjust.ts';
import { type Day, requireDay } from '../../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, VALUE_COLUMNS } from '../../../engine/market/series.ts';
import { withoutMarket } from '../../../engine/market/symbols.ts';
import { spliceSeries } from '../../../engine/market/venue-basis.ts';
import { required } from '../../../engine/util/values.ts';
import { SQL_LIMITS } from '../../../jobs/contracts/sql.ts';
import type { UniverseInstrument } from '../../../jobs/rotation/members.ts';
import type { History } from '../../../jobs/runs/history.ts';

export interface ServedMarket {
  /** By symbol as served. The id of each is its place among all. */
  readonly instruments: ReadonlyMap<string, UniverseInstrument>;
  /** The history of an instrument as it was known at the end of a day. */
  readonly historyAt: (symbol: string, day: Day) => History;
}

type Cells = Awaited<ReturnType<Client['sql']>>['rows'];
export type Cell = Cells[number][number];

const MOST_ROWS = SQL_LIMITS.rows.max;
/** Their symbols fit into a query. */
const MOST_SYMBOLS = 500;
/** Bars of the venue modes that runs read. */
const BARS = "(from bars where venue_mode in ('primary_session', 'consolidated'))";

export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
export const dayIn = (cell: Cell) => requireDay(String(cell));
const dayOrNull = (cell: Cell) => (cell === null ? null : dayIn(cell));

/** All rows of a query, which orders them. */
export async function rowsOf({ sql }: Client, query: string): Promise<Cells> {
  const rows: Cells[number][] = [];
  for (let isMore = true; isMore; ) {
    const page = await sql({ query: `${query} limit ${MOST_ROWS + 1} offset ${rows.length}`, limit: MOST_ROWS });
    rows.push(...page.rows);
    isMore = page.truncated;
  }
  return rows;
}

/** `isRead`: whether a run may read an instrument, by its symbol as served. */
export async function readMarket(
  client: Client,
  isRead: (symbol: string, instrument: UniverseInstrument) => boolean,
): Promise<ServedMarket> {
  const facts = 'symbol, asset_type, primary_venue, listed_on, delisted_on, delisting_return_pct';
  const served = (await rowsOf(client, `select ${facts} from symbols order by symbol`)).map(instrumentIn);
  const instruments = new Map(served.filter(([symbol, one]) => isRead(symbol, one)));
  const historyOf = new Map<string, (day: Day) => History>();
  for (const some of await batches(client, [...instruments.keys()])) {
    const bars = await rowsOfSymbols(client, BARS, ['date', 'venue_mode', ...VALUE_COLUMNS], some);
    const events = await rowsOfSymbols(client, 'events', ['ex_date', 'kind', 'factor'], some);
    for (const symbol of some) {
      const instrument = required(instruments.get(symbol));
      historyOf.set(symbol, historyFrom(instrument, bars.get(symbol) ?? [], events.get(symbol) ?? []));
    }
  }
  return { instruments, historyAt: (symbol, day) => required(historyOf.get(symbol), symbol)(day) };
}

function instrumentIn(
  [symbol, assetType, venue, listedOn, delistedOn, returnPct]: Cells[number],
  id: number,
): [string, UniverseInstrument] {
  return [
    String(symbol),
    {
      id,
      symbol: withoutMarket(String(symbol)),
      assetType: String(assetType),
      primaryVenue: String(venue),
      listedOn: dayOrNull(listedOn),
      delistedOn: dayOrNull(delistedOn),
      delistingReturnPct: typeof returnPct === 'number' ? returnPct : null,
    },
  ];
}

/** Symbols whose bars fit into an answer. */
async function batches(client: Client, symbols: readonly string[]): Promise<string[][]> {
  const counts = await rowsOf(client, `select symbol, count(*) from ${BARS} group by symbol order by symbol`);
  const barsOf = new Map(counts.map(([symbol, bars]) => [String(symbol), Number(bars)]));
  const found: string[][] = [];
  let bars = Number.POSITIVE_INFINITY;
  for (const symbol of symbols) {
    const own = barsOf.get(symbol) ?? 0;
    const isFull = bars + own > MOST_ROWS || found[found.length - 1].length === MOST_SYMBOLS;
    if (isFull) found.push([]);
    bars = own + (isFull ? 0 : bars);
    found[found.length - 1].push(symbol);
  }
  return found;
}

/** Columns of a table by symbol, ordered by the first two of them. */
async function rowsOfSymbols(
  client: Client,
  table: string,
  columns: readonly string[],
  symbols: readonly string[],
): Promise<Map<string, Cells>> {
  const among = `where symbol in (${symbols.map(quoted).join(', ')}) order by symbol, ${columns.slice(0, 2).join(', ')}`;
  const rows = await rowsOf(client, `select symbol, ${columns.join(', ')} from ${table} ${among}`);
  const bySymbol = Map.groupBy(rows, ([symbol]) => String(symbol));
  return new Map([...bySymbol].map(([symbol, own]) => [symbol, own.map(([, ...cells]) => cells)]));
}

function historyFrom(
  { listedOn, delistedOn, primaryVenue: venue, delistingReturnPct: returnPct }: UniverseInstrument,
  bars: Cells,
  eventRows: Cells,
): (day: Day) => History {
  const [older, newer] = [seriesOf(bars, 'primary_session'), seriesOf(bars, 'consolidated')];
  const events = eventRows.map(([exDay, kind, factor]): Adjustment => {
    return { kind: z.enum(ADJUSTMENT_KINDS).parse(kind), exDay: dayIn(exDay), factor: Number(factor) };
  });
  return (day) => ({
    series: {
      ...spliceSeries(older, newer, day),
      listedOn: listedOn ?? undefined,
      delisting: delistedOn !== null && delistedOn <= day ? { returnPct, venue } : undefined,
    },
    events,
  });
}

function seriesOf(rows: Cells, venueMode: string): BarSeries {
  const bars = rows.filter(([, mode]) => mode === venueMode);
  const series = allocateSeries(bars.length);
  for (const [i, [day, , ...values]] of bars.entries()) {
    series.day[i] = dayIn(day);
    for (const [at, name] of VALUE_COLUMNS.entries()) series[name][i] = Number(values[at]);
  }
  return series;
}
