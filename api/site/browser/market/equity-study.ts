/** The equity of the finished backtest of the market against holding, with its figures; it opens as the same run. */
import { customElement } from 'lit/decorators.js';
import { html, nothing, SiteElement, svg } from '../dom.ts';
import { Load } from '../load.ts';
import { Width } from '../measured.ts';
import { locale } from '../page-locale.ts';
import { strategyWords } from '../run/kind.ts';
import { get } from '../session.ts';
import { failure } from '../states.ts';
import { compact, fixed, signedPercent, t, tone } from '../text.ts';
import type { BacktestExample, Strategies } from '../types.ts';

type Point = NonNullable<BacktestExample['result']['equity']>[number];

const HEIGHT = 104;
const YEARS_PX = 20;
const AXIS_PX = 44;

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

@customElement('equity-study')
export class EquityStudy extends SiteElement {
  private readonly width = new Width(this);
  private readonly example = new Load(this, readExample);

  override render() {
    const { result } = this.example;
    const found = result.state === 'loaded' ? result.value : null;
    const run = found?.run ?? null;
    const [symbol] = (run?.symbol ?? '').split('.US');
    return html`<article class="study">
      <header>
        <h2>${found ? t('home.study.run', { strategy: found.name, symbol }) : t('nav.backtest')}</h2>
        <a href="/backtest">${t('home.study.run.open')}</a>
      </header>
      ${result.state === 'failed' ? failure(result.error, this.example.reload) : this.content(run)}
    </article>`;
  }

  private content(run: BacktestExample['result'] | null) {
    const points = run?.equity ?? [];
    const holding = run?.buy_hold_pnl_pct;
    const drawdown = run ? -Math.abs(run.max_drawdown_pct) : null;
    return html`<div class="study-chart" role="img" aria-label=${t('home.study.run.chart')}>
        ${points.length < 2 || this.width.px === 0 ? nothing : this.drawing(points)}
      </div>
      <dl>
        <div><dt>${t('home.study.total')}</dt><dd class=${tone(run?.total_pnl_pct)}>${signedPercent(run?.total_pnl_pct, 1)}</dd></div>
        <div class="holding"><dt>${t('home.study.holding')}</dt><dd class=${tone(holding)}>${signedPercent(holding, 1)}</dd></div>
        <div><dt>${t('home.study.drawdown')}</dt><dd class=${tone(drawdown)}>${signedPercent(drawdown, 1)}</dd></div>
        <div><dt>${t('home.study.sharpe')}</dt><dd>${fixed(run?.sharpe)}</dd></div>
      </dl>`;
  }

  /** One point for each pixel and its line: more would not be seen. */
  private drawing(all: readonly Point[]) {
    const width = this.width.px;
    const plot = width - AXIS_PX;
    const step = Math.max(1, Math.floor(all.length / plot));
    const points = all.filter((_, i) => i % step === 0 || i === all.length - 1);
    const values = points.flatMap(({ equity, buy_hold }) => [equity, buy_hold]);
    const [lowest, highest] = [Math.min(...values), Math.max(...values)];
    const x = (i: number) => (i * plot) / (points.length - 1);
    const y = (value: number) => 6 + ((highest - value) * (HEIGHT - 12)) / (highest - lowest || 1);
    const line = (figureOf: (point: Point) => number) =>
      points.map((point, i) => `${x(i).toFixed(1)},${y(figureOf(point)).toFixed(1)}`).join(' ');
    const last = points[points.length - 1].equity;
    const [{ equity: first }] = points;
    const yearOf = (i: number) => points[i].ts.slice(0, 4);
    return html`<svg width=${width} height=${HEIGHT + YEARS_PX} aria-hidden="true">
      ${svg`<line class="grid" x1="0" x2=${plot} y1=${Math.round(y(first)) + 0.5} y2=${Math.round(y(first)) + 0.5}></line>
        ${Math.abs(y(first) - y(last)) < 14 ? nothing : svg`<text x=${width} y=${y(first) + 4}>${compact(first)}</text>`}
        <polyline points=${line((point) => point.buy_hold)}></polyline>
        <polyline class="own" points=${line((point) => point.equity)}></polyline>
        <text class="last" x=${width} y=${y(last) + 4}>${compact(last)}</text>`}
      ${points.map((_, i) => (i > 0 && yearOf(i) !== yearOf(i - 1) ? svg`<text class="start" x=${x(i)} y=${HEIGHT + YEARS_PX - 4}>${yearOf(i)}</text>` : nothing))}
    </svg>`;
  }
}
