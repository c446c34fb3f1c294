/** The lines over an instrument's candles: values of rules and other instruments, as the address names them. */
import { path } from './api.ts';
import type { LineColor } from './charts/colors.ts';
import type { Overlay } from './charts/overlays.ts';
import { liesAmongPrices } from './charts/price-range.ts';
import { get } from './session.ts';
import type { Kline, RuleValues } from './types.ts';

export const MAX_COMPARED = 5;
export const MAX_VALUES = 8;

export interface OverlayRequest {
  readonly symbol: string;
  /** In the language of rules. */
  readonly values: readonly string[];
  readonly compared: readonly string[];
  readonly query: { readonly period: string; readonly adjust: string; readonly days: number };
}

export interface LoadedOverlays {
  readonly values: RuleValues | null;
  readonly others: readonly Kline[];
}

/** Colors of lines in their order. */
const LINE_COLORS: readonly LineColor[] = ['accent', 'amber', 'violet', 'teal', 'muted'];
export const lineColor = (place: number) => LINE_COLORS[place % LINE_COLORS.length];

const RSI = /^rsi(_of)?\(/;

export const NO_OVERLAYS: LoadedOverlays = { values: null, others: [] };

export async function loadOverlays(
  { symbol, values, compared, query }: OverlayRequest,
  signal: AbortSignal,
): Promise<LoadedOverlays> {
  const [ofRules, ...others] = await Promise.all([
    values.length === 0
      ? null
      : get<RuleValues>(path('/v1/rules/values/{symbol}', { symbol }), {
          query: { ...query, values: values.join('; ') },
          signal,
        }),
    ...compared.map((other) => get<Kline>(path('/v1/kline/{symbol}', { symbol: other }), { query, signal })),
  ]);
  return { values: ofRules, others };
}

/** Over the shown bars. The colors of values come first, then those of compared instruments. */
export function overlaysOf({ values, others }: LoadedOverlays, bars: Kline['bars']): Overlay[] {
  const drawn = values === null ? [] : valueOverlays(values, bars);
  return [...drawn, ...others.map((other, i) => rebased(other, bars, drawn.length + i))];
}

function valueOverlays({ dates, values }: RuleValues, bars: Kline['bars']): Overlay[] {
  return values.map(({ value, unit, figures }, i) => {
    const byDay = new Map(dates.map((ts, k) => [ts, figures[k]]));
    const shown = bars.map(({ ts }) => byDay.get(ts) ?? null);
    return {
      name: value,
      color: lineColor(i),
      isPrice: unit === 'price' && liesAmongPrices(shown, bars),
      isOther: false,
      levels: RSI.test(value) ? [30, 70] : [],
      figures: shown,
    };
  });
}

/** Another instrument at the price of this one on the first day that both have. */
function rebased({ symbol, bars: others }: Kline, bars: Kline['bars'], place: number): Overlay {
  const byDay = new Map(others.map(({ ts, close }) => [ts, close]));
  const first = bars.find(({ ts }) => byDay.has(ts));
  const scale = first === undefined ? Number.NaN : first.close / (byDay.get(first.ts) ?? Number.NaN);
  return {
    name: symbol,
    color: lineColor(place),
    isPrice: true,
    isOther: true,
    levels: [],
    figures: bars.map(({ ts }) => {
      const close = byDay.get(ts);
      return close === undefined ? null : close * scale;
    }),
  };
}
