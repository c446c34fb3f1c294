/** Splits, dividends, and spin-offs of an instrument, as marks of a chart and as rows of a table. */
import type { Schema } from '../../clients/typescript/types.ts';
import { number, price, t, textOr } from './text.ts';

export type Events = Schema<'Events'>;
export type MarketEvent = Events['events'][number];

/** Something that happened at a bar of a chart. */
export interface BarMark {
  readonly ts: string;
  readonly kind: 'split' | 'payment';
  readonly text: string;
}

/** Shares after a split for those before it: `4 : 1`, `1 : 10`. */
function ratioOf(factor: number): string {
  return factor < 1 ? `${number(1 / factor)} : 1` : `1 : ${number(factor)}`;
}

const isSplit = ({ kind }: MarketEvent) => ['split', 'reverse_split', 'stock_dividend'].includes(kind);

export const eventName = ({ kind }: Pick<MarketEvent, 'kind'>) => textOr(`event.${kind}`, kind);

/** Text of an event: the ratio of a split, or the amount of a dividend; older dividends have only a share of the price. */
export function eventFigure(event: MarketEvent): string {
  if (isSplit(event)) return ratioOf(event.factor);
  if (event.amount !== null) return `$ ${price(event.amount)}`;
  return t('event.of_price', { percent: number(100 * (1 - event.factor), 2) });
}

/** Events at the candles that they fall into; those before the first candle are left out. */
export function barMarks(events: readonly MarketEvent[], bars: readonly { readonly ts: string }[]): BarMark[] {
  if (bars.length === 0) return [];
  return events.flatMap((event): BarMark[] => {
    // Candles of weeks and months are dated by their last session.
    const bar = event.ex_date < bars[0].ts && bars.length > 1 ? undefined : bars.find(({ ts }) => ts >= event.ex_date);
    if (!bar) return [];
    const text = isSplit(event) ? ratioOf(event.factor) : t('event.payment');
    return [{ text, ts: bar.ts, kind: isSplit(event) ? 'split' : 'payment' }];
  });
}
