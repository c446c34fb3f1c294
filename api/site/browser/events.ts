/** Splits, dividends, and spin-offs of an instrument, as marks of a chart and as rows of a table. */
import type { Schema } from '../../clients/typescript/types.ts';
import { day, number, percent, price, t, textOr } from './text.ts';

export type Events = Schema<'Events'>;
export type MarketEvent = Events['events'][number];

/** Something that happened at a bar of a chart: its letter, and what its card says. */
export interface BarEvent {
  readonly ts: string;
  /** Identifies the event. */
  readonly key: string;
  readonly kind: 'split' | 'payment';
  readonly letter: string;
  readonly name: string;
  readonly title: string;
  readonly facts: readonly (readonly [string, string])[];
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

export const eventKey = ({ kind, ex_date }: MarketEvent) => `${kind} ${ex_date}`;

/** Shares whose payment the card of a dividend tells. */
const CARD_SHARES = 1000;

function factsOf(event: MarketEvent): (readonly [string, string])[] {
  const facts: (readonly [string, string])[] = [[t('event.ex_date'), day(event.ex_date)]];
  const { amount, factor } = event;
  if (amount !== null) {
    // The amount is the share of the close before that the factor takes away.
    facts.push([t('event.close_before'), price(amount / (1 - factor))]);
    facts.push([t('event.share_of_price'), percent(100 * (1 - factor))]);
  }
  facts.push([t('event.factor'), number(factor, 5)]);
  if (amount !== null) facts.push([t('event.on_shares', { count: CARD_SHARES }), `$${price(CARD_SHARES * amount)}`]);
  return facts;
}

/** Events at the candles that they fall into; those before the first candle are left out. */
export function barEvents(events: readonly MarketEvent[], bars: readonly { readonly ts: string }[]): BarEvent[] {
  if (bars.length === 0) return [];
  return events.flatMap((event): BarEvent[] => {
    // Candles of weeks and months are dated by their last session.
    const bar = event.ex_date < bars[0].ts && bars.length > 1 ? undefined : bars.find(({ ts }) => ts >= event.ex_date);
    if (!bar) return [];
    const name = eventName(event);
    const isOfShares = isSplit(event);
    return [
      {
        ts: bar.ts,
        key: eventKey(event),
        kind: isOfShares ? 'split' : 'payment',
        letter: isOfShares ? t('event.split_letter') : t('event.payment'),
        name,
        title: t('event.title', { name, figure: eventFigure(event) }),
        facts: factsOf(event),
      },
    ];
  });
}
