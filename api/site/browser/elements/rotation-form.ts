/** The set-up of a rotation: universe, ranking, and schedule first, then groups that say what they are now. */
import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { fieldsOf, fieldValue, find, SiteElement } from '../dom.ts';
import { type FieldErrors, otherErrors } from '../field-errors.ts';
import { PRESETS, type RotationBody, SCORE_PRESETS } from '../run/rotation.ts';
import { settingsOf } from '../run/specification.ts';
import { listed, number } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Strategies } from '../types.ts';
import { fold, hasError, openInvalid, PresentValues } from './fold.ts';
import { CUSTOM, FIELDS_WITH_ERRORS, type RunForm, rangeButtons, readRun } from './run-fields.ts';
import { endGroup, tradeGroups } from './run-groups.ts';
import { listField, readList, symbolsIn } from './universe-fields.ts';

const SCHEDULES = ['week', 'month', 'quarter', 'sessions'] as const;
const METHODS = [
  'equal',
  'score',
  'inverse_volatility',
  'min_variance',
  'risk_parity',
  'hrp',
  'max_diversification',
] as const;
const COVARIANCES = ['sample', 'ledoit_wolf'] as const;
const DEFAULT_RANGE = '5Y';
/** Fields that show their own errors. */
const OWN_FIELDS = [
  'where',
  'score',
  'market_filter',
  'top',
  'keep',
  'sessions',
  'lookback',
  'max_weight',
  'benchmark',
] as const;

@customElement('rotation-form')
export class RotationForm extends SiteElement {
  @property({ attribute: false }) strategies!: Strategies;
  /** The initial values of the form. */
  @property({ attribute: false }) body!: Partial<RotationBody>;
  /** Errors by field. */
  @property({ attribute: false }) fieldErrors: FieldErrors = {};
  @property({ attribute: false }) isBusy = false;
  /** Whether every instrument takes part. */
  @state() isWhole!: boolean;
  /** Symbols in the list. */
  @state() count!: number;
  @state() every!: string;
  @state() range!: string;
  private readonly present = new PresentValues(this);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('body')) return;
    const { universe, start, time_range } = this.body;
    this.isWhole = universe?.all === true;
    this.count = universe?.symbols?.length ?? 0;
    const every = this.given('every');
    this.every = typeof every === 'object' ? 'sessions' : String(every ?? 'month');
    this.range = start ? CUSTOM : (time_range ?? DEFAULT_RANGE);
  }

  private get form(): RunForm {
    const { strategies, fieldErrors } = this;
    // Orders for the next open are what a reader of today's ranking can place.
    return { strategies, fieldErrors, settings: settingsOf({ execute_on: 'next_open', ...this.body }) };
  }

  private given(...path: readonly string[]): unknown {
    return path.reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      this.body.rotation,
    );
  }

  private readonly submit = (event: SubmitEvent) => {
    event.preventDefault();
    this.dispatchEvent(new CustomEvent<RotationBody>('run', { detail: this.bodyOf(fieldsOf(event)) }));
  };

  private bodyOf(form: FormData): RotationBody {
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const numbered = (name: string, scale = 1) => (text(name) === '' ? undefined : Number(text(name)) / scale);
    const named = (name: string) => (text(name) === '' ? undefined : text(name));
    const keep = numbered('keep');
    const stopLoss = numbered('stop_loss_pct');
    const { strategy: _strategy, ...run } = readRun(form, '', this.range, this.strategies.defaults);
    return {
      ...run,
      universe: {
        ...(this.isWhole ? { all: true } : { symbols: readList(form) }),
        ...(named('where') === undefined ? {} : { where: text('where') }),
      },
      rotation: {
        every: this.every === 'sessions' ? { sessions: Number(text('sessions')) } : this.every,
        score: text('score'),
        order: text('order'),
        hold: { top: Number(text('top')) },
        ...(keep === undefined ? {} : { keep: { top: keep } }),
        weights: {
          method: text('method'),
          lookback: Number(text('lookback')),
          covariance: text('covariance'),
          max_weight: numbered('max_weight', 100) ?? 1,
        },
        ...withValue('target_volatility_pct', numbered('target_volatility_pct')),
        ...withValue('market_filter', named('market_filter')),
        ...(stopLoss === undefined || stopLoss === 0 ? {} : { exits: { stop_loss_pct: stopLoss } }),
      },
      cash_buffer_pct: Number(text('cash_buffer_pct')),
      ...withValue('benchmark', named('benchmark')?.toUpperCase()),
      survivors: form.has('survivors'),
    };
  }

  override render() {
    const chooseRange = (range: string) => {
      this.range = range;
    };
    return html`<form @submit=${this.submit} @input=${this.present.read} @change=${this.present.read} @invalid=${openInvalid}>
      ${this.universe()} ${this.ranking()}
      <div class="pair">
        ${this.numberField('top', t('rotation.top'), [1, 500], this.given('hold', 'top') ?? 10)} ${this.schedule()}
      </div>
      ${this.every === 'sessions' ? this.numberField('sessions', t('rotation.sessions'), [1, 252], this.given('every', 'sessions') ?? 21) : nothing}
      ${rangeButtons(this.form, this.range, chooseRange)} ${this.groups()}
      ${otherErrors(this.fieldErrors, [...FIELDS_WITH_ERRORS, ...OWN_FIELDS])}
      <div class="run-foot"><button class="primary" ?disabled=${this.isBusy}>${this.isBusy ? t('form.running') : t('rotation.run')}</button></div>
    </form>`;
  }

  private universe() {
    const onInput = () => {
      this.count = symbolsIn(find(this, 'textarea', HTMLTextAreaElement).value).length;
    };
    const choose = (event: Event) => {
      this.isWhole = fieldValue(event) === 'all';
    };
    return html`<label class="field"><span>${t('sweeps.universe')}</span>
        <select name="universe" @change=${choose}>
          <option value="symbols" ?selected=${!this.isWhole}>${t('sweeps.universe.symbols')}</option>
          <option value="all" ?selected=${this.isWhole}>${t('rotation.universe.all')}</option>
        </select></label>
      ${this.isWhole ? nothing : listField(this.body.universe?.symbols ?? [], this.fieldErrors, this.count, onInput)}`;
  }

  private ranking() {
    const score = String(this.given('score') ?? SCORE_PRESETS.momentum);
    const use = (event: Event) => {
      const preset = PRESETS.find((name) => name === fieldValue(event));
      if (preset) find(this, 'input[name="score"]', HTMLInputElement).value = SCORE_PRESETS[preset];
    };
    const chosen = PRESETS.find((name) => SCORE_PRESETS[name] === score);
    return html`<label class="field"><span>${t('rotation.preset')}</span>
        <select name="preset" @change=${use}>
          ${PRESETS.map((name) => html`<option value=${name} ?selected=${name === chosen}>${t(`rotation.preset.${name}`)}</option>`)}
          <option value="" ?selected=${chosen === undefined}>${t('rotation.preset.own')}</option>
        </select></label>
      <label class="field"><span>${t('rotation.score')}</span>
        <input name="score" required spellcheck="false" autocomplete="off" maxlength="2000" aria-describedby="score-hint"
          aria-invalid=${this.fieldErrors.score ? 'true' : nothing} .value=${score} />
        <span class="hint" id="score-hint">${t('rotation.score.hint')} <a href="/rules">${t('page.rules')}</a></span>${this.fieldError('score')}</label>`;
  }

  private schedule() {
    const choose = (event: Event) => {
      this.every = fieldValue(event);
    };
    return html`<label class="field"><span>${t('rotation.every')}</span>
      <select name="every" @change=${choose}>
        ${SCHEDULES.map((code) => html`<option value=${code} ?selected=${code === this.every}>${t(`rotation.every.${code}`)}</option>`)}
      </select></label>`;
  }

  private groups() {
    const { values: now } = this.present;
    const none = t('form.none');
    const group = (title: string, text: string, names: readonly string[], fields: unknown) =>
      fold({ title, now: text, fields, isOpen: hasError(this.fieldErrors, names) });
    const stop = Number(now.stop_loss_pct ?? 0);
    const kept = now.keep ? t('rotation.keep.now', { count: now.keep }) : '';
    const order = now.order === 'asc' ? t('rotation.order.asc') : t('rotation.order.desc');
    const method = METHODS.find((code) => code === now.method) ?? METHODS[0];
    return html`${group(t('rotation.where'), now.where || none, ['where'], this.textField('where', t('rotation.where'), this.body.universe?.where, 'close > 5'))}
      ${group(t('rotation.ranking'), listed([order, kept].filter((word) => word !== '')), ['keep'], this.order())}
      ${group(t('rotation.filter'), now.market_filter || none, ['market_filter'], this.textField('market_filter', t('rotation.filter'), this.given('market_filter'), "of('SPY', close > sma(200))"))}
      ${group(t('rotation.method'), t(`rotation.method.${method}`), ['lookback', 'max_weight'], this.weights())}
      ${tradeGroups(this.form, now)}
      ${group(t('form.exits'), stop > 0 ? t('form.stop_loss.now', { percent: number(stop) }) : none, [], this.numberField('stop_loss_pct', t('rotation.stop_loss'), [0, 100], this.given('exits', 'stop_loss_pct'), false))}
      ${group(t('portfolio.benchmark'), now.benchmark || t('portfolio.equal_weight'), ['benchmark'], this.comparison())}
      ${endGroup(this.form, now)}`;
  }

  private order() {
    return html`${this.select('order', t('rotation.order'), ['desc', 'asc'], (code) => t(`rotation.order.${code}`))}
      ${this.numberField('keep', t('rotation.keep'), [1, 500], this.given('keep', 'top'), false)}`;
  }

  private weights() {
    const most = this.given('weights', 'max_weight');
    return html`${this.select('method', t('rotation.method'), METHODS, (code) => t(`rotation.method.${code}`), 'weights')}
      ${this.numberField('lookback', t('rotation.lookback'), [20, 756], this.given('weights', 'lookback') ?? 252)}
      ${this.select('covariance', t('rotation.covariance'), COVARIANCES, (code) => t(`rotation.covariance.${code}`), 'weights')}
      ${this.numberField('max_weight', t('rotation.max_weight'), [1, 100], typeof most === 'number' ? 100 * most : 100)}
      ${this.numberField('target_volatility_pct', t('rotation.target'), [1, 100], this.given('target_volatility_pct'), false)}
      ${this.numberField('cash_buffer_pct', t('portfolio.cash_buffer'), [0, 50], this.body.cash_buffer_pct ?? 0)}`;
  }

  private comparison() {
    const { benchmark = '', survivors = true } = this.body;
    return html`<label class="field"><span>${t('portfolio.benchmark')}</span>
        <input name="benchmark" placeholder=${t('portfolio.equal_weight')} .value=${benchmark === 'equal_weight' ? '' : benchmark} />${this.fieldError('benchmark')}</label>
      <label class="field check"><input type="checkbox" name="survivors" .checked=${survivors} /><span>${t('rotation.survivors')}</span></label>`;
  }

  private select<Code extends string>(
    name: string,
    label: string,
    codes: readonly Code[],
    textOf: (code: Code) => string,
    ...path: readonly string[]
  ) {
    const chosen = this.given(...path, name) ?? codes[0];
    return html`<label class="field"><span>${label}</span>
      <select name=${name}>
        ${codes.map((code) => html`<option value=${code} ?selected=${code === chosen}>${textOf(code)}</option>`)}
      </select></label>`;
  }

  private numberField(
    name: string,
    label: string,
    [min, max]: readonly [number, number],
    value: unknown,
    isRequired = true,
  ) {
    return html`<label class="field"><span>${label}</span>
      <input type="number" name=${name} min=${min} max=${max} step="any" .value=${value === undefined ? '' : String(value)}
        ?required=${isRequired} placeholder=${isRequired ? nothing : t('rotation.none')} />${this.fieldError(name)}</label>`;
  }

  private textField(name: string, label: string, value: unknown, example: string) {
    return html`<label class="field wide"><span>${label}</span>
      <input name=${name} spellcheck="false" autocomplete="off" maxlength="2000" placeholder=${example}
        aria-invalid=${this.fieldErrors[name] ? 'true' : nothing} .value=${String(value ?? '')} />${this.fieldError(name)}</label>`;
  }

  private fieldError(name: string) {
    return this.fieldErrors[name]
      ? html`<span class="field-error" role="alert">${this.fieldErrors[name]}</span>`
      : nothing;
  }
}

/** A member for a value that is given. */
function withValue(name: string, value: unknown): object {
  return value === undefined ? {} : { [name]: value };
}
