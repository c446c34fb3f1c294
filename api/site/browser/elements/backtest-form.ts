/** What is to be tested: a symbol, a strategy with its parameters, a range, and how trades are made. */
import { html, nothing } from 'lit';
import { chosenIn, fieldsOf, find } from '../dom.ts';
import { SiteElement } from '../element.ts';
import type { BacktestBody } from '../run/call.ts';
import { parametersIn, type Settings } from '../run/settings.ts';
import { day, t, textOr } from '../text.ts';
import type { Strategies, Strategy } from '../types.ts';
import { type ParameterValues, rangeText, readParameters, strategyFields } from './strategy-fields.ts';
import './symbol-search.ts';

const CUSTOM = 'CUSTOM';
const ADJUSTMENTS = ['split', 'total', 'none'] as const;

class BacktestForm extends SiteElement {
  static override properties = {
    strategies: { attribute: false },
    settings: { attribute: false },
    faults: { attribute: false },
    isBusy: { attribute: false },
    strategy: { state: true },
    range: { state: true },
  };
  declare strategies: Strategies;
  /** What the form begins with. */
  declare settings: Settings;
  /** What is wrong, by field. */
  declare faults: Readonly<Record<string, string>>;
  declare isBusy: boolean;
  declare strategy: string;
  declare range: string;
  /** What was typed, by strategy: switching there and back loses nothing. */
  private readonly typed = new Map<string, ParameterValues>();

  constructor() {
    super();
    this.faults = {};
    this.isBusy = false;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('settings')) return;
    const { defaults, strategies } = this.strategies;
    const { strategy, time_range, start } = this.settings;
    this.strategy = strategies.some(({ code }) => code === strategy) ? strategy : defaults.strategy;
    this.range = start ? CUSTOM : (time_range ?? '5Y');
    this.typed.set(this.strategy, parametersIn(this.settings));
  }

  private get chosen(): Strategy {
    const { strategies } = this.strategies;
    return strategies.find(({ code }) => code === this.strategy) ?? strategies[0];
  }

  private readonly switched = (event: Event) => {
    const form = new FormData(find(this, 'form', HTMLFormElement));
    const values = [...form]
      .filter(([name]) => name.startsWith('p.'))
      .map(([name, value]) => [name.slice(2), String(value)]);
    this.typed.set(this.strategy, Object.fromEntries(values));
    this.strategy = chosenIn(event);
  };

  private readonly submit = (event: SubmitEvent) => {
    event.preventDefault();
    this.dispatchEvent(new CustomEvent<BacktestBody>('run', { detail: this.bodyOf(fieldsOf(event)) }));
  };

  private bodyOf(form: FormData): BacktestBody {
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const share = Number(text('commission')) / 100;
    const cost = {
      commission_rate: share,
      min_commission: Number(text('min_commission')),
      slippage_bps: Number(text('slippage_bps')),
    };
    const params = readParameters(this.chosen, form);
    const isCostless = Object.values(cost).every((value) => value === 0);
    return {
      symbol: text('symbol').toUpperCase(),
      strategy: this.strategy,
      ...(this.range === CUSTOM
        ? { start: text('start'), ...(text('end') === '' ? {} : { end: text('end') }) }
        : { time_range: this.range }),
      ...(Object.keys(params).length === 0 ? {} : { params }),
      execute_on: text('execute_on'),
      adjust: text('adjust'),
      ...(isCostless ? {} : { cost }),
    };
  }

  override render() {
    return html`<form class="backtest-form" @submit=${this.submit}>
      <div class="fields">${this.what()} ${this.when()} ${this.how()}</div>
      <fieldset class="field">
        <legend>${t('form.parameters')} · ${this.chosen.description}</legend>
        ${proofOf(this.chosen)}
        <div class="fields">${strategyFields(this.chosen, this.typed.get(this.strategy) ?? {}, this.faults)}</div>
      </fieldset>
      <button class="primary" ?disabled=${this.isBusy}>${this.isBusy ? t('form.running') : t('form.run')}</button>
    </form>`;
  }

  private what() {
    return html`<div class="field">
        <span aria-hidden="true">${t('form.symbol')}</span>
        <symbol-search name="symbol" .value=${this.settings.symbol ?? ''} label=${t('form.symbol')}></symbol-search>
        ${this.fault('symbol')}
      </div>
      <label class="field wide">
        <span>${t('form.strategy')}</span>
        <select name="strategy" @change=${this.switched}>
          ${this.strategies.strategies.map(
            ({ code, name }) => html`<option value=${code} ?selected=${code === this.strategy}>${name}</option>`,
          )}
        </select>
      </label>`;
  }

  private when() {
    const choose = (event: Event) => {
      this.range = chosenIn(event);
    };
    return html`<label class="field">
        <span>${t('form.range')}</span>
        <select name="time_range" @change=${choose}>
          ${this.strategies.time_ranges.map(
            (range) => html`<option value=${range} ?selected=${range === this.range}>${rangeText(range)}</option>`,
          )}
          <option value=${CUSTOM} ?selected=${this.range === CUSTOM}>${t('form.custom')}</option>
        </select>
      </label>
      ${
        this.range === CUSTOM
          ? html`<label class="field"><span>${t('form.start')}</span><input type="date" name="start" .value=${this.settings.start ?? ''} required />${this.fault('start')}</label>
              <label class="field"><span>${t('form.end')}</span><input type="date" name="end" .value=${this.settings.end ?? ''} />${this.fault('end')}</label>`
          : nothing
      }`;
  }

  private how() {
    const { execute_on, adjust, commission_rate, min_commission, slippage_bps } = this.settings;
    const chosen = execute_on ?? this.strategies.defaults.execute_on;
    const cost = (name: string, label: string, value: string | undefined) => html`<label class="field">
      <span>${label}</span>
      <input type="number" name=${name} min="0" step="any" .value=${value ?? '0'} required />
    </label>`;
    return html`<label class="field">
        <span>${t('form.execute_on')}</span>
        <select name="execute_on">
          ${this.strategies.execute_on.map(
            (code) =>
              html`<option value=${code} ?selected=${code === chosen}>${textOr(`param.${code}`, code)}</option>`,
          )}
        </select>
      </label>
      <label class="field">
        <span>${t('form.adjust')}</span>
        <select name="adjust">
          ${ADJUSTMENTS.map(
            (mode) =>
              html`<option value=${mode} ?selected=${mode === (adjust ?? this.strategies.defaults.adjust)}>${t(`adjust.${mode}`)}</option>`,
          )}
        </select>
      </label>
      ${cost('commission', t('form.commission'), commission_rate && String(100 * Number(commission_rate)))}
      ${cost('min_commission', t('form.min_commission'), min_commission)}
      ${cost('slippage_bps', t('form.slippage'), slippage_bps)}`;
  }

  private fault(name: string) {
    return this.faults[name] ? html`<span class="fault" role="alert">${this.faults[name]}</span>` : nothing;
  }
}

/** When the strategy was last proven free of look-ahead. */
function proofOf({ look_ahead_proof: proof }: Strategy) {
  if (proof === null) return nothing;
  const { proved_at, prefixes, symbol, engine_version } = proof;
  return html`<p class="muted small">
    ${t('look_ahead.proof', { at: day(proved_at), prefixes, symbol, engine: engine_version })}
  </p>`;
}

customElements.define('backtest-form', BacktestForm);
