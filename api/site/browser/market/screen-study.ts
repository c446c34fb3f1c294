/** The first hits of a ready-made screen, which opens as it is shown. */
import { customElement } from 'lit/decorators.js';
import { html, nothing, SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { get } from '../session.ts';
import { failure } from '../states.ts';
import { price, signedPercent, t, ticker, tone } from '../text.ts';
import type { Screened } from '../types.ts';
import { study } from './study.ts';

const PRESET = 'trend_breakout';
const SHOWN = 6;

@customElement('screen-study')
export class ScreenStudy extends SiteElement {
  private readonly screen = new Load(this, () => get<Screened>(`/api/screener/examples/${PRESET}`));

  override render() {
    const { result } = this.screen;
    const found = this.screen.value;
    const title = t('home.study.screen', { count: found?.total ?? 0 });
    const head = { title, href: `/screener?preset=${PRESET}`, link: t('home.study.screen.open') };
    return study(head, result.state === 'failed' ? failure(result.error, this.screen.reload) : this.table(found));
  }

  private table(found: Screened | null) {
    const shown = found?.items.slice(0, SHOWN) ?? [];
    const largest = Math.max(1, ...shown.map((item) => Math.abs(distanceOf(item) ?? 0)));
    return html`<table class="movers hits">
      <caption class="visually-hidden">${t('home.study.screen', { count: found?.total ?? 0 })}</caption>
      <thead>
        <tr>
          <th scope="col">${t('home.study.ticker')}</th>
          <th scope="col" class="number">${t('word.close_price')}</th>
          <th scope="col" class="number">${t('home.period.1d')}</th>
          <th scope="col" class="number">${t('home.above_sma')}</th>
        </tr>
      </thead>
      <tbody>
        ${found?.total === 0 ? html`<tr><td colspan="4" class="muted">${t('home.movers.none')}</td></tr>` : nothing}
        ${shown.map((item) => {
          const distance = distanceOf(item);
          return html`<tr>
            <th scope="row"><a href=${`/s/${encodeURIComponent(item.current_symbol ?? item.symbol)}`} title=${item.name}>${ticker(item.symbol)}</a></th>
            <td class="number">${price(item.close)}</td>
            <td class="number ${tone(item.change_pct)}">${signedPercent(item.change_pct)}</td>
            <td class="number">
              <i class="bar" .style=${`width: ${Math.round((32 * Math.abs(distance ?? 0)) / largest)}px`}></i>
              ${signedPercent(distance, 1)}
            </td>
          </tr>`;
        })}
      </tbody>
    </table>`;
  }
}

function distanceOf({ columns }: Screened['items'][number]): number | null {
  return columns?.distance ?? null;
}
