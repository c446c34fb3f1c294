/** Form of a backtest: a symbol, a strategy with its parameters, a range, and the execution. */
import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { chosenIn, fieldsOf, find } from '../dom.ts';
import type { BacktestBody } from '../run/backtest.ts';
import { OWN_RULES, parametersIn, type Settings } from '../run/specification.ts';
import { day, t } from '../text.ts';
import { rangeFields, readRun, readSymbol, strategyField, symbolField, tradeFields } from './run-fields.ts';
import { type ParameterValues, type Strategy, strategyFields, typedParameters } from './strategy-fields.ts';
import { StrategyForm } from './strategy-form.ts';

@customElement('backtest-form')
export class BacktestForm extends StrategyForm {
  /** The initial values of the form. */
  @property({ attribute: false }) settings!: Settings;
  /** The values typed so far, by strategy: switching there and back loses nothing. */
  private readonly typed = new Map<string, ParameterValues>();

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('settings')) return;
    this.begin();
    this.typed.set(this.strategy, parametersIn(this.settings));
  }

  private readonly switched = (event: Event) => {
    const form = new FormData(find(this, 'form', HTMLFormElement));
    this.typed.set(this.strategy, typedParameters(this.chosen, form));
    this.strategy = chosenIn(event);
  };

  private readonly submit = (event: SubmitEvent) => {
    event.preventDefault();
    this.dispatchEvent(new CustomEvent<BacktestBody>('run', { detail: this.bodyOf(fieldsOf(event)) }));
  };

  private bodyOf(form: FormData): BacktestBody {
    return {
      symbol: readSymbol(form),
      ...readRun(form, this.strategy, this.range, this.strategies.defaults),
      ...this.readStrategy(form),
    };
  }

  override render() {
    const choose = (range: string) => {
      this.range = range;
    };
    return html`<form class="backtest-form" @submit=${this.submit}>
      <div class="fields">
        ${symbolField(this)} ${strategyField(this, this.strategy, this.switched)} ${rangeFields(this, this.range, choose)}
        ${tradeFields(this)}
      </div>
      <fieldset class="field">
        <legend>${t('form.parameters')} · ${this.chosen.description}</legend>
        ${this.rules()} ${proofOf(this.chosen)}
        ${keyed(this.strategy, html`<div class="fields">${strategyFields(this.chosen, this.typed.get(this.strategy) ?? {}, this.faults)}</div>`)}
      </fieldset>
      ${this.faultsBeside()}
      <button class="primary" ?disabled=${this.isBusy}>${this.isBusy ? t('form.running') : t('form.run')}</button>
    </form>`;
  }
}

/** The newest proof that the strategy is free of look-ahead, or how to make the first. */
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
