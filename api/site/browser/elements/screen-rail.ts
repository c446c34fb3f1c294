/** The history of a screen: how many passed by day, who entered and left and why, and what followed. */

import { customElement, property } from 'lit/decorators.js';
import { symbolLink } from '../columns.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { Plot } from '../plot.ts';
import { day, dayInMonth, number, percent, signed, signedPercent, tone } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Screened } from '../types.ts';

type History = NonNullable<Screened['history']>;
type Turned = NonNullable<History['entered']>;

/** Units of the chart, which is stretched to the width of the rail. */
const DAY_WIDTH = 8;
const HEIGHT = 56;

@customElement('screen-rail')
export class ScreenRail extends SiteElement {
  @property({ attribute: false }) screened!: Screened;
  /** Whether the history is still being computed. */
  @property({ type: Boolean }) isWaiting = false;

  override render() {
    const { history, changes } = this.screened;
    if (history === undefined) {
      return html`${this.isWaiting ? html`<p class="muted" role="status">${t('screener.history.waiting')}</p>` : nothing}
        ${changes ? html`${plainChanges('screener.entered', changes.entered)}${plainChanges('screener.left', changes.left)}` : nothing}`;
    }
    const before = history.sessions.at(-2)?.date;
    return html`${this.byDay(history)}
      ${before === undefined ? nothing : html`${this.turned('screener.entered_since', history.entered, before, 1)}${this.turned('screener.left_since', history.left, before, -1)}`}
      ${followed(history)}`;
  }

  private byDay({ sessions }: History) {
    const counts = sessions.map(({ passing }) => passing);
    const most = Math.max(1, ...counts);
    const box = { width: sessions.length * DAY_WIDTH, height: HEIGHT };
    const plot = new Plot(box, { x: [0, counts.length], y: [0, most] });
    const nameOf = (_count: number, i: number) => (i === counts.length - 1 ? 'newest' : '');
    const [first, last] = [sessions[0], sessions[sessions.length - 1]];
    const label = t('screener.by_day.label', {
      first: day(first.date),
      last: day(last.date),
      count: last.passing,
      most,
    });
    return html`<section>
      <h2>${t('screener.by_day')} <small>${t('screener.by_day.sessions', { count: sessions.length })}</small></h2>
      <svg class="day-counts" viewBox=${`0 0 ${box.width} ${HEIGHT}`} width="100%" height=${HEIGHT} preserveAspectRatio="none" role="img" aria-label=${label}>${plot.bars(counts, { nameOf, gap: 2 })}</svg>
      <p class="day-ends"><span>${dayInMonth(first.date)}</span><span>${t('screener.by_day.most', { most })}</span><span>${dayInMonth(last.date)}</span></p>
    </section>`;
  }

  private turned(
    title: 'screener.entered_since' | 'screener.left_since',
    list: Turned | null,
    before: string,
    sign: 1 | -1,
  ) {
    if (list === null) return nothing;
    return html`<section>
      <h2>${t(title, { date: dayInMonth(before) })} <small class=${tone(sign * list.length)}>${signed(sign * list.length, 0)}</small></h2>
      ${list.length === 0 ? html`<p class="muted">${t('word.none')}</p>` : html`<ul class="lines">${list.map(({ symbol, conditions }) => html`<li>${symbolLink(symbol)}<code>${this.reason(conditions, sign)}</code></li>`)}</ul>`}
    </section>`;
  }

  /** The first condition that turned. */
  private reason(conditions: readonly number[], sign: 1 | -1): string {
    const [first] = conditions;
    if (first === undefined) return t(sign > 0 ? 'screener.reason.new' : 'screener.reason.gone');
    const step = this.screened.funnel[first];
    const text = step?.rule ?? t('screener.condition', { n: first + 1 });
    return sign > 0 ? text : `not ${text}`;
  }
}

function followed({ followed: { since, bars, passed, all } }: History) {
  if (passed.count === 0) return nothing;
  return html`<section>
    <h2>${t('screener.followed')} <small>${t('screener.followed.since', { year: since.slice(0, 4) })}</small></h2>
    <dl class="lines">
      <div><dt>${t('screener.followed.passed', { bars })}</dt><dd class=${tone(passed.median_pct)}>${signedPercent(passed.median_pct, 1)}</dd></div>
      <div><dt>${t('screener.followed.all', { bars })}</dt><dd class=${tone(all.median_pct)}>${signedPercent(all.median_pct, 1)}</dd></div>
      <div><dt>${t('screener.followed.rose', { count: number(passed.count) })}</dt><dd>${percent(passed.rose_pct, 1)}</dd></div>
    </dl>
  </section>`;
}

function plainChanges(title: 'screener.entered' | 'screener.left', symbols: readonly string[]) {
  return html`<section><h2>${t(title)}</h2>
    ${symbols.length === 0 ? html`<p class="muted">${t('word.none')}</p>` : html`<ul class="lines">${symbols.map((symbol) => html`<li>${symbolLink(symbol)}</li>`)}</ul>`}
  </section>`;
}
