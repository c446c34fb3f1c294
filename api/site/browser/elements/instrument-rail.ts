/** The facts of an instrument beside its chart: its range, facts, returns, events, and the list that it was opened from. */
import { customElement, property } from 'lit/decorators.js';
import { html, nothing, SiteElement, svg, targetOf } from '../dom.ts';
import { eventFigure, eventKey, eventName, type MarketEvent } from '../events.ts';
import { listWith } from '../kept-list.ts';
import { factsOf } from '../symbol-parts.ts';
import { day, number, price, signedPercent, t, ticker, tone } from '../text.ts';
import type { Kline, StaticInfo } from '../types.ts';

type Candle = Kline['bars'][number];

const EVENTS_SHOWN = 5;
const RANGE_BARS = 252;
const WIDTH = 100;
/** Calendar days back. */
const RETURNS = [
  ['symbol.return.week', 7],
  ['symbol.return.month', 30],
  ['symbol.return.quarter', 91],
  ['symbol.return.year', 365],
] as const;
const MS_PER_DAY = 86_400_000;

@customElement('instrument-rail')
export class InstrumentRail extends SiteElement {
  /** Null while the page loads: the rail appears whole, and nothing in it moves. */
  @property({ attribute: false }) info: StaticInfo | null = null;
  /** Daily, oldest first. */
  @property({ attribute: false }) bars: readonly Candle[] = [];
  @property({ attribute: false }) events: readonly MarketEvent[] = [];
  /** The event that is marked. */
  @property({ attribute: false }) current: string | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.onKeydown);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.onKeydown);
  }

  /** ↑ and ↓ lead to the instruments before and after in the list. */
  private readonly onKeydown = (event: KeyboardEvent) => {
    const arrow = { ArrowUp: '↑', ArrowDown: '↓' }[event.key];
    if (arrow === undefined || event.target !== document.body) return;
    const link = this.querySelector<HTMLAnchorElement>(`.neighbors [data-step="${arrow}"]`);
    if (link === null) return;
    event.preventDefault();
    link.click();
  };

  override render() {
    const { info, bars } = this;
    if (info === null) return nothing;
    return html`${neighbors(info.symbol)} ${bars.length < 2 ? nothing : yearRange(bars)}
      ${facts(info)} ${bars.length < 2 ? nothing : returns(bars)} ${this.eventList()}`;
  }

  private eventList() {
    const { events, current } = this;
    if (events.length === 0) return nothing;
    const shown = events.slice(-EVENTS_SHOWN).toReversed();
    return html`<section>
      <h2>${t('symbol.events.newest')} <small>${number(events.length)}</small></h2>
      <ul class="lines events">${shown.map((event) => html`<li class=${eventKey(event) === current ? 'current' : ''}><time>${event.ex_date}</time><span class="muted">${eventName(event)}</span><span>${eventFigure(event)}</span></li>`)}</ul>
    </section>`;
  }
}

const OPEN_LIST = 'list-open';

/** The list that this instrument was opened from, with the ones before and after, and all of them where the reader opens it. */
function neighbors(symbol: string) {
  const list = listWith(symbol);
  if (list === null) return nothing;
  const { title, href, items } = list;
  const at = items.findIndex((item) => item.symbol === symbol);
  const link = (place: number, arrow: string) =>
    items[place] === undefined
      ? nothing
      : html`<a href=${`/s/${items[place].symbol}`} data-step=${arrow}>${arrow} ${ticker(items[place].symbol)}</a>`;
  const keepOpen = (event: Event) => {
    sessionStorage.setItem(OPEN_LIST, targetOf(event, HTMLDetailsElement).open ? '1' : '');
  };
  return html`<nav class="neighbors" aria-label=${title}>
    <a href=${href}>${title}</a>
    <span class="row">${link(at - 1, '↑')} ${link(at + 1, '↓')}</span>
    <details ?open=${sessionStorage.getItem(OPEN_LIST) === '1'} @toggle=${keepOpen}>
      <summary>${t('symbol.list.place', { at: at + 1, total: items.length })}</summary>
      <ul class="lines">${items.map(({ symbol: one, change }) => html`<li class=${one === symbol ? 'current' : ''}><a href=${`/s/${one}`} aria-current=${one === symbol ? 'page' : nothing}>${ticker(one)}</a><span class=${tone(change)}>${signedPercent(change)}</span></li>`)}</ul>
    </details>
  </nav>`;
}

function yearRange(bars: readonly Candle[]) {
  const year = bars.slice(-RANGE_BARS);
  const [low, high] = [Math.min(...year.map((bar) => bar.low)), Math.max(...year.map((bar) => bar.high))];
  const share = high === low ? 0.5 : (year[year.length - 1].close - low) / (high - low);
  return html`<section>
    <h2>${t('symbol.year_range', { count: year.length })} <small>${t('symbol.year_range.share', { percent: number(100 * share, 0) })}</small></h2>
    <svg class="year-range" width="100%" height="12" viewBox=${`0 0 ${WIDTH} 12`} preserveAspectRatio="none" aria-hidden="true">
      ${svg`<line x1="0" x2=${WIDTH} y1="6" y2="6" /><rect x=${Math.max(0, Math.min(WIDTH - 2, share * WIDTH - 1))} y="1" width="2" height="10" />`}
    </svg>
    <p class="day-ends"><span>${price(low)}</span><span>${price(high)}</span></p>
  </section>`;
}

function facts(info: StaticInfo) {
  return html`<section>
    <h2>${t('symbol.facts')}</h2>
    <dl class="lines">${factsOf(info).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    ${info.note ? html`<p class="muted">${info.note}</p>` : nothing}
  </section>`;
}

function returns(bars: readonly Candle[]) {
  const newest = bars[bars.length - 1];
  const change = (days: number): number | null => {
    const start = new Date(Date.parse(newest.ts) - days * MS_PER_DAY).toISOString().slice(0, 10);
    const before = bars.findLast(({ ts }) => ts <= start);
    return before === undefined ? null : 100 * (newest.close / before.close - 1);
  };
  return html`<section>
    <h2>${t('symbol.returns')} <small>${t('symbol.returns.until', { date: day(newest.ts) })}</small></h2>
    <dl class="lines">${RETURNS.map(([name, days]) => {
      const value = change(days);
      return html`<div><dt>${t(name)}</dt><dd class=${tone(value)}>${signedPercent(value, 1)}</dd></div>`;
    })}</dl>
  </section>`;
}
