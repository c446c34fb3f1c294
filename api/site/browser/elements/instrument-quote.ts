/** The price of an instrument with the figures of its newest session. */
import { customElement, property } from 'lit/decorators.js';
import { html, nothing, SiteElement } from '../dom.ts';
import { compact, day, fixed, price, signed, signedPercent, t, tone } from '../text.ts';
import type { Kline, Quote } from '../types.ts';

/** Sessions before the newest whose mean volume it is compared with. */
const USUAL_BARS = 20;

@customElement('instrument-quote')
export class InstrumentQuote extends SiteElement {
  @property({ attribute: false }) quote: Quote | null = null;
  /** Daily, oldest first. */
  @property({ attribute: false }) bars: Kline['bars'] = [];

  override render() {
    if (this.quote === null) return nothing;
    const { last, change, change_pct, as_of, open, high, low, volume } = this.quote;
    const direction = Math.sign(change ?? 0);
    const figures = [
      [t('shell.session'), day(as_of)],
      [t('word.open'), price(open)],
      [t('word.high'), price(high)],
      [t('word.low'), price(low)],
      [t('word.volume'), compact(volume)],
      ...this.againstUsual(volume),
    ];
    return html`<p class="last"><strong>${price(last)}</strong> <span class=${tone(change)}>${direction === 0 ? nothing : html`<i class=${`mark ${direction > 0 ? 'up' : 'down'}`}></i>`}${signed(change)} ${signedPercent(change_pct)}</span></p>
      <dl>${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
  }

  private againstUsual(volume: number): string[][] {
    const usual = this.bars.slice(-USUAL_BARS - 1, -1);
    const mean = usual.reduce((sum, bar) => sum + bar.volume, 0) / USUAL_BARS;
    return usual.length < USUAL_BARS || mean === 0 ? [] : [[t('symbol.volume_ratio'), `${fixed(volume / mean)}×`]];
  }
}
