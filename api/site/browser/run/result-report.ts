/** The base of reports of runs, in the order in which they are read: warnings, words, figures, chart, tables, evidence, programs. */
import { html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { path } from '../api.ts';
import { SiteElement } from '../element.ts';
import '../elements/code-samples.ts';
import '../elements/run-evidence.ts';
import { runSamples } from '../samples.ts';
import { t } from '../text.ts';
import { type Figure, figureList, quietFigureList } from './figure-list.ts';
import { returnsByYear, type YearReturns } from './figures.ts';
import type { AnyResult, RunKind } from './kind.ts';
import { monthTable } from './month-table.ts';
import { notices } from './notices.ts';
import { RULE_PARTS, type Rules } from './specification.ts';

/** The rules that a run went by; nothing for a built-in strategy. */
function ruleList(rules: Rules | undefined) {
  if (rules === undefined) return nothing;
  return html`<dl class="facts rules">
    ${RULE_PARTS.map((part) => (rules[part] === undefined ? nothing : html`<dt>${t(`rule.${part}`)}</dt><dd><code>${rules[part]}</code></dd>`))}
  </dl>`;
}

export abstract class ResultReport<Body extends object, Result extends AnyResult> extends SiteElement {
  @property({ attribute: false }) result!: Result;
  /** The call that gives this result; null where it is not known. */
  @property({ attribute: false }) body: Body | null = null;
  /** The id under which its reader keeps it; null: they do not. */
  @property({ attribute: false }) kept: number | null = null;
  /** Whether its reader has run it. */
  @property({ attribute: false }) isOwn = false;

  protected abstract readonly kind: RunKind<Body, Result>;

  /** The run in sentences; not asked of a run without trades. */
  protected abstract sentences(): readonly string[];

  /** The figures that count. */
  protected abstract figures(): readonly Figure[];

  /** All other figures, by name. */
  protected abstract details(): readonly (readonly [name: string, value: string])[];

  /** The chart and what belongs to it; not asked of a run whose equity is not known. */
  protected abstract picture(equity: NonNullable<Result['equity']>): unknown;

  protected abstract tables(): unknown;

  protected notices(): unknown {
    return notices(this.result);
  }

  protected get years(): YearReturns[] {
    return returnsByYear(this.result.equity ?? [], this.result.cost.initial_capital);
  }

  override render() {
    const { num_trades, equity, disclaimer } = this.result;
    const words = num_trades === 0 ? [t('run.words.none')] : this.sentences();
    return html`${this.notices()}
      <p class="run-words">${words.join(' ')}</p>
      ${ruleList(this.result.rules)}
      ${figureList(this.figures())} ${quietFigureList(this.details())}
      ${equity && equity.length > 0 ? html`<h2>${t('run.over_time')}</h2>${this.picture(equity)}` : nothing}
      ${this.tables()} ${this.months()} ${this.evidence()} ${this.programs()}
      <p class="muted small">${disclaimer}</p>`;
  }

  private months() {
    const { years } = this;
    return years.length === 0 ? nothing : html`<h2>${t('run.months')}</h2>${monthTable(years)}`;
  }

  private evidence() {
    const address = this.kept === null ? null : path(this.kind.api.evidence, { id: this.kept });
    return html`<run-evidence .evidence=${this.result} .address=${address} .isOwn=${this.isOwn}></run-evidence>`;
  }

  private programs() {
    if (this.body === null) return nothing;
    const { api, needsKey } = this.kind;
    return html`<h2>${t('run.programs')}</h2>
      <code-samples .samples=${runSamples({ url: `${location.origin}${api.run}`, body: this.body, needsKey })}></code-samples>`;
  }
}
