/** The editor of a strategy: its rules with their parameters, what to try them on, and a name to save them under. */

import { customElement, property, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { fieldsOf, find, html, nothing, SiteElement, textIn } from '../dom.ts';
import type { BacktestBody } from '../run/backtest.ts';
import { conditionOf, defaultsOf, questionHref } from '../run/outcomes.ts';
import { OWN_RULES, type Rules, withDefaults } from '../run/specification.ts';
import { rangeText } from '../text.ts';
import { t } from '../tool-text.ts';
import type { OwnStrategy } from '../types.ts';
import { readRules } from './rule-editor.ts';
import { readParameters, strategyFields, strategyOfRules } from './strategy-fields.ts';
import './symbol-search.ts';

const RANGES = ['1Y', '3Y', '5Y', 'MAX'] as const;

/** The content of the editor. */
export interface Draft {
  readonly name: string;
  readonly rules: Rules;
  readonly parameters: Readonly<Record<string, { readonly default: number }>>;
}

/** Detail of the events `try` and `save`. */
export interface DraftDetail {
  readonly draft: Draft;
  readonly body: BacktestBody;
}

@customElement('strategy-editor')
export class StrategyEditor extends SiteElement {
  /** The strategy to edit; its id is 0 if it is not saved. */
  @property({ attribute: false }) strategy!: Pick<OwnStrategy, 'id' | 'name' | 'rules' | 'parameters'>;
  @property() symbol = '';
  @property({ attribute: false }) isBusy = false;
  /** Names of the parameters in the rules. */
  @state() parameters: readonly string[] = [];

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('strategy')) this.parameters = Object.keys(this.strategy.parameters);
  }

  private draftOf(form: FormData): Draft {
    const values = Object.entries(readParameters(strategyOfRules(this.parameters), form));
    return {
      name: textIn(form, 'strategy_name'),
      rules: readRules(form),
      parameters: Object.fromEntries(values.map(([name, value]) => [name, { default: Number(value) }])),
    };
  }

  private readonly submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = fieldsOf(event);
    const draft = this.draftOf(form);
    const action = event.submitter instanceof HTMLButtonElement ? event.submitter.value : '';
    if (action === 'ask')
      return location.assign(questionHref({ condition: conditionOf(draft.rules.entry, defaultsOf(draft.parameters)) }));
    const params = Object.entries(draft.parameters).map(([name, parameter]) => [name, parameter.default]);
    const body: BacktestBody = withDefaults({
      symbol: textIn(form, 'symbol').toUpperCase(),
      strategy: OWN_RULES,
      rules: draft.rules,
      time_range: textIn(form, 'time_range'),
      ...(params.length === 0 ? {} : { params: Object.fromEntries(params) }),
    });
    const isSave = action === 'save';
    if (isSave && draft.name === '') return find(this, '[name="strategy_name"]', HTMLInputElement).focus();
    this.dispatchEvent(new CustomEvent<DraftDetail>(isSave ? 'save' : 'try', { detail: { draft, body } }));
  };

  override render() {
    const named = ({ detail }: CustomEvent<readonly string[]>) => {
      this.parameters = detail;
    };
    return html`<form class="backtest-form" @submit=${this.submit}>
      <rule-fields .rules=${this.strategy.rules} .hasPeers=${true} .names=${this.parameters} @parameters=${named}></rule-fields>
      ${this.parameters.length === 0 ? nothing : keyed(this.strategy, this.values())}
      <div class="fields">
        <div class="field">
          <span aria-hidden="true">${t('form.symbol')}</span>
          <symbol-search name="symbol" .value=${this.symbol} label=${t('form.symbol')}></symbol-search>
        </div>
        <label class="field"><span>${t('form.range')}</span>
          <select name="time_range">${RANGES.map((range) => html`<option value=${range} ?selected=${range === '5Y'}>${rangeText(range)}</option>`)}</select>
        </label>
        <label class="field wide"><span>${t('word.name')}</span>
          <input name="strategy_name" maxlength="100" autocomplete="off" .value=${this.strategy.name} placeholder=${t('strategies.name')} />
        </label>
      </div>
      <div class="row">
        <button class="primary" value="try" ?disabled=${this.isBusy}>${this.isBusy ? t('form.running') : t('strategies.try')}</button>
        <button value="save">${t(this.strategy.id === 0 ? 'word.save' : 'strategies.save_again')}</button>
        <button value="ask">${t('symbol.outcomes')}</button>
      </div>
    </form>`;
  }

  private values() {
    const known = Object.entries(this.strategy.parameters).map(([name, parameter]) => [
      name,
      String(parameter.default),
    ]);
    return html`<fieldset class="field">
      <legend>${t('form.parameters')}</legend>
      <div class="fields">${strategyFields(strategyOfRules(this.parameters), Object.fromEntries(known))}</div>
    </fieldset>`;
  }
}
