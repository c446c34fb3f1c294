/** Values of the language of rules over the candles of an instrument. */
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { adjustSeries } from '../../engine/market/adjust.ts';
import { FAR_FUTURE, FAR_PAST, formatDay } from '../../engine/market/dates.ts';
import { firstIndexFrom, PERIODS, resample } from '../../engine/market/series.ts';
import { HistoryColumns } from '../../engine/rules/columns.ts';
import { compileValue } from '../../engine/rules/compile.ts';
import type { Value } from '../../engine/rules/program.ts';
import { roundFigure } from '../../engine/screener/figures.ts';
import type { PlanCode } from '../access/plans.ts';
import { z } from '../http/input/fields.ts';
import { ValidationFailure } from '../http/input/request-failure.ts';
import { type DirectoryItem, instrumentFields } from '../market/directory.ts';
import { eventsOf, type KlineRange, oldestDay } from '../market/kline.ts';
import type { MarketView } from '../market/market-view.ts';
import { checkedExpression } from './resolve.ts';

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

interface NamedValue {
  readonly text: string;
  readonly value: Value;
}

/** Throws if there are too many, or if one is invalid. */
export function readValues(text: string): NamedValue[] {
  const loc = ['query', 'values'];
  const texts = text.split(';').map((one) => one.trim());
  if (texts.length > MAX_VALUES) {
    throw new ValidationFailure([
      { loc, type: 'list', problem: { code: 'list_too_long', details: { max: MAX_VALUES } } },
    ]);
  }
  return texts.map((one, i) => {
    const { expression } = checkedExpression(one, 'value', [...loc, i], 'none');
    return { text: one, value: compileValue(expression) };
  });
}

export async function valuesOf(
  market: MarketView,
  item: DirectoryItem,
  { period, adjust, start = FAR_PAST, end = FAR_FUTURE, days }: KlineRange,
  values: readonly NamedValue[],
  plan: PlanCode,
): Promise<z.input<typeof valuesSchema>> {
  if (market.newestSession === null || end > market.newestSession) market.assertFresh();
  const served = await market.series(item);
  const candles = resample(adjustSeries(served.bars, eventsOf(served, adjust)), period);
  const columns = new HistoryColumns(new IndicatorSet(candles));
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
      figures: Array.from(columns.value(value).subarray(from, to), figureOrNull),
    })),
  };
}

const figureOrNull = (figure: number) => (Number.isFinite(figure) ? roundFigure(figure) : null);

function unitOf({ dimension }: Value): (typeof UNITS)[number] {
  if (dimension === null || dimension === 'any') return 'other';
  const { price, shares } = dimension;
  if (price === 1 && shares === 0) return 'price';
  if (price === 0 && shares === 1) return 'shares';
  return price === 1 && shares === 1 ? 'money' : 'other';
}
