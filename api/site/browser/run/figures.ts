/** Figures of a run: returns by month and year and the deepest drawdowns, from its equity; and lists of figures. */
import { html, nothing, type TemplateResult } from 'lit';
import { day, dollars, monthName, signed, signedPercent, tone } from '../text.ts';
import { t } from '../tool-text.ts';
import type { BacktestResult } from '../types.ts';

export type EquityPoint = NonNullable<BacktestResult['equity']>[number];

export interface YearReturns {
  readonly year: number;
  /** Percent by month, January first; null: no bar in it. */
  readonly months: readonly (number | null)[];
  readonly total: number;
  readonly holding: number;
}

/** Returns of each calendar month and year, in percent; the first begins with the capital. */
export function returnsByYear(equity: readonly EquityPoint[], capital: number): YearReturns[] {
  const lastOfMonth = new Map<string, EquityPoint>();
  for (const point of equity) lastOfMonth.set(point.ts.slice(0, 7), point);
  const years = new Map<number, { months: (number | null)[]; start: EquityPoint | null; end: EquityPoint }>();
  let before: EquityPoint | null = null;
  for (const [month, point] of lastOfMonth) {
    const year = Number(month.slice(0, 4));
    const row = years.get(year) ?? { months: Array<number | null>(12).fill(null), start: before, end: point };
    row.months[Number(month.slice(5)) - 1] = change(before?.equity ?? capital, point.equity);
    row.end = point;
    years.set(year, row);
    before = point;
  }
  return [...years].map(([year, { months, start, end }]) => ({
    year,
    months,
    total: change(start?.equity ?? capital, end.equity),
    holding: change(start?.buy_hold ?? capital, end.buy_hold),
  }));
}

const change = (from: number, to: number) => 100 * (to / from - 1);

export interface Drawdown {
  /** Days of the peak, of the deepest point, and of the recovery; null: not yet. */
  readonly peak: string;
  readonly trough: string;
  readonly recovered: string | null;
  /** Percent, below 0. */
  readonly depth: number;
  /** Bars from the peak to the recovery, or to the end. */
  readonly bars: number;
}

/** The deepest drawdowns, deepest first. */
export function deepestDrawdowns(equity: readonly EquityPoint[], count: number): Drawdown[] {
  const found: Drawdown[] = [];
  let peak = 0;
  let trough = 0;
  const close = (end: number, recovered: string | null) => {
    const depth = change(equity[peak].equity, equity[trough].equity);
    if (depth >= 0) return;
    const { ts } = equity[peak];
    found.push({ peak: ts, trough: equity[trough].ts, recovered, depth, bars: end - peak });
  };
  for (let i = 1; i < equity.length; i++) {
    if (equity[i].equity >= equity[peak].equity) {
      close(i, equity[i].ts);
      peak = i;
      trough = i;
    } else if (equity[i].equity < equity[trough].equity) trough = i;
  }
  if (equity.length > 0) close(equity.length - 1, null);
  return found.sort((a, b) => a.depth - b.depth).slice(0, count);
}

export interface Figure {
  readonly name: string;
  readonly value: string;
  /** Class of the color that says whether it is good: `gain`, `loss`. */
  readonly tone?: string;
  /** Small text after the value: a unit, or an interval. */
  readonly unit?: string;
  /** Its place in a tear sheet, to which sentences of the verdict lead. */
  readonly place?: string;
}

/** A figure in percent whose sign says whether it is good. `place`: in a tear sheet. */
export function percentFigure(place: string, name: string, percent: number | null, unit?: string): Figure {
  return { place, name, value: signedPercent(percent, 1), tone: tone(percent), unit };
}

/** The id of the element that shows a figure, by its place in a tear sheet. */
export const placeId = (place: string) => `figure-${place.replaceAll('.', '-')}`;

export function figureList(figures: readonly Figure[]) {
  return html`<dl class="figures">
    ${figures.map(
      ({ name, value, tone = '', unit, place }) =>
        html`<div id=${place ? placeId(place) : nothing}><dt>${name}</dt><dd class=${tone}>${value}${unit ? html`<small>${unit}</small>` : nothing}</dd></div>`,
    )}
  </dl>`;
}

export function quietFigureList(figures: readonly (readonly [name: string, value: string])[]) {
  return html`<dl class="quiet-figures">
    ${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/** Nothing without a rate of cash. */
export function interestDetail({ interest }: Pick<BacktestResult, 'interest'>): [string, string][] {
  if (!interest) return [];
  const percent = signedPercent(interest.pct_per_year, 2);
  return [[t('run.interest'), t('run.interest_of', { money: dollars(interest.money), percent })]];
}

/** Drawdowns that are listed. */
const LISTED_DRAWDOWNS = 5;

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

/** Whether a run stands ahead of holding, behind it, or, to one decimal of a percentage point, where it does. */
export function standingOf(excessPct: number): 'ahead' | 'level' | 'behind' {
  if (Math.abs(excessPct) < 0.05) return 'level';
  return excessPct > 0 ? 'ahead' : 'behind';
}

/** Percent from which a return has the full color, and the steps up to it. */
const FULL_COLOR = 16;
const STEPS = 4;

function heat(value: number | null): string {
  if (value === null || Math.abs(value) < 0.05) return '';
  const step = Math.min(STEPS, Math.ceil((STEPS * Math.abs(value)) / FULL_COLOR));
  return `heat-${value > 0 ? 'gain' : 'loss'}-${step}`;
}

/** `benchmark`: the name of what the years are compared with. */
interface ComparedYear extends Omit<YearReturns, 'holding'> {
  /** Null: it is compared with nothing. */
  readonly holding: number | null;
}

export function monthTable(years: readonly ComparedYear[], benchmark = t('run.holding')): TemplateResult {
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

/** Growth of 100. */
export function growthOf(returns: readonly number[]): number[] {
  let growth = 100;
  return returns.map((r) => {
    growth *= 1 + r;
    return growth;
  });
}
