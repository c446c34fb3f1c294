/** Form of a backtest: a symbol, a strategy with its parameters, a range, and the execution. */
import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { fieldsOf, fieldValue, find, SiteElement } from '../dom.ts';
import type { FieldErrors } from '../field-errors.ts';
import type { BacktestBody } from '../run/backtest.ts';
import { OWN_RULES, parametersIn, type Settings } from '../run/specification.ts';
import { day, t } from '../text.ts';
import type { Strategies } from '../types.ts';
import { readSymbol, symbolField } from './run-fields.ts';
import { StrategyChoice } from './strategy-choice.ts';
import { type ParameterValues, type Strategy, strategyFields, typedParameters } from './strategy-fields.ts';

@customElement('backtest-form')
export class BacktestForm extends SiteElement {
  @property({ attribute: false }) strategies!: Strategies;
  /** The initial values of the form. */
  @property({ attribute: false }) settings!: Settings;
  /** By the name of the field. */
  @property({ attribute: false }) fieldErrors: FieldErrors = {};
  @property({ attribute: false }) isBusy = false;
  private readonly choice = new StrategyChoice(this);
  /** The values typed so far, by strategy: switching there and back loses nothing. */
  private readonly typed = new Map<string, ParameterValues>();

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('settings')) return;
    this.choice.begin();
    this.typed.set(this.choice.code, parametersIn(this.settings));
  }

  private readonly onSwitch = (event: Event) => {
    const form = new FormData(find(this, 'form', HTMLFormElement));
    this.typed.set(this.choice.code, typedParameters(this.choice.strategy, form));
    this.choice.choose(fieldValue(event));
  };

  private readonly submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = fieldsOf(event);
    const detail = { symbol: readSymbol(form), ...this.choice.readRun(form), ...this.choice.readStrategy(form) };
    this.dispatchEvent(new CustomEvent<BacktestBody>('run', { detail }));
  };

  override render() {
    const { code, strategy } = this.choice;
    return html`<form class="backtest-form" @submit=${this.submit}>
      <div class="fields">
        ${symbolField(this)} ${this.choice.fields(this.onSwitch)}
      </div>
      <fieldset class="field">
        <legend>${t('form.parameters')} · ${strategy.description}</legend>
        ${this.choice.rules()} ${proofOf(strategy)}
        ${keyed(code, html`<div class="fields">${strategyFields(strategy, this.typed.get(code) ?? {}, this.fieldErrors)}</div>`)}
      </fieldset>
      ${this.choice.remainingErrors()}
      <button class="primary" ?disabled=${this.isBusy}>${this.isBusy ? t('form.running') : t('form.run')}</button>
    </form>`;
  }
}

/** The newest proof that the strategy is free of look-ahead, or how to get the first. */
function proofOf({ code, look_ahead_proof: proof }: Strategy) {
  if (code === OWN_RULES) return nothing;
  if (proof === null) {
    return html`<p class="muted small">${t('look_ahead.no_proof', { action: t('evidence.look_ahead') })}</p>`;
  }
  const { proved_at, prefixes, symbol, engine_version } = proof;
  return html`<p class="muted small">
    ${t('look_ahead.proof', { at: day(proved_at), prefixes, symbol, engine: engine_version })}
  </p>`;
}
