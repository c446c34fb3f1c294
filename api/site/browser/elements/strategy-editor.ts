/** Rules of one strategy with their parameters, what they are tried on, and a name to save them by. */
import { html, nothing } from 'lit';
import { fieldsOf, find } from '../dom.ts';
import { SiteElement } from '../element.ts';
import type { OwnStrategy, RulePart } from '../rule-types.ts';
import type { BacktestBody } from '../run/backtest.ts';
import { t } from '../text.ts';
import { RuleEditor } from './rule-editor.ts';
import { rangeText } from './strategy-fields.ts';
import './symbol-search.ts';

const PARTS = ['entry', 'exit', 'stop', 'trail'] as const satisfies readonly RulePart[];
const RANGES = ['1Y', '3Y', '5Y', 'MAX'] as const;
type Part = (typeof PARTS)[number];

/** The content of the editor. */
export interface Draft {
  readonly name: string;
  readonly rules: { readonly entry: string } & Readonly<Partial<Record<Part, string>>>;
  readonly parameters: Readonly<Record<string, { readonly default: number }>>;
}

/** Actions on a draft: try it, or save it. */
export interface Wish {
  readonly draft: Draft;
  readonly body: BacktestBody;
}

class StrategyEditor extends SiteElement {
  static override properties = {
    strategy: { attribute: false },
    symbol: {},
    isBusy: { attribute: false },
    parameters: { state: true },
  };
  /** The strategy to edit; its id is 0 if it is not saved. */
  declare strategy: Pick<OwnStrategy, 'id' | 'name' | 'rules' | 'parameters'>;
  declare symbol: string;
  declare isBusy: boolean;
  /** Named in the rules as they are now. */
  declare parameters: readonly string[];

  constructor() {
    super();
    this.symbol = 'ACRX.US';
    this.isBusy = false;
    this.parameters = [];
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('strategy')) this.parameters = Object.keys(this.strategy.parameters);
  }

  private readonly checked = () => {
    const editors = [...this.querySelectorAll('rule-editor')].filter((one) => one instanceof RuleEditor);
    const named = editors.flatMap(({ checked }) => checked?.parameters ?? []).map(({ name }) => name);
    // A rule that is wrong at the moment names none: the fields of its parameters stay.
    if (editors.some(({ checked }) => (checked?.problems.length ?? 0) > 0)) named.push(...this.parameters);
    this.parameters = [...new Set(named)];
  };

  private draftOf(form: FormData): Draft {
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const optional = (['exit', 'stop', 'trail'] as const).filter((part) => text(part) !== '');
    const values = this.parameters.map((name) => [name, { default: Number(text(`p.${name}`)) }] as const);
    return {
      name: text('strategy_name'),
      rules: { entry: text('entry'), ...Object.fromEntries(optional.map((part) => [part, text(part)])) },
      parameters: Object.fromEntries(values),
    };
  }

  private readonly submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = fieldsOf(event);
    const draft = this.draftOf(form);
    const params = Object.entries(draft.parameters).map(([name, parameter]) => [name, parameter.default]);
    const body: BacktestBody = {
      symbol: String(form.get('symbol')).trim().toUpperCase(),
      strategy: 'rules',
      rules: draft.rules,
      time_range: String(form.get('time_range')),
      ...(params.length === 0 ? {} : { params: Object.fromEntries(params) }),
    };
    const isSave = event.submitter instanceof HTMLButtonElement && event.submitter.value === 'save';
    if (isSave && draft.name === '') return find(this, '[name="strategy_name"]', HTMLInputElement).focus();
    this.dispatchEvent(new CustomEvent<Wish>(isSave ? 'save' : 'try', { detail: { draft, body } }));
  };

  override render() {
    const { rules } = this.strategy;
    const editor = (part: Part) =>
      html`<rule-editor place=${part} .value=${rules[part] ?? ''} label=${t(`rule.${part}`)} hint=${t(`rule.${part}.hint`)} .isRequired=${part === 'entry'}></rule-editor>`;
    return html`<form class="backtest-form" @submit=${this.submit} @check=${this.checked}>
      ${editor('entry')} ${editor('exit')}
      <details ?open=${rules.stop !== undefined || rules.trail !== undefined}>
        <summary>${t('rule.stops')}</summary>
        ${editor('stop')} ${editor('trail')}
      </details>
      ${this.parameters.length === 0 ? nothing : this.values()}
      <div class="fields">
        <div class="field">
          <span aria-hidden="true">${t('form.symbol')}</span>
          <symbol-search name="symbol" .value=${this.symbol} label=${t('form.symbol')}></symbol-search>
        </div>
        <label class="field"><span>${t('form.range')}</span>
          <select name="time_range">${RANGES.map((range) => html`<option value=${range} ?selected=${range === '5Y'}>${rangeText(range)}</option>`)}</select>
        </label>
        <label class="field"><span>${t('word.name')}</span>
          <input name="strategy_name" maxlength="100" autocomplete="off" .value=${this.strategy.name} placeholder=${t('strategies.name')} />
        </label>
      </div>
      <div class="row">
        <button class="primary" value="try" ?disabled=${this.isBusy}>${this.isBusy ? t('form.running') : t('strategies.try')}</button>
        <button value="save">${t(this.strategy.id === 0 ? 'strategies.save' : 'strategies.save_again')}</button>
      </div>
    </form>`;
  }

  private values() {
    const known = this.strategy.parameters;
    return html`<fieldset class="field">
      <legend>${t('form.parameters')}</legend>
      <div class="fields">
        ${this.parameters.map(
          (name) => html`<label class="field"><span>$${name}</span>
            <input type="number" step="any" name=${`p.${name}`} required .defaultValue=${String(known[name]?.default ?? 20)} />
          </label>`,
        )}
      </div>
    </fieldset>`;
  }
}

customElements.define('strategy-editor', StrategyEditor);
