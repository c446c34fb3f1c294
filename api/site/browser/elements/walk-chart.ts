/** The equity of a walk forward against holding, with a line where each test window begins. */
import type { IChartApi } from 'lightweight-charts';
import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { Marks } from '../charts/marks.ts';
import { equityLines } from '../charts/series.ts';
import { type Drawing, TimeChart } from '../charts/time-chart.ts';
import { day, number, signedPercent, t, tone } from '../text.ts';
import type { WalkForward } from '../types.ts';

@customElement('walk-chart')
export class WalkChart extends TimeChart {
  @property({ attribute: false }) walk!: WalkForward;

  protected override get days() {
    return this.walk.equity;
  }

  protected override draw(chart: IChartApi): Drawing {
    const equity = equityLines(chart);
    const windows = new Marks();
    equity.own.attachPrimitive(windows);
    return {
      show: () => equity.show(this.walk.equity),
      paint: (colors) => {
        equity.paint(colors);
        const lines = this.walk.windows.map(
          ({ test_start: start }, i) => ({ kind: 'line', start, end: start, label: String(i + 1) }) as const,
        );
        windows.show(lines, colors);
      },
    };
  }

  protected override figures(index: number) {
    const { equity } = this.walk;
    const point = equity[index];
    const holding = 100 * (point.buy_hold / equity[0].buy_hold - 1);
    return html`<b>${day(point.ts)}</b>
      <span>${t('run.equity')} <b>${number(point.equity, 0)}</b></span>
      <span>${t('run.holding')} <span class=${tone(holding)}>${signedPercent(holding)}</span></span>`;
  }
}
