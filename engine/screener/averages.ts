/** The values that `ema`, `rsi`, and `atr_pct` average, and the weight of a new value in each average. */
import { emaWeight, fallAt, riseAt, trueRangeAt, wilderWeight } from '../indicators/indicators.ts';
import type { BarSeries } from '../market/series.ts';

export const AVERAGED = ['close', 'gain', 'loss', 'range'] as const;
export type Averaged = (typeof AVERAGED)[number];

interface Average {
  readonly valueAt: (bars: BarSeries, t: number) => number;
  /** Bars before t that `valueAt` reads. */
  readonly barsBefore: 0 | 1;
  readonly weightOf: (period: number) => number;
}

export const AVERAGES: Readonly<Record<Averaged, Average>> = {
  close: { valueAt: ({ close }, t) => close[t], barsBefore: 0, weightOf: emaWeight },
  gain: { valueAt: ({ close }, t) => riseAt(close, t), barsBefore: 1, weightOf: wilderWeight },
  loss: { valueAt: ({ close }, t) => fallAt(close, t), barsBefore: 1, weightOf: wilderWeight },
  range: { valueAt: trueRangeAt, barsBefore: 1, weightOf: wilderWeight },
};
