/** Values of the language of rules over the candles of an instrument. */
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { adjustSeries } from '../../engine/market/adjust.ts';
import { FAR_FUTURE, FAR_PAST, formatDay } from '../../engine/market/dates.ts';
import { type BarSeries, firstIndexFrom, PERIODS, resample } from '../../engine/market/series.ts';
import { HistoryColumns } from '../../engine/rules/columns.ts';
import { compileValue } from '../../engine/rules/compile.ts';
import { type OtherInstrument, OtherInstruments } from '../../engine/rules/other-instruments.ts';
import type { Value } from '../../engine/rules/program.ts';
import { roundFigure } from '../../engine/screener/figures.ts';
import type { UsedColumn } from '../../jobs/contracts/backtest.ts';
import { readOwnColumns } from '../../jobs/runs/own-columns.ts';
import type { PlanCode } from '../access/plans.ts';
import { z } from '../http/input/fields.ts';
import { ValidationFailure } from '../http/input/request-failure.ts';
import { type DirectoryItem, findInstrument, instrumentFields } from '../market/directory.ts';
import { eventsOf, type KlineRange, oldestDay } from '../market/kline.ts';
import type { MarketView } from '../market/market-view.ts';
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
  { market, pool }: Services,
  item: DirectoryItem,
  range: KlineRange,
  values: readonly NamedValue[],
  plan: PlanCode,
  columns?: readonly UsedColumn[],
): Promise<z.input<typeof valuesSchema>> {
  const { period, adjust, start = FAR_PAST, end = FAR_FUTURE, days } = range;
  if (market.newestSession === null || end > market.newestSession) market.assertFresh();
  const names = new Set(values.flatMap(({ columnNames }) => [...columnNames]));
  const own = await readOwnColumns(pool, columnsNamed(columns, names), [item.id]);
  const candles = { ...(await candlesOf(market, item, range)), own: own?.(item.id) };
  const others = await otherCandles(market, values, range);
  const computed = new HistoryColumns(new IndicatorSet(candles), { others });
  const to = firstIndexFrom(candles, end + 1);
  const wanted = start === FAR_PAST ? Math.max(0, to - days) : firstIndexFrom(candles, start);
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

async function candlesOf(market: MarketView, item: DirectoryItem, { period, adjust }: KlineRange): Promise<BarSeries> {
  const served = await market.series(item);
  return resample(adjustSeries(served.bars, eventsOf(served, adjust)), period);
}

/** The candles of other instruments that values name. Throws, with their places, for unknown ones. */
async function otherCandles(
  market: MarketView,
  values: readonly NamedValue[],
  range: KlineRange,
): Promise<OtherInstruments | undefined> {
  const uses = values.flatMap(({ tickers }) => tickers);
  if (namedInstruments(uses, market.directory) === undefined) return undefined;
  const found = new Map<string, OtherInstrument>();
  for (const { ticker } of uses) {
    const item = findInstrument(market.directory, ticker);
    found.set(ticker, { series: await candlesOf(market, item, range), events: [] });
  }
  // They are adjusted already.
  return new OtherInstruments(found, 'none');
}

const figureOrNull = (figure: number) => (Number.isFinite(figure) ? roundFigure(figure) : null);

function unitOf({ dimension }: Value): (typeof UNITS)[number] {
  if (dimension === null || dimension === 'any') return 'other';
  const { price, shares } = dimension;
  if (price === 1 && shares === 0) return 'price';
  if (price === 0 && shares === 1) return 'shares';
  return price === 1 && shares === 1 ? 'money' : 'other';
}
