/** The market at a session: `/v1/market/overview`. */
import { type FoundOverview, selectMarketOverview, selectNearestOverview } from '../../db/market/snapshots.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import {
  COUNTED_ASSET_TYPES,
  MOVER_MEASURES,
  OVERVIEW_DAYS,
  type OverviewItem,
  RANKED_SESSIONS,
  UNIVERSE_MAX,
} from '../../engine/screener/market-overview.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { fromKeys } from '../../engine/util/values.ts';
import { SNAPSHOT_FORMAT } from '../../jobs/contracts/snapshot.ts';
import type { Route } from '../call/route.ts';
import { dateField, z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { assertPast, itemAsOf } from '../market/directory-as-of.ts';
import { missingSessionsText } from '../market/kline.ts';
import type { MarketView } from '../market/market-view.ts';
import { day, missingSessionsSchema, timelinessSchema } from '../market/schemas.ts';
import { dayText, timelinessOf } from '../market/timeliness.ts';
import { defineRoute, type Services } from './services.ts';

const count = z.int().min(0);
const percent = z.number().nullable();

const figuresOfItem = {
  symbol: z.string().meta({ example: 'ACRX.US' }),
  current_symbol: z.string().optional().meta({ description: 'Of a past session: the symbol of today' }),
  name: z.string(),
  close: z.number().meta({ description: 'As traded' }),
  dollar_volume: z.number().min(0).meta({ description: 'Close × volume' }),
  return_1d_pct: percent.meta({
    description: 'Against the bar before; here and below null where there is no such bar',
  }),
  return_1w_pct: percent.meta({ description: 'Against 5 bars before' }),
  return_1m_pct: percent.meta({ description: 'Against 21 bars before' }),
  return_ytd_pct: percent.meta({ description: 'Against the last close of the year before' }),
  return_1y_pct: percent.meta({ description: 'Against 252 bars before' }),
  volume_ratio: z.number().nullable().meta({ description: 'Volume ÷ mean volume of the 20 bars before' }),
  gap_pct: percent.meta({ description: 'From the close before to the open' }),
  streak: z
    .int()
    .meta({ description: 'Closes in a row above the one before; negative: below it; 0: the last is unchanged' }),
};

const itemSchema = z.object(figuresOfItem).meta({ id: 'MarketOverviewItem' });

const moverSchema = z
  .object({
    ...figuresOfItem,
    closes: z.array(z.number()).meta({
      description: 'The newest 24 closes, oldest first, on the share count of the session, to 5 digits',
    }),
  })
  .meta({ id: 'MarketMover' });

const moversSchema = z.object({ rising: z.array(moverSchema), falling: z.array(moverSchema) });

const overviewSchema = z
  .object({
    as_of: day,
    previous_session: day.nullable().meta({ description: 'The session before that has an overview' }),
    next_session: day
      .nullable()
      .meta({ description: 'The session after that has an overview; null: this is the newest' }),
    timeliness: timelinessSchema,
    asset_types: z.array(z.string()).meta({ description: 'The counted asset types' }),
    counted: count.meta({ description: 'Instruments with a bar in the session' }),
    without_bar: count.meta({
      description: 'Listed instruments that had a bar in the seven days before and have none in the session',
    }),
    figures: z.object({
      median_return_pct: percent.meta({ description: 'Of one day' }),
      median_return_1w_pct: percent.meta({ description: 'Of 5 bars' }),
      rising: count,
      falling: count,
      unchanged: count,
      new_highs: count.meta({ description: 'Highs above all of the 252 bars before' }),
      new_lows: count.meta({ description: 'Lows below all of the 252 bars before' }),
      above_sma_200_pct: percent.meta({ description: 'Share of the closes above their mean of 200 bars' }),
      above_sma_200_change: z.number().nullable().meta({
        description: 'Change against the session before, in percentage points',
      }),
      dollar_volume: z.number().min(0).meta({ description: 'Of all counted instruments' }),
      dollar_volume_vs_mean_pct: percent.meta({ description: 'Against the mean of the 20 sessions before' }),
      dispersion_pct: percent.meta({ description: 'Standard deviation of the returns of one day' }),
      dispersion_percentile: z
        .int()
        .min(0)
        .max(100)
        .nullable()
        .meta({
          description: `Percent of the ${RANKED_SESSIONS} sessions through this one with at most this dispersion`,
        }),
    }),
    days: z
      .array(
        z.object({ date: day, rising: count, falling: count, unchanged: count, new_highs: count, new_lows: count }),
      )
      .max(OVERVIEW_DAYS)
      .meta({ description: `The last ${OVERVIEW_DAYS} completely loaded sessions, oldest first` }),
    universe: z
      .array(itemSchema)
      .max(UNIVERSE_MAX)
      .meta({ description: `The ${UNIVERSE_MAX} instruments with the largest dollar volume, largest first` }),
    movers: z.object(fromKeys(MOVER_MEASURES, () => moversSchema)).meta({
      description:
        'Of the instruments in `universe`, the 8 largest movers up and down: by return, by volume ratio among those that ' +
        'rise or fall, by gap, and by streak; of equal ones the larger dollar volume comes first',
    }),
    missing_sessions: missingSessionsSchema,
  })
  .meta({ id: 'MarketOverview' });

type Answer = z.input<typeof overviewSchema>;

/** The symbol and name of each instrument at a session. */
type NameOf = (id: number) => Pick<Answer['universe'][number], 'symbol' | 'current_symbol' | 'name'> | null;

/** `day`: null for the newest session, whose symbols are those of today. */
function namesOn({ directory }: MarketView, day: Day | null): NameOf {
  const byId = new Map(directory.items.map((item) => [item.id, item]));
  return (id) => {
    const item = byId.get(id);
    if (!item) return null;
    const then = day === null ? null : itemAsOf(item, day);
    const { qualified: symbol, instrument } = then ?? item;
    return { symbol, current_symbol: then?.currentSymbol, name: instrument.name };
  };
}

function itemView(item: OverviewItem) {
  return {
    close: item.close,
    dollar_volume: item.dollarVolume,
    return_1d_pct: item.dayPct,
    return_1w_pct: item.weekPct,
    return_1m_pct: item.monthPct,
    return_ytd_pct: item.ytdPct,
    return_1y_pct: item.yearPct,
    volume_ratio: item.volumeRatio,
    gap_pct: item.gapPct,
    streak: item.streak,
  };
}

function overviewView(market: MarketView, { overview, previous, next }: FoundOverview, locale: Locale): Answer {
  const nameOf = namesOn(market, next === null ? null : overview.day);
  const byId = new Map(overview.universe.map((item) => [item.id, item]));
  const moverOf = (id: number) => {
    const [item, name] = [byId.get(id), nameOf(id)];
    return item && name ? [{ ...name, ...itemView(item), closes: [...overview.sparks[id]] }] : [];
  };
  const { days } = overview;
  const newest = days[days.length - 1];
  return {
    as_of: formatDay(overview.day),
    previous_session: dayText(previous),
    next_session: dayText(next),
    timeliness: timelinessOf(market, locale),
    asset_types: [...COUNTED_ASSET_TYPES],
    counted: overview.counted,
    without_bar: overview.withoutBar,
    figures: {
      median_return_pct: overview.medianPct,
      median_return_1w_pct: overview.medianWeekPct,
      rising: newest.rising,
      falling: newest.falling,
      unchanged: newest.unchanged,
      new_highs: newest.newHighs,
      new_lows: newest.newLows,
      above_sma_200_pct: overview.aboveSmaPct,
      above_sma_200_change: overview.aboveSmaChange,
      dollar_volume: overview.dollarVolume,
      dollar_volume_vs_mean_pct: overview.dollarVolumePct,
      dispersion_pct: overview.dispersionPct,
      dispersion_percentile: overview.dispersionRank,
    },
    days: days.map(({ day, rising, falling, unchanged, newHighs, newLows }) => ({
      date: formatDay(day),
      rising,
      falling,
      unchanged,
      new_highs: newHighs,
      new_lows: newLows,
    })),
    universe: overview.universe.flatMap((item) => {
      const name = nameOf(item.id);
      return name ? [{ ...name, ...itemView(item) }] : [];
    }),
    movers: fromKeys(MOVER_MEASURES, (measure) => ({
      rising: overview.movers[measure].rising.flatMap(moverOf),
      falling: overview.movers[measure].falling.flatMap(moverOf),
    })),
    missing_sessions: missingSessionsText(
      market.historyLedger.missingBetween(days[0].day, next === null ? market.distributableDay : overview.day),
    ),
  };
}

async function findOverview({ pool, market }: Services, day: Day | null): Promise<FoundOverview> {
  const found = await selectMarketOverview(pool, SNAPSHOT_FORMAT, day);
  if (found) return found;
  const nearest = day === null ? null : await selectNearestOverview(pool, SNAPSHOT_FORMAT, day);
  if (day === null || nearest === null) throw new ServiceError('snapshot_unavailable', market.whyNotReady);
  assertPast(market, day);
  throw new ServiceError('no_data_on_day', { date: formatDay(day), nearest: formatDay(nearest) });
}

export const MARKET_OVERVIEW_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'getMarketOverview',
    method: 'get',
    path: '/v1/market/overview',
    tag: 'Market data',
    summary: 'Get the whole market at a session',
    description:
      'Breadth, new highs and lows, movers, and the instruments with the largest dollar volume. It is computed once after each ' +
      'load, from bars through the session only; corrections that were loaded later are included. Prices are adjusted for ' +
      'splits, as in the screener. Common shares and depositary receipts are counted; funds, which hold them, are not. An ' +
      'overview is kept for each of the 60 newest sessions. `missing_sessions` names those that are not completely loaded, ' +
      'and `days` leaves them out.',
    access: 'anyone',
    limit: 'static',
    querySchema: z.object({
      as_of: dateField.optional().meta({
        description: 'One of the 60 newest sessions, with the symbols of that day; default: the newest',
      }),
    }),
    caching: 'for_minutes',
    dataSchema: overviewSchema,
    errors: ['invalid_date', 'no_data_on_day', 'session_not_distributable', 'snapshot_unavailable'],
    // The overview follows some minutes after a load, together with the snapshot.
    cacheKey: ({ query, services: { snapshots } }) => `${snapshots.current?.record.id} ${query.as_of}`,
    handle: async ({ query, context, services }) =>
      overviewView(services.market, await findOverview(services, query.as_of ?? null), context.locale),
  }),
];
