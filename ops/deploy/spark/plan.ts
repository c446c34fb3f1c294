/** The plan of a sweep over the tables: the request, checked as the API checks it, with all that an executor needs besides the rows. */
import { z } from 'zod';
import { parseFailure } from '../../../api/http/input/request-failure.ts';
import { buildDirectory } from '../../../api/market/directory.ts';
import { NOTHING_OWN } from '../../../api/rules/resolve.ts';
import { type SweepBody, sweepBody, sweepOf } from '../../../api/sweeps/request.ts';
import { parseDay, requireDay } from '../../../engine/market/dates.ts';
import { qualifiedSymbol, withoutMarket } from '../../../engine/market/symbols.ts';
import { smallSweepSchema } from '../../../jobs/contracts/sweep.ts';
import type { ParquetColumn } from '../../../jobs/parquet/parquet-file.ts';
import { CELL_FILE_COLUMNS } from '../../../jobs/sweep/cell-rows.ts';
import { InputError } from './input-error.ts';

const day = z.iso.date();

/** A request, and the market as the tables have it. */
const questionSchema = z.object({
  /** The body of `POST /v1/sweeps`. */
  request: z.unknown(),
  newest_session: day,
  symbols: z.array(
    z.object({
      symbol: z.string(),
      ticker: z.string(),
      name: z.string(),
      asset_type: z.string(),
      listed_on: day.nullable(),
      delisted_on: day.nullable(),
    }),
  ),
});
type Question = z.output<typeof questionSchema>;

export const planSchema = smallSweepSchema.extend({
  /** Instruments that rules name. */
  others: z.array(z.object({ instrumentId: z.int(), symbol: z.string(), listedOn: z.int().nullable() })),
  /** The columns of the cells, as SQL declares them. */
  columns: z.string(),
});
export type Plan = z.output<typeof planSchema>;

const SQL_TYPES: Partial<Record<ParquetColumn['type'], string>> = {
  text: 'string',
  date: 'date',
  int32: 'int',
  double: 'double',
};

/** Throws, like the API, for a request that is not valid. */
export function planOf(given: unknown): Plan {
  const { request, newest_session, symbols } = questionSchema.parse(given);
  const body = bodyOf(request);
  const listed = symbols.map(instrumentOf);
  const directory = buildDirectory(listed);
  const newest = requireDay(newest_session);
  // The tables hold nothing that may not be distributed.
  const market = { directory, newestSession: newest, distributableDay: newest, mode: 'eod_only' } as const;
  const { spec, instruments } = sweepOf(
    body,
    market,
    body.runs.map(() => NOTHING_OWN),
  );
  const named = new Set(spec.runs.flatMap(({ others = [] }) => others.map(({ instrumentId }) => instrumentId)));
  return {
    sweep: spec,
    instruments,
    others: [...named].map((instrumentId) => {
      const { symbol, listedOn } = listed[instrumentId];
      return { instrumentId, symbol: qualifiedSymbol(symbol), listedOn };
    }),
    columns: CELL_FILE_COLUMNS.map(({ name, type }) => `${name} ${SQL_TYPES[type]}`).join(', '),
  };
}

function bodyOf(request: unknown): SweepBody {
  const { data, error } = sweepBody.safeParse(request);
  if (error) throw parseFailure(error, 'body', sweepBody);
  const { universe, runs } = data;
  if (typeof universe !== 'string' && 'screen' in universe)
    throw new InputError('only the service can screen: give the symbols that the screen finds');
  if (runs.some(({ rules }) => rules && 'saved' in rules))
    throw new InputError('only the service knows saved strategies: give their rules');
  return data;
}

/** The tables have no former names and tickers. */
function instrumentOf(row: Question['symbols'][number], id: number) {
  const { symbol, ticker, name, asset_type: assetType, listed_on: listedOn, delisted_on: delistedOn } = row;
  return {
    id,
    symbol: withoutMarket(symbol),
    ticker,
    name,
    assetType,
    listedOn: listedOn === null ? null : parseDay(listedOn),
    delistedOn: delistedOn === null ? null : parseDay(delistedOn),
    delistingReturnPct: null,
    providerKey: symbol,
    primaryVenue: '',
    currency: '',
    isPopular: false,
    lotSize: 1,
    previousTickers: [],
    previousNames: [],
    prices: 'as_traded' as const,
  };
}
