/** The largest movers of a session, up and down, by a measure that the reader chooses. */

import { customElement, property } from 'lit/decorators.js';
import { toAddress } from '../address.ts';
import { choice } from '../controls.ts';
import { html, SiteElement } from '../dom.ts';
import { sparkLine } from '../plot.ts';
import { fixed, price, signed, signedPercent, t, ticker, tone } from '../text.ts';
import type { MarketOverview } from '../types.ts';

type Movers = MarketOverview['movers'];
type Measure = keyof Movers;
type Mover = Movers[Measure]['rising'][number];
export const MOVER_MEASURES: readonly Measure[] = ['return', 'volume', 'gap', 'streak'];

/** Movers of each direction in an answer of a whole market. */
const EXPECTED = 8;

/** The last column of each measure. */
const LAST: Readonly<
  Record<Measure, { readonly write: (mover: Mover) => string; readonly value: (mover: Mover) => number | null }>
> = {
  return: { write: ({ volume_ratio }) => times(volume_ratio), value: () => null },
  volume: { write: ({ volume_ratio }) => times(volume_ratio), value: () => null },
  gap: { write: ({ gap_pct }) => signedPercent(gap_pct), value: ({ gap_pct }) => gap_pct },
  streak: { write: ({ streak }) => signed(streak, 0), value: ({ streak }) => streak },
};

const times = (ratio: number | null) => (ratio === null ? fixed(ratio) : `${fixed(ratio, 1)}×`);

@customElement('market-movers')
export class MarketMovers extends SiteElement {
  @property({ attribute: false }) movers: Movers | null = null;
  @property() measure: Measure = 'return';

  override render() {
    const { rising = [], falling = [] } = this.movers?.[this.measure] ?? {};
    const last = t(this.measure === 'return' ? 'home.movers.volume' : `home.movers.${this.measure}`);
    return html`<div class="row spread">
        <h2>${t('home.movers')}</h2>
        ${choice({
          label: t('home.movers.by'),
          name: 'movers',
          values: MOVER_MEASURES.map((measure) => [measure, t(`home.movers.${measure}`)] as const),
          chosen: this.measure,
          onChoose: this.choose,
        })}
      </div>
      <table class="movers">
        <caption class="visually-hidden">${t('home.movers')}</caption>
        <thead>
          <tr>
            <th scope="col">${t('home.rising')}</th><th scope="col" class="spark-head">${t('home.movers.days')}</th>
            <th scope="col" class="number">${t('word.close_price')}</th>
            <th scope="col" class="number">${t('home.movers.return')}</th>
            <th scope="col" class="number">${last}</th>
          </tr>
        </thead>
        <tbody>${this.rows(rising)}</tbody>
        <tbody>
          <tr class="group"><th scope="rowgroup" colspan="5">${t('home.falling')}</th></tr>
          ${this.rows(falling)}
        </tbody>
      </table>`;
  }

  private rows(movers: readonly Mover[]) {
    // As high as the rows that come, so that nothing moves.
    if (this.movers === null) return Array.from({ length: EXPECTED }, () => html`<tr><td colspan="5">\u00a0</td></tr>`);
    if (movers.length === 0) return html`<tr><td colspan="5" class="muted">${t('home.movers.none')}</td></tr>`;
    const { write, value } = LAST[this.measure];
    return movers.map((mover) => {
      const { symbol, current_symbol, name, close, return_1d_pct, closes } = mover;
      return html`<tr>
        <th scope="row"><a href=${`/s/${encodeURIComponent(current_symbol ?? symbol)}`} title=${name}>${ticker(symbol)}</a></th>
        <td>${sparkLine(closes)}</td>
        <td class="number">${price(close)}</td>
        <td class="number ${tone(return_1d_pct)}">${signedPercent(return_1d_pct)}</td>
        <td class="number ${tone(value(mover))}">${write(mover)}</td>
      </tr>`;
    });
  }

  private readonly choose = (measure: Measure) => {
    this.measure = measure;
    toAddress({ movers: measure === MOVER_MEASURES[0] ? null : measure }, false);
  };
}
