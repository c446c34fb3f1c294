/** The report of a run, in the order in which it is read: warnings, words, figures, chart, tables, evidence, programs. */
import '../elements/code-samples.ts';
import '../elements/run-evidence.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { path } from '../api.ts';
import { runSamples } from '../samples.ts';
import { signed, t } from '../text.ts';
import { type Figure, figureList, quietFigureList, returnsByYear, type YearReturns } from './figures.ts';
import type { AnyResult, RunKind } from './kind.ts';
import { RULE_PARTS, type Rules } from './specification.ts';

/** Percent from which a return has the full color, and the steps up to it. */
const FULL_COLOR = 16;
const STEPS = 4;

function heat(value: number | null): string {
  if (value === null || Math.abs(value) < 0.05) return '';
  const step = Math.min(STEPS, Math.ceil((STEPS * Math.abs(value)) / FULL_COLOR));
  return `heat-${value > 0 ? 'gain' : 'loss'}-${step}`;
}

function monthTable(years: readonly YearReturns[]): TemplateResult {
  const names = Array.from({ length: 12 }, (_, i) => monthName(i));
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
          <th scope="col" class="number">${t('run.holding')}</th>
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

const monthName = (index: number) =>
  new Intl.DateTimeFormat(document.documentElement.lang, { month: 'short', timeZone: 'UTC' }).format(
    Date.UTC(2024, index),
  );

/** The rules of a run; nothing for a built-in strategy. */
function ruleList(rules: Rules | undefined) {
  if (rules === undefined) return nothing;
  return html`<dl class="facts rules">
    ${RULE_PARTS.map((part) => (rules[part] === undefined ? nothing : html`<dt>${t(`rule.${part}`)}</dt><dd><code>${rules[part]}</code></dd>`))}
  </dl>`;
}

interface Report<Body, Result> {
  readonly result: Result;
  /** The call that reproduces this result; null: unknown. */
  readonly body: Body | null;
  /** The id of the kept run; null: it is not kept. */
  readonly keptId: number | null;
  /** Whether its reader has run it. */
  readonly isOwn: boolean;
}

interface Parts {
  /** Above the words. */
  readonly notices: unknown;
  /** The run in sentences; not called for a run without trades. */
  readonly sentences: (years: readonly YearReturns[]) => readonly unknown[];
  /** The key figures. */
  readonly figures: readonly Figure[];
  /** All other figures, by name. */
  readonly details: readonly (readonly [name: string, value: string])[];
  /** The chart and its tables; not called for a run without known equity. */
  readonly chart: () => unknown;
  readonly drawdowns: unknown;
  readonly tables: unknown;
}

export function resultReport<Body extends object, Result extends AnyResult>(
  { api, needsKey }: RunKind<Body, Result>,
  { result, body, keptId, isOwn }: Report<Body, Result>,
  { notices, sentences, figures, details, chart, drawdowns, tables }: Parts,
) {
  const { num_trades, equity, disclaimer, rules, cost } = result;
  const years = returnsByYear(equity ?? [], cost.initial_capital);
  const words = num_trades === 0 ? [t('run.words.none')] : sentences(years);
  const address = keptId === null ? null : path(api.evidence, { id: keptId });
  return html`${notices}
    <p class="run-words">${words.map((sentence) => html`${sentence} `)}</p>
    ${figureList(figures)} ${equity && equity.length > 0 ? chart() : nothing}
    ${tables} ${years.length === 0 ? nothing : html`<h2>${t('run.months')}</h2>${monthTable(years)}`}
    <h2>${t('run.figures')}</h2>
    ${ruleList(rules)} ${quietFigureList(details)} ${drawdowns}
    ${keptId === null ? nothing : html`<p><a href=${path(api.sheet, { id: keptId })}>${t('sheet.open')}</a></p>`}
    <run-evidence .evidence=${result} .address=${address} .isOwn=${isOwn}></run-evidence>
    ${body === null ? nothing : programs(api.run, body, needsKey)}
    <p class="muted small">${disclaimer}</p>`;
}

function programs(address: string, body: object, needsKey: boolean) {
  return html`<h2>${t('run.programs')}</h2>
    <code-samples .samples=${runSamples({ url: `${location.origin}${address}`, body, needsKey })}></code-samples>`;
}
