/** The trades of an own strategy over the candles that a page shows: another strategy, or other candles, are another run. */
import type { SiteElement } from './dom.ts';
import { AbortScope, Load } from './load.ts';
import type { Shown } from './own-trades.ts';

/** `strategy`: the id of an own one; null: none. */
export function shownTrades(host: SiteElement, shownOf: () => Shown & { readonly strategy: string | null }) {
  const work = new AbortScope(host);
  const read = async () => {
    const { strategy, ...shown } = shownOf();
    if (strategy === null || shown.bars.length === 0) return null;
    const { ownTrades } = await import('./own-trades.ts');
    return ownTrades(Number(strategy), shown, work.next());
  };
  const of = () => {
    const { strategy, adjust, bars } = shownOf();
    return strategy === null ? null : [strategy, adjust, bars[0]?.ts, bars.at(-1)?.ts].join();
  };
  return new Load(host, read, { of });
}
