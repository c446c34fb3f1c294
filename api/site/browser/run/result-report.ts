/** The report of a run, in the order in which it is read: warnings, words, figures, chart, tables, evidence, programs. */
import { html, nothing } from 'lit';
import { path } from '../api.ts';
import '../elements/code-samples.ts';
import '../elements/run-evidence.ts';
import { runSamples } from '../samples.ts';
import { t } from '../text.ts';
import { type Figure, figureList, quietFigureList } from './figure-list.ts';
import { returnsByYear, type YearReturns } from './figures.ts';
import type { AnyResult, RunKind } from './kind.ts';
import { monthTable } from './month-table.ts';
import { RULE_PARTS, type Rules } from './specification.ts';

/** The rules that a run went by; nothing for a built-in strategy. */
function ruleList(rules: Rules | undefined) {
  if (rules === undefined) return nothing;
  return html`<dl class="facts rules">
    ${RULE_PARTS.map((part) => (rules[part] === undefined ? nothing : html`<dt>${t(`rule.${part}`)}</dt><dd><code>${rules[part]}</code></dd>`))}
  </dl>`;
}

interface Report<Body, Result> {
  readonly result: Result;
  /** The call that gives this result; null where it is not known. */
  readonly body: Body | null;
  /** The id under which its reader keeps it; null: they do not. */
  readonly kept: number | null;
  /** Whether its reader has run it. */
  readonly isOwn: boolean;
}

interface Parts<Result extends AnyResult> {
  readonly notices: unknown;
  /** The run in sentences; not asked of a run without trades. */
  readonly sentences: (years: readonly YearReturns[]) => readonly string[];
  /** The figures that count. */
  readonly figures: readonly Figure[];
  /** All other figures, by name. */
  readonly details: readonly (readonly [name: string, value: string])[];
  /** The chart and what belongs to it; not asked of a run whose equity is not known. */
  readonly chart: (equity: NonNullable<Result['equity']>) => unknown;
  readonly tables: unknown;
}

export function resultReport<Body extends object, Result extends AnyResult>(
  { api, needsKey }: RunKind<Body, Result>,
  { result, body, kept, isOwn }: Report<Body, Result>,
  { notices, sentences, figures, details, chart, tables }: Parts<Result>,
) {
  const { num_trades, equity, disclaimer, rules, cost } = result;
  const years = returnsByYear(equity ?? [], cost.initial_capital);
  const words = num_trades === 0 ? [t('run.words.none')] : sentences(years);
  const address = kept === null ? null : path(api.evidence, { id: kept });
  return html`${notices}
    <p class="run-words">${words.join(' ')}</p>
    ${ruleList(rules)}
    ${figureList(figures)} ${quietFigureList(details)}
    ${equity && equity.length > 0 ? html`<h2>${t('run.over_time')}</h2>${chart(equity)}` : nothing}
    ${tables} ${years.length === 0 ? nothing : html`<h2>${t('run.months')}</h2>${monthTable(years)}`}
    <run-evidence .evidence=${result} .address=${address} .isOwn=${isOwn}></run-evidence>
    ${body === null ? nothing : programs(api.run, body, needsKey)}
    <p class="muted small">${disclaimer}</p>`;
}

function programs(address: string, body: object, needsKey: boolean) {
  return html`<h2>${t('run.programs')}</h2>
    <code-samples .samples=${runSamples({ url: `${location.origin}${address}`, body, needsKey })}></code-samples>`;
}
