/** A portfolio over time: equity against the benchmark, its falls, and how much of the money is invested. */
import { HistogramSeries, type IChartApi } from 'lightweight-charts';
import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { faded } from '../charts/colors.ts';
import { drawdownArea, equityLines, PERCENT, sharePanes } from '../charts/series.ts';
import { type Drawing, NO_DAYS, TimeChart } from '../charts/time-chart.ts';
import { day, fixed, number, signedPercent, t, tone } from '../text.ts';
import type { PortfolioResult } from '../types.ts';

@customElement('portfolio-chart')
export class PortfolioChart extends TimeChart {
  @property({ attribute: false }) result!: PortfolioResult;

  protected override get days() {
    return this.result.equity ?? NO_DAYS;
  }

  protected override draw(chart: IChartApi): Drawing {
    const equity = equityLines(chart);
    const falls = drawdownArea(chart, 1);
    const invested = chart.addSeries(HistogramSeries, { priceLineVisible: false, priceFormat: PERCENT }, 2);
    sharePanes(chart, [4, 2, 2]);
    return {
      show: () => {
        const { equity: points = [], positions = [] } = this.result;
        equity.show(points);
        falls.show(points);
        invested.setData(positions.map(({ ts, invested_pct }) => ({ time: ts, value: invested_pct ?? 0 })));
      },
      paint: (colors) => {
        equity.paint(colors);
        falls.paint(colors);
        invested.applyOptions({ color: faded(colors.accent, 0.5) });
      },
    };
  }

  protected override figures(index: number) {
    const { equity = [], positions = [], cost } = this.result;
    const point = equity[index];
    const own = 100 * (point.equity / cost.initial_capital - 1);
    const compared = 100 * (point.buy_hold / cost.initial_capital - 1);
    const held = positions[index];
    return html`<b>${day(point.ts)}</b>
      <span>${t('run.equity')} <b>${number(point.equity, 0)}</b> <span class=${tone(own)}>${signedPercent(own)}</span></span>
      <span>${t('portfolio.compared')} <span class=${tone(compared)}>${signedPercent(compared)}</span></span>
      <span>${t('run.drawdown')} <b>${signedPercent(-Math.abs(point.drawdown_pct))}</b></span>
      <span>${t('portfolio.held', { count: held?.count ?? 0, share: fixed(held?.invested_pct, 0) })}</span>`;
  }
}
