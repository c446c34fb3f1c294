/** Responses of the overview of the market. */
import { MOVER_MEASURES, OVERVIEW_DAYS, RANKED_SESSIONS, UNIVERSE_MAX } from '../../engine/screener/market-overview.ts';
import { fromKeys } from '../../engine/util/values.ts';
import { z } from '../http/input/fields.ts';
import { day, missingSessionsSchema, timelinessSchema } from '../market/schemas.ts';

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

export const overviewSchema = z
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
