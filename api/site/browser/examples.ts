/** Examples with symbols of the loaded market. */
import { html } from 'lit';
import { t } from './text.ts';

/** Symbols of the market, popular ones first, as the server wrote them into the page; none while nothing is loaded. */
export const EXAMPLE_SYMBOLS: readonly string[] = (document.documentElement.dataset.examples ?? '')
  .split(' ')
  .filter((symbol) => symbol !== '');

/** A link to a backtest that runs at once. */
export function exampleBacktest(symbol: string) {
  const query = new URLSearchParams({ symbol, strategy: 'sma_cross', time_range: '5Y' });
  return html`<p><a href=${`/backtest?${query}`}>${t('run.empty.example', { symbol })}</a></p>`;
}
