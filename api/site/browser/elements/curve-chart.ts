/** The base of charts of runs: their curves in several views, beside what their reader compares them with, and as files. */
import type { IChartApi } from 'lightweight-charts';
import { LineStyle } from 'lightweight-charts';
import { state } from 'lit/decorators.js';
import { path } from '../api.ts';
import { type ChartColors, chartColors } from '../charts/colors.ts';
import {
  ADDED,
  type Curve,
  type CurvePoint,
  CurveSeries,
  type Curves,
  isWithoutUnits,
  type Line,
  linesOf,
  MONEY,
  type View,
  viewsOf,
} from '../charts/curves.ts';
import { PERCENT } from '../charts/series.ts';
import { sharedDays } from '../charts/shared-days.ts';
import { TimeChart } from '../charts/time-chart.ts';
import { choice } from '../controls.ts';
import { html, nothing } from '../dom.ts';
import { saveCsv, savePixels, saveSvg } from '../download.ts';
import { Attempt } from '../load.ts';
import { growthOf } from '../run/figures.ts';
import type { AnyResult } from '../run/kind.ts';
import { get } from '../session.ts';
import { day, number, signedPercent, ticker, tone } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Kline, SymbolItem, TearSheet } from '../types.ts';
import './symbol-search.ts';

const MOST_BENCHMARKS = 4;
/** Before the first candle of any instrument. */
const BEGINNING = '1900-01-01';
const SCALES = ['linear', 'log'] as const;
/** How benchmarks are drawn, in their order. */
const LOOKS = [
  { key: 'benchmark-1', color: 'amber', lineStyle: LineStyle.Solid },
  { key: 'benchmark-2', color: 'violet', lineStyle: LineStyle.Solid },
  { key: 'benchmark-3', color: 'teal', lineStyle: LineStyle.Solid },
  { key: 'benchmark-4', color: 'ink', lineStyle: LineStyle.Dotted },
] as const;

export const OWN = { key: 'own', color: 'accent', lineStyle: LineStyle.Solid, lineWidth: 2 } as const;
export const HOLDING = { key: 'holding', color: 'muted', lineStyle: LineStyle.Solid, lineWidth: 1 } as const;
export const SURVIVORS = { key: 'survivors', color: 'ink', lineStyle: LineStyle.Dashed, lineWidth: 1 } as const;

export abstract class CurveChart extends TimeChart {
  @state() mode: View = 'growth';
  @state() isLog = false;
  /** The candles of what the reader compares with. */
  @state() benchmarks: readonly Kline[] = [];
  protected override readonly isShared = true;
  /** Whether growth is money; else percent since the beginning. */
  protected readonly isMoney: boolean = true;
  protected lines: readonly Line[] = [];
  private views: readonly View[] = [];
  private hasUnits = true;
  private readonly adding = new Attempt(this);
  private curveSeries: CurveSeries | null = null;

  /** The names of the properties on which its curves depend. */
  protected abstract readonly sources: readonly string[];
  protected abstract curves(): Curves;
  /** Whether all its prices count dividends, or only some (`isMixed`); and the name of its files. */
  protected abstract readonly about: { readonly isTotal: boolean; readonly isMixed?: boolean; readonly name: string };

  protected override willUpdate(changed: Map<string, unknown>): void {
    super.willUpdate(changed);
    if (![...this.sources, 'mode', 'benchmarks'].some((name) => changed.has(name))) return;
    const curves = this.curves();
    const benchmarks = this.benchmarks.map((one, i) => this.benchmarkCurve(one, i));
    this.views = viewsOf(curves);
    this.hasUnits = !isWithoutUnits(curves);
    if (!this.views.includes(this.mode)) this.mode = 'growth';
    this.lines = linesOf(this.mode, curves, benchmarks);
  }

  private benchmarkCurve({ symbol, bars }: Kline, place: number): Curve {
    const byDay = new Map(bars.map(({ ts, close }) => [ts, close]));
    const points = this.days.flatMap(({ ts }) => {
      const value = byDay.get(ts);
      return value === undefined ? [] : [{ ts, value }];
    });
    return { ...LOOKS[place], lineWidth: 1, name: ticker(symbol), points };
  }

  private get growth() {
    return this.isMoney ? MONEY : ADDED;
  }

  protected addCurves(chart: IChartApi): CurveSeries {
    this.curveSeries = new CurveSeries(chart);
    return this.curveSeries;
  }

  protected paintCurves(colors: ChartColors): void {
    const { lines, mode: view, isLog, growth } = this;
    this.curveSeries?.show({ lines, view, isLog, growth });
    this.curveSeries?.paint(colors);
  }

  /** The values of a day, with the keys of their lines. */
  protected legend(index: number) {
    const { ts: at } = this.days[index];
    return this.lines.map((line) => {
      const point = line.points.findLast(({ ts }) => ts <= at);
      return html`<span><span class=${`key ${line.key}`}></span>${line.name} ${point ? this.written(point.value, line) : '–'}</span>`;
    });
  }

  private written(value: number, { points: [first] }: Line) {
    const isMoney = this.mode === 'growth' && this.isMoney;
    const percent = this.mode === 'growth' ? 100 * (value / (isMoney ? first.value : 100) - 1) : value;
    return html`${isMoney ? html`<b>${number(value, 0)}</b> ` : nothing}<span class=${tone(percent)}>${signedPercent(percent, 1)}</span>`;
  }

  private readonly add = ({ detail }: CustomEvent<SymbolItem>) => {
    const query = { period: 'day', adjust: this.about.isTotal ? 'total' : 'split', start: BEGINNING };
    void this.adding.make(async () => {
      const candles = await get<Kline>(path('/v1/kline/{symbol}', { symbol: detail.symbol }), { query });
      const others = this.benchmarks.filter(({ symbol }) => symbol !== candles.symbol);
      this.benchmarks = [...others, candles].slice(-MOST_BENCHMARKS);
    });
  };

  /** The row above the chart. */
  protected tools() {
    const { mode: view, views, isLog, benchmarks } = this;
    return html`<div class="row curve-tools">
        ${choice({ label: t('curves.view'), name: 'curve-view', values: views.map((one) => [one, t(`curves.${one}`)] as const), chosen: view, onChoose: (one) => (this.mode = one) })}
        ${view === 'growth' ? choice({ label: t('curves.scale'), name: 'curve-scale', values: SCALES.map((one) => [one, t(`curves.${one}`)] as const), chosen: isLog ? 'log' : 'linear', onChoose: (one) => (this.isLog = one === 'log') }) : nothing}
        <div class="chips">
          ${benchmarks.map(({ symbol }, i) => this.chip(symbol, i))}
          ${benchmarks.length < MOST_BENCHMARKS ? html`<symbol-search isPicker label=${t('curves.add')} placeholder=${t('curves.benchmark')} @choose=${this.add}></symbol-search>` : nothing}
        </div>
        <span class="row curve-files">
          <button class="quiet" title=${t('chart.keys')} @click=${() => sharedDays.show(null)}>${t('curves.all')}</button>
          ${this.file(t('symbol.png'), this.savePixels)} ${this.file(t('symbol.svg'), this.saveSvg)} ${this.file(t('symbol.csv'), this.saveCsv)}
        </span>
      </div>
      ${this.hasUnits ? nothing : html`<p class="muted small">${t('curves.without_units')}</p>`}
      ${this.adding.failure()} ${benchmarks.length === 0 ? nothing : html`<p class="muted small">${this.words()}</p>`}`;
  }

  private file(kind: string, save: () => void) {
    return html`<button class="quiet" aria-label=${t('curves.file', { kind })} @click=${save}>${kind}</button>`;
  }

  private chip(symbol: string, place: number) {
    const remove = () => {
      this.benchmarks = this.benchmarks.toSpliced(place, 1);
    };
    return html`<span class="chip"><span class=${`key ${LOOKS[place].key}`}></span>${ticker(symbol)}
      <button class="quiet" aria-label=${t('curves.remove', { symbol: ticker(symbol) })} @click=${remove}>×</button></span>`;
  }

  /** How benchmarks count dividends, and which of them begin later. */
  private words(): string {
    const [first] = this.days;
    const late = this.benchmarks.flatMap(({ symbol, bars }) => {
      const start = bars[0]?.ts;
      return start !== undefined && start <= first.ts
        ? []
        : [t('curves.begins', { symbol: ticker(symbol), date: start ? day(start) : '–' })];
    });
    const { isTotal, isMixed = false } = this.about;
    const basis = isMixed ? 'mixed' : isTotal ? 'with' : 'without';
    return [t(`curves.${basis}_dividends`), ...late].join(' ');
  }

  /** The days in view. */
  private seen() {
    const [from, to] = sharedDays.shownOf(this.days);
    return this.days.slice(from, to + 1);
  }

  private readonly savePixels = () => {
    const pixels = this.pixels();
    if (pixels !== null) savePixels(`${this.about.name}-${this.mode}.png`, pixels);
  };

  private readonly saveSvg = async () => {
    const { curvesSvg } = await import('../charts/chart-svg.ts');
    const isGrowth = this.mode === 'growth';
    const { formatter: write } = isGrowth ? this.growth : PERCENT;
    const look = { colors: chartColors(), isLog: this.isLog && isGrowth, write };
    saveSvg(
      `${this.about.name}-${this.mode}.svg`,
      curvesSvg(`${this.about.name} · ${t(`curves.${this.mode}`)}`, this.seen(), this.lines, look),
    );
  };

  private readonly saveCsv = () => {
    const columns = this.lines.map(({ points }) => new Map(points.map(({ ts, value }) => [ts, value])));
    saveCsv(`${this.about.name}-${this.mode}.csv`, [
      ['date', ...this.lines.map(({ name }) => name)],
      ...this.seen().map(({ ts }) => [ts, ...columns.map((column) => column.get(ts) ?? '')]),
    ]);
  };
}

/** The points of a result; without money that went in or out where its tear sheet tells the returns. */
export function ownPoints(
  { equity = [], cost, tear_sheet, ...result }: AnyResult,
  sheet: TearSheet | null = tear_sheet ?? null,
): CurvePoint[] {
  const hasFlows =
    'contributed' in result && result.contributed !== undefined && result.contributed !== cost.initial_capital;
  const growth = hasFlows && sheet !== null ? growthOf(sheet.series.map(({ run }) => run)) : [];
  const units = new Map(growth.map((value, i) => [sheet?.series[i].ts, value]));
  return equity.map(({ ts, equity: value, drawdown_pct }) => {
    const fall = -Math.abs(drawdown_pct);
    return hasFlows ? { ts, value, fall, unit: units.get(ts) ?? null } : { ts, value, fall };
  });
}
