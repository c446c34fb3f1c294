/** The deepest falls of an equity, in the order in which its chart numbers them. */
import { html, nothing } from 'lit';
import { day, signedPercent, t } from '../text.ts';
import { deepestDrawdowns, type EquityPoint } from './figures.ts';

/** The number of falls that are listed, and shaded in the chart. */
export const LISTED_DRAWDOWNS = 5;

export function drawdownList(equity: readonly EquityPoint[]) {
  const deepest = deepestDrawdowns(equity, LISTED_DRAWDOWNS);
  if (deepest.length === 0) return nothing;
  return html`<h3>${t('run.deepest')}</h3>
    <ol class="drawdowns">
      ${deepest.map(({ depth, peak, trough, recovered, bars }) => {
        const span = recovered
          ? t('run.recovered', { peak: day(peak), trough: day(trough), recovered: day(recovered), bars })
          : t('run.not_recovered', { peak: day(peak), trough: day(trough) });
        return html`<li><b class="loss">${signedPercent(depth, 1)}</b> ${span}</li>`;
      })}
    </ol>`;
}
