/** The adjustment events of an instrument. */
import { formatDay } from '../../engine/market/dates.ts';
import { firstIndexFrom, roundTo } from '../../engine/market/series.ts';
import type { z } from '../http/input/fields.ts';
import { type DirectoryItem, headOf } from './directory.ts';
import type { MarketView } from './market-view.ts';
import type { eventsSchema } from './schemas.ts';

const AMOUNT_DECIMALS = 6;

/** Events through the newest bar, oldest first. A cash amount is the share of the close before that the factor takes off. */
export async function eventsOf(market: MarketView, item: DirectoryItem): Promise<z.input<typeof eventsSchema>> {
  const { bars, events } = await market.series(item);
  const view = ({ exDay, kind, factor }: (typeof events)[number]) => {
    const before = firstIndexFrom(bars, exDay) - 1;
    const isPaid = kind === 'cash_dividend' && before >= 0;
    const amount = isPaid ? roundTo(bars.close[before] * (1 - factor), AMOUNT_DECIMALS) : null;
    return { kind, ex_date: formatDay(exDay), factor, amount };
  };
  return { ...headOf(item), count: events.length, events: events.map(view) };
}
