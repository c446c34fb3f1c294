/** The studies of the home page: each is made by a tool, to which it leads. */
import { customElement, property } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { locale } from '../page-locale.ts';
import { beginningsOf, Plot, Width } from '../plot.ts';
import type { EquityPoint } from '../run/figures.ts';
import { strategyWords } from '../run/kind.ts';
import { get } from '../session.ts';
import { failure } from '../states.ts';
import { compact, fixed, monthName, number, price, signedPercent, t, ticker, tone } from '../text.ts';
import type { BacktestExample, Kline, Screened, Strategies } from '../types.ts';

const HEIGHT = 104;
/** Room for the months or years below a chart, and for the figures of the axis at its right. */
const WORDS_PX = 20;
const AXIS_PX = 44;
/** Figures nearer to each other would touch. */
const NAME_PX = 14;

interface StudyHead {
  readonly title: string;
  readonly href: string;
  readonly link: string;
}

/** The frame of a study: what it shows, and the link to where it was made. */
function study({ title, href, link }: StudyHead, content: unknown) {
  return html`<article class="study">
    <header><h2>${title}</h2><a href=${href}>${link}</a></header>
    ${content}
  </article>`;
}

/** A figure below a study. */
const studyFigure = (name: unknown, value: string, tone = '', className = '') =>
  html`<div class=${className}><dt>${name}</dt><dd class=${tone}>${value}</dd></div>`;

type Bar = Kline['bars'][number];

const MEAN_BARS = 50;
const SHOWN_BARS = 60;

/** A small chart of an instrument with its average of 50 bars, which opens the instrument. */
@customElement('price-study')
export class PriceStudy extends SiteElement {
  @property() symbol = '';
  private readonly width = new Width(this);
  private readonly kline = new Load(this, () =>
    get<Kline>(path('/v1/kline/{symbol}', { symbol: this.symbol }), {
      query: { days: SHOWN_BARS + MEAN_BARS, adjust: 'qfq' },
    }),
  );

  override render() {
    const title = t('home.study.price', { symbol: ticker(this.symbol) });
    const href = `/s/${encodeURIComponent(this.symbol)}`;
    return study({ title, href, link: t('home.study.chart') }, this.content());
  }

  private content() {
    const { result } = this.kline;
    if (result.state === 'failed') return failure(result.error, this.kline.reload);
    const bars = result.state === 'loaded' ? result.value.bars : [];
    const last = bars.at(-1);
    const before = bars.at(-2);
    const mean = meanAt(bars, bars.length - 1);
    const distance = last && mean !== null ? 100 * (last.close / mean - 1) : null;
    const change = last && before ? 100 * (last.close / before.close - 1) : null;
    return html`<div class="study-chart" role="img" aria-label=${t('home.study.price', { symbol: this.symbol })}>
        ${bars.length === 0 || this.width.px === 0 ? nothing : this.drawing(bars)}
      </div>
      <dl>
        ${studyFigure(t('word.close_price'), last ? price(last.close) : '…')}
        ${studyFigure(t('home.period.1d'), signedPercent(change), tone(change))}
        ${studyFigure(html`<code>sma(50)</code>`, price(mean))}
        ${studyFigure(t('home.study.distance'), signedPercent(distance, 1), tone(distance))}
      </dl>`;
  }

  private drawing(bars: readonly Bar[]) {
    const from = Math.max(0, bars.length - SHOWN_BARS);
    const shown = bars.slice(from);
    const means = shown.map((_, i) => meanAt(bars, from + i));
    const box = { width: this.width.px, height: HEIGHT + WORDS_PX, right: AXIS_PX, top: 4, bottom: WORDS_PX + 4 };
    const y = [...shown.flatMap(({ low, high }) => [low, high]), ...means.filter((mean) => mean !== null)];
    const plot = new Plot(box, { x: [-0.5, shown.length - 0.5], y });
    const { close } = shown[shown.length - 1];
    const isNearClose = (value: number) => Math.abs(plot.y(value) - plot.y(close)) < NAME_PX;
    return html`<svg width=${box.width} height=${box.height} aria-hidden="true">
      ${plot.y.ticks(2).map((value) => [plot.level(value, 'grid'), isNearClose(value) ? nothing : plot.aside(value, number(value))])}
      ${plot.candles(shown, Math.max(2, (box.width - AXIS_PX) / shown.length - 2))}
      ${plot.line(means, 'mean')} ${plot.aside(close, price(close), 'last')}
      ${beginningsOf(shown, 7).map((i) => (i > 2 ? plot.below(i, monthName(shown[i].ts)) : nothing))}
    </svg>`;
  }
}

/** The mean of the 50 closes through a bar; null where there are fewer. */
function meanAt(bars: readonly Bar[], i: number): number | null {
  if (i + 1 < MEAN_BARS) return null;
  return bars.slice(i + 1 - MEAN_BARS, i + 1).reduce((sum, { close }) => sum + close, 0) / MEAN_BARS;
}

interface Example {
  readonly run: BacktestExample['result'];
  /** The strategy with its parameters: `Channel breakout 40/20`. */
  readonly name: string;
}

async function readExample(): Promise<Example> {
  const [{ result: run }, strategies] = await Promise.all([
    get<BacktestExample>('/v1/backtest/example', { query: { locale } }),
    get<Strategies>('/api/backtest/strategies'),
  ]);
  return { run, name: strategyWords(strategies, run) };
}

/** The equity of the finished backtest of the market against holding, with its figures; it opens as the same run. */
@customElement('equity-study')
export class EquityStudy extends SiteElement {
  private readonly width = new Width(this);
  private readonly example = new Load(this, readExample);

  override render() {
    const { result } = this.example;
    const found = this.example.value;
    const run = found?.run ?? null;
    const title = found
      ? t('home.study.run', { strategy: found.name, symbol: ticker(found.run.symbol) })
      : t('nav.backtest');
    const content = result.state === 'failed' ? failure(result.error, this.example.reload) : this.content(run);
    return study({ title, href: '/backtest', link: t('nav.backtest') }, content);
  }

  private content(run: BacktestExample['result'] | null) {
    const points = run?.equity ?? [];
    const holding = run?.buy_hold_pnl_pct;
    const drawdown = run ? -Math.abs(run.max_drawdown_pct) : null;
    return html`<div class="study-chart" role="img" aria-label=${t('home.study.run.chart')}>
        ${points.length < 2 || this.width.px === 0 ? nothing : this.drawing(points)}
      </div>
      <dl>
        ${studyFigure(t('home.study.total'), signedPercent(run?.total_pnl_pct, 1), tone(run?.total_pnl_pct))}
        ${studyFigure(t('home.study.holding'), signedPercent(holding, 1), tone(holding), 'holding')}
        ${studyFigure(t('home.study.drawdown'), signedPercent(drawdown, 1), tone(drawdown))}
        ${studyFigure(t('home.study.sharpe'), fixed(run?.sharpe))}
      </dl>`;
  }

  /** One point for each pixel and its line: more would not be seen. */
  private drawing(all: readonly EquityPoint[]) {
    const box = { width: this.width.px, height: HEIGHT + WORDS_PX, right: AXIS_PX, top: 6, bottom: WORDS_PX + 6 };
    const step = Math.max(1, Math.floor(all.length / (box.width - AXIS_PX)));
    const points = all.filter((_, i) => i % step === 0 || i === all.length - 1);
    const own = points.map(({ equity }) => equity);
    const holding = points.map(({ buy_hold }) => buy_hold);
    const plot = new Plot(box, { x: [0, points.length - 1], y: [...own, ...holding] });
    const [first, last] = [own[0], own[own.length - 1]];
    return html`<svg width=${box.width} height=${box.height} aria-hidden="true">
      ${plot.level(first, 'grid')} ${Math.abs(plot.y(first) - plot.y(last)) < NAME_PX ? nothing : plot.aside(first, compact(first))}
      ${plot.line(holding, '')} ${plot.line(own, 'own')} ${plot.aside(last, compact(last), 'last')}
      ${beginningsOf(points, 4).map((i) => plot.below(i, points[i].ts.slice(0, 4)))}
    </svg>`;
  }
}

const PRESET = 'trend_breakout';
const HITS = 6;

/** The first hits of a ready-made screen, which opens as it is shown. */
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
    const shown = found?.items.slice(0, HITS) ?? [];
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
