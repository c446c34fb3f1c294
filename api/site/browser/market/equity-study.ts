/** The equity of the finished backtest of the market against holding, with its figures; it opens as the same run. */
import { customElement } from 'lit/decorators.js';
import { html, nothing, SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { locale } from '../page-locale.ts';
import { beginningsOf, Plot, Width } from '../plot.ts';
import { strategyWords } from '../run/kind.ts';
import { get } from '../session.ts';
import { failure } from '../states.ts';
import { compact, fixed, signedPercent, t, ticker, tone } from '../text.ts';
import type { BacktestExample, Strategies } from '../types.ts';
import { study, studyFigure } from './study.ts';

type Point = NonNullable<BacktestExample['result']['equity']>[number];

const HEIGHT = 104;
const YEARS_PX = 20;
const AXIS_PX = 44;
/** Figures nearer to each other would touch. */
const NAME_PX = 14;

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
  private drawing(all: readonly Point[]) {
    const box = { width: this.width.px, height: HEIGHT + YEARS_PX, right: AXIS_PX, top: 6, bottom: YEARS_PX + 6 };
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
