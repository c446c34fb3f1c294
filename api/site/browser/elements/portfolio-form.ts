/** Form of a portfolio: a list, a strategy, a range, and the rules that allocate the money. */
import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { fieldsOf, fieldValue, find, SiteElement } from '../dom.ts';
import type { FieldErrors } from '../field-errors.ts';
import type { PortfolioBody } from '../run/portfolio.ts';
import { parametersIn, type Settings, settingsOf } from '../run/specification.ts';
import { t, textOr } from '../text.ts';
import type { Presets, Strategies } from '../types.ts';
import { StrategyChoice } from './strategy-choice.ts';
import { strategyFields } from './strategy-fields.ts';
import {
  listField,
  readList,
  readScreen,
  ruleScreenIn,
  screenFields,
  symbolsIn,
  UNIVERSE_KINDS,
} from './universe-fields.ts';

const PERIODS = ['none', 'week', 'month', 'quarter'] as const;
const SIZINGS = ['equal', 'inverse_volatility'] as const;

@customElement('portfolio-form')
export class PortfolioForm extends SiteElement {
  @property({ attribute: false }) strategies!: Strategies;
  /** Fields that candidates can be ranked by. */
  @property({ attribute: false }) presets!: Presets;
  /** The initial values of the form. */
  @property({ attribute: false }) body!: Partial<PortfolioBody>;
  /** By the name of the field. */
  @property({ attribute: false }) fieldErrors: FieldErrors = {};
  @property({ attribute: false }) isBusy = false;
  /** Symbols in the list. */
  @state() count!: number;
  /** Whether a screen finds the instruments. */
  @state() isScreen!: boolean;
  private readonly choice = new StrategyChoice(this);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('body')) return;
    this.choice.begin();
    this.count = this.body.symbols?.length ?? 0;
    this.isScreen = this.body.screen !== undefined;
  }

  /** Values of the fields that the form shares with other forms. */
  get settings(): Settings {
    return settingsOf(this.body);
  }

  private readonly submit = (event: SubmitEvent) => {
    event.preventDefault();
    this.dispatchEvent(new CustomEvent<PortfolioBody>('run', { detail: this.bodyOf(fieldsOf(event)) }));
  };

  private bodyOf(form: FormData): PortfolioBody {
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const [field, order] = text('rank').split(' ');
    const period = text('rank_period');
    return {
      ...this.choice.readRun(form),
      ...(this.isScreen ? { screen: readScreen(form) } : { symbols: readList(form) }),
      ...this.choice.readStrategy(form),
      allocation: {
        max_positions: Number(text('max_positions')),
        sizing: text('sizing'),
        volatility_period: Number(text('volatility_period')),
        rebalance: text('rebalance'),
        cash_buffer_pct: Number(text('cash_buffer_pct')),
        ...(field === '' ? {} : { rank_by: { field, order, ...(period === '' ? {} : { period: Number(period) }) } }),
      },
      ...(text('benchmark') === '' ? {} : { benchmark: text('benchmark').toUpperCase() }),
    };
  }

  override render() {
    const { strategy } = this.choice;
    const values = parametersIn(this.settings);
    return html`<form class="backtest-form" @submit=${this.submit}>
      ${this.instruments()}
      <div class="fields">
        ${this.choice.fields((event) => this.choice.choose(fieldValue(event)))}
      </div>
      <fieldset class="field">
        <legend>${t('form.parameters')} · ${strategy.description}</legend>
        ${this.choice.rules(true)}
        <div class="fields">${strategyFields(strategy, values, this.fieldErrors)}</div>
      </fieldset>
      <fieldset class="field">
        <legend>${t('portfolio.allocation')}</legend>
        <div class="fields">${this.allocation()}</div>
      </fieldset>
      ${this.choice.remainingErrors('where', 'screen', 'universe', 'max_positions', 'period', 'benchmark')}
      <button class="primary" ?disabled=${this.isBusy}>${this.isBusy ? t('form.running') : t('portfolio.run')}</button>
    </form>`;
  }

  private instruments() {
    const onInput = () => {
      this.count = symbolsIn(find(this, 'textarea', HTMLTextAreaElement).value).length;
    };
    return html`<div class="fields">
        <label class="field"><span>${t('sweeps.universe')}</span>
          <select name="universe" @change=${(event: Event) => {
            this.isScreen = fieldValue(event) === 'screen';
          }}>
            ${UNIVERSE_KINDS.map((one) => html`<option value=${one} ?selected=${(one === 'screen') === this.isScreen}>${t(`sweeps.universe.${one}`)}</option>`)}
          </select></label>
      </div>
      ${
        this.isScreen
          ? screenFields(ruleScreenIn(this.body.screen), this.fieldErrors)
          : listField(this.body.symbols ?? [], this.fieldErrors, this.count, onInput)
      }`;
  }

  private allocation() {
    const given = this.body.allocation;
    const value = (name: string, fallback: string): string =>
      given && name in given ? String(Reflect.get(given, name)) : fallback;
    const select = (
      name: string,
      label: string,
      codes: readonly string[],
      fallback: string,
    ) => html`<label class="field">
      <span>${label}</span>
      <select name=${name}>
        ${codes.map((code) => html`<option value=${code} ?selected=${code === value(name, fallback)}>${textOr(`portfolio.${name}.${code}`, code)}</option>`)}
      </select>
    </label>`;
    return html`<label class="field"><span>${t('portfolio.max_positions')}</span>
        <input type="number" name="max_positions" min="1" max="200" step="1" .value=${value('max_positions', '10')} required />${this.fieldError('max_positions')}</label>
      ${select('sizing', t('portfolio.sizing'), SIZINGS, 'equal')}
      <label class="field"><span>${t('portfolio.volatility_period')}</span>
        <input type="number" name="volatility_period" min="2" max="252" step="1" .value=${value('volatility_period', '63')} required /></label>
      ${select('rebalance', t('portfolio.rebalance'), PERIODS, 'none')}
      <label class="field"><span>${t('portfolio.cash_buffer')}</span>
        <input type="number" name="cash_buffer_pct" min="0" max="50" step="any" .value=${value('cash_buffer_pct', '0')} required /></label>
      ${this.ranking(given && 'rank_by' in given ? given.rank_by : null)}
      <label class="field"><span>${t('portfolio.benchmark')}</span>
        <input name="benchmark" placeholder=${t('portfolio.equal_weight')} .value=${this.benchmark} />${this.fieldError('benchmark')}</label>`;
  }

  private get benchmark(): string {
    const { benchmark = 'equal_weight' } = this.body;
    return benchmark === 'equal_weight' ? '' : benchmark;
  }

  private ranking(given: unknown) {
    const part = (name: string, fallback: string): string =>
      typeof given === 'object' && given !== null && name in given ? String(Reflect.get(given, name)) : fallback;
    const [field, order] = [part('field', ''), part('order', 'desc')];
    const chosen = field === '' ? '' : `${field} ${order}`;
    const option = (code: string, label: string) =>
      html`<option value=${code} ?selected=${code === chosen}>${label}</option>`;
    const ranked = this.presets.fields.filter(({ kind }) => kind === 'number');
    return html`<label class="field"><span>${t('portfolio.rank_by')}</span>
      <select name="rank">
        ${option('', t('portfolio.by_symbol'))}
        ${ranked.flatMap(({ field: code, label }) => [
          option(`${code} desc`, t('portfolio.highest', { field: label })),
          option(`${code} asc`, t('portfolio.lowest', { field: label })),
        ])}
      </select>
    </label>
    <label class="field"><span>${t('portfolio.rank_period')}</span>
      <input type="number" name="rank_period" min="2" max="252" step="1" .value=${part('period', '')} placeholder=${t('portfolio.default')} />${this.fieldError('period')}</label>`;
  }

  private fieldError(name: string) {
    return this.fieldErrors[name]
      ? html`<span class="field-error" role="alert">${this.fieldErrors[name]}</span>`
      : nothing;
  }
}
