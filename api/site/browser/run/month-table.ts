/** The returns of a run by month and year, colored by their size. */
import { html, type TemplateResult } from 'lit';
import { monthName, signed } from '../text.ts';
import { t } from '../tool-text.ts';
import type { YearReturns } from './figures.ts';

/** Percent from which a return has the full color, and the steps up to it. */
const FULL_COLOR = 16;
const STEPS = 4;

function heat(value: number | null): string {
  if (value === null || Math.abs(value) < 0.05) return '';
  const step = Math.min(STEPS, Math.ceil((STEPS * Math.abs(value)) / FULL_COLOR));
  return `heat-${value > 0 ? 'gain' : 'loss'}-${step}`;
}

/** `benchmark`: the name of what the years are compared with. */
export function monthTable(years: readonly YearReturns[], benchmark = t('run.holding')): TemplateResult {
  const names = Array.from({ length: 12 }, (_, month) => monthName(new Date(Date.UTC(2024, month)).toISOString()));
  const cell = (value: number | null) =>
    html`<td class="number ${heat(value)}">${value === null ? '' : signed(value, 1)}</td>`;
  return html`<div class="table-scroll" role="region" aria-label=${t('run.months')} tabindex="0">
    <table class="months">
      <caption class="visually-hidden">${t('run.months')}</caption>
      <thead>
        <tr>
          <th scope="col">${t('run.year')}</th>
          ${names.map((name) => html`<th scope="col" class="number">${name}</th>`)}
          <th scope="col" class="number">${t('run.year_total')}</th>
          <th scope="col" class="number">${benchmark}</th>
        </tr>
      </thead>
      <tbody>
        ${years
          .toReversed()
          .map(
            ({ year, months, total, holding }) =>
              html`<tr><th scope="row">${year}</th>${months.map(cell)}${cell(total)}<td class="number muted">${signed(holding, 1)}</td></tr>`,
          )}
      </tbody>
    </table>
  </div>`;
}
