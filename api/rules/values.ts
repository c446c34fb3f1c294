/** Values of the language of rules over the candles of an instrument. */
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { adjustSeries } from '../../engine/market/adjust.ts';
import { FAR_FUTURE, FAR_PAST, formatDay } from '../../engine/market/dates.ts';
import { dividendsOn } from '../../engine/market/dividends.ts';
import { type BarSeries, factsOf, firstIndexFrom, joinSeries, PERIODS, resample } from '../../engine/market/series.ts';
import { HistoryColumns } from '../../engine/rules/columns.ts';
import { compileValue } from '../../engine/rules/compile.ts';
import { type OtherInstrument, OtherInstruments } from '../../engine/rules/other-instruments.ts';
import type { Value } from '../../engine/rules/program.ts';
import { roundValue } from '../../engine/screener/figures.ts';
import type { UsedColumn } from '../../jobs/contracts/backtest.ts';
import { readHistory } from '../../jobs/runs/history.ts';
import { readOwnColumns } from '../../jobs/runs/own-columns.ts';
import type { PlanCode } from '../access/plans.ts';
import { z } from '../http/input/fields.ts';
import { ValidationFailure } from '../http/input/request-failure.ts';
import { type DirectoryItem, findInstrument, instrumentFields } from '../market/directory.ts';
import { eventsOf, type KlineRange, oldestDay } from '../market/kline.ts';
import { columnsNamed } from './own-columns.ts';
import { checkedExpression, namedInstruments, type ScreenRule, type Services } from './resolve.ts';

export const MAX_VALUES = 8;
const UNITS = ['price', 'shares', 'money', 'other'] as const;

export const valuesSchema = z
  .object({
    symbol: z.string(),
    name: z.string(),
    market: z.literal('US'),
    currency: z.string(),
    period: z.enum(PERIODS),
    adjust: z.enum(['none', 'qfq', 'total']),
    limited_by_plan: z.boolean().meta({ description: 'Whether the plan has cut off candles of the requested range' }),
    count: z.int().min(0),
    dates: z.array(z.iso.date()).meta({ description: 'The candles, oldest first' }),
    values: z.array(
      z.object({
        value: z.string().meta({ description: 'As it was asked for' }),
        unit: z.enum(UNITS).meta({ description: '`price`: it can be drawn over the candles' }),
        figures: z.array(z.number().nullable()).meta({ description: 'One for each date; null: undefined' }),
      }),
    ),
  })
  .meta({ id: 'RuleValues' });

interface NamedValue extends Pick<ScreenRule, 'tickers' | 'columnNames'> {
  readonly text: string;
  readonly value: Value;
}

/** Throws if there are too many, or if one is invalid. `columns`: the own ones that they may name. */
export function readValues(text: string, columns?: readonly UsedColumn[]): NamedValue[] {
  const loc = ['query', 'values'];
  const texts = text.split(';').map((one) => one.trim());
  if (texts.length > MAX_VALUES) {
    throw new ValidationFailure([
      { loc, type: 'list', problem: { code: 'list_too_long', details: { max: MAX_VALUES } } },
    ]);
  }
  return texts.map((one, i) => {
    const { expression, ...names } = checkedExpression(one, 'value', [...loc, i], 'none', columns);
    return { text: one, value: compileValue(expression), ...names };
  });
}

/** `columns`: the own ones that the values may name. */
export async function valuesOf(
  services: Services,
  item: DirectoryItem,
  range: KlineRange,
  values: readonly NamedValue[],
  plan: PlanCode,
  columns?: readonly UsedColumn[],
): Promise<z.input<typeof valuesSchema>> {
  const { market, pool } = services;
  const { period, adjust, start = FAR_PAST, end = FAR_FUTURE, days } = range;
  if (market.newestSession === null || end > market.newestSession) market.assertFresh();
  const names = new Set(values.flatMap(({ columnNames }) => [...columnNames]));
  const own = await readOwnColumns(pool, columnsNamed(columns, names), [item.id]);
  const { served, bars } = await candlesOf(services, item, range);
  const candles = { ...bars, own: own?.(item.id) };
  const others = await otherCandles(services, values, range);
  const computed = new HistoryColumns(new IndicatorSet(candles), { others });
  const to = firstIndexFrom(candles, end + 1);
  const wanted = Math.max(served, start === FAR_PAST ? to - days : firstIndexFrom(candles, start));
  const from = Math.max(wanted, firstIndexFrom(candles, oldestDay(market, plan)));
  return {
    ...instrumentFields(item),
    period,
    adjust,
    limited_by_plan: wanted < Math.min(from, to),
    count: Math.max(0, to - from),
    dates: Array.from(candles.day.subarray(from, to), formatDay),
    values: values.map(({ text, value }) => ({
      value: text,
      unit: unitOf(value),
      figures: Array.from(computed.value(value).subarray(from, to), figureOrNull),
    })),
  };
}

interface Candles {
  readonly bars: BarSeries;
  /** Index of the first one that is served: values look back to those before it, as runs do. */
  readonly served: number;
}

async function candlesOf(
  { market, pool }: Services,
  item: DirectoryItem,
  { period, adjust }: KlineRange,
): Promise<Candles> {
  const served = await market.series(item);
  const { bars, events } = served;
  if (bars.length === 0) return { bars, served: 0 };
  const older = (await market.hasOlderBars(item)) ? await readHistory(pool, item.id, bars.day[0] - 1) : null;
  const all = {
    ...joinSeries(older === null ? [bars] : [older.series, bars]),
    listedOn: item.instrument.listedOn ?? undefined,
    dividends: events.filter(({ kind }) => kind === 'cash_dividend'),
  };
  const daily = adjustSeries(all, eventsOf(served, adjust));
  const candles = period === 'day' ? daily : withSums(resample(daily, period), daily);
  return { bars: candles, served: firstIndexFrom(candles, bars.day[0]) };
}

/** Candles with what their days add up to. */
function withSums(candles: BarSeries, daily: BarSeries): BarSeries {
  const sums = { dollarVolume: new Float64Array(candles.length), dividend: new Float64Array(candles.length) };
  const paid = dividendsOn(daily);
  for (const [t, day] of daily.day.entries()) {
    const candle = firstIndexFrom(candles, day);
    sums.dollarVolume[candle] += daily.close[t] * daily.volume[t];
    sums.dividend[candle] += paid[t];
  }
  return { ...candles, ...factsOf(daily), sums };
}

/** The candles of other instruments that values name. Throws, with their places, for unknown ones. */
async function otherCandles(
  services: Services,
  values: readonly NamedValue[],
  range: KlineRange,
): Promise<OtherInstruments | undefined> {
  const uses = values.flatMap(({ tickers }) => tickers);
  const { directory } = services.market;
  if (namedInstruments(uses, directory) === undefined) return undefined;
  const found = new Map<string, OtherInstrument>();
  for (const { ticker } of uses) {
    const { bars } = await candlesOf(services, findInstrument(directory, ticker), range);
    found.set(ticker, { series: bars, events: [] });
  }
  // They are adjusted already.
  return new OtherInstruments(found, 'none');
}

const figureOrNull = (figure: number) => (Number.isFinite(figure) ? roundValue(figure) : null);

function unitOf({ dimension }: Value): (typeof UNITS)[number] {
  if (dimension === null || dimension === 'any') return 'other';
  const { price, shares } = dimension;
  if (price === 1 && shares === 0) return 'price';
  if (price === 0 && shares === 1) return 'shares';
  return price === 1 && shares === 1 ? 'money' : 'other';
}
