/** The set-up of a portfolio of a strategy: instruments, strategy, and range first, then groups that say what they are now. */
import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { fieldsOf, fieldValue, find, SiteElement } from '../dom.ts';
import type { FieldErrors } from '../field-errors.ts';
import { EXITS } from '../run/kind.ts';
import type { PortfolioBody } from '../run/portfolio.ts';
import { exitWords } from '../run/setting-words.ts';
import { parametersIn, type Settings, settingsOf } from '../run/specification.ts';
import { textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Presets, Strategies } from '../types.ts';
import { fold, hasError, openInvalid, PresentValues } from './fold.ts';
import { endGroup, tradeGroups } from './run-groups.ts';
import { StrategyChoice } from './strategy-choice.ts';
import { isExit, strategyFields } from './strategy-fields.ts';
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
  private readonly present = new PresentValues(this);

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
    const { strategy, code } = this.choice;
    const values = parametersIn(this.settings);
    const own = strategyFields(strategy, values, this.fieldErrors, (name) => !isExit(name));
    return html`<form @submit=${this.submit} @input=${this.present.read} @change=${this.present.read} @invalid=${openInvalid}>
      ${this.instruments()} ${this.choice.strategyField((event) => this.choice.choose(fieldValue(event)))}
      <p class="muted small">${strategy.description}</p>
      ${this.choice.rules(true)} ${keyed(code, html`<div class="pair">${own}</div>`)} ${this.choice.rangeField()}
      ${this.groups()}
      ${this.choice.remainingErrors('where', 'screen', 'universe', 'max_positions', 'period', 'benchmark')}
      <div class="run-foot"><button class="primary" ?disabled=${this.isBusy}>${this.isBusy ? t('form.running') : t('portfolio.run')}</button></div>
    </form>`;
  }

  private instruments() {
    const onInput = () => {
      this.count = symbolsIn(find(this, 'textarea', HTMLTextAreaElement).value).length;
    };
    return html`<label class="field"><span>${t('sweeps.universe')}</span>
        <select name="universe" @change=${(event: Event) => {
          this.isScreen = fieldValue(event) === 'screen';
        }}>
          ${UNIVERSE_KINDS.map((one) => html`<option value=${one} ?selected=${(one === 'screen') === this.isScreen}>${t(`sweeps.universe.${one}`)}</option>`)}
        </select></label>
      ${
        this.isScreen
          ? screenFields(ruleScreenIn(this.body.screen), this.fieldErrors)
          : listField(this.body.symbols ?? [], this.fieldErrors, this.count, onInput)
      }`;
  }

  private groups() {
    const { values: now } = this.present;
    const { code, strategy } = this.choice;
    const exits = strategyFields(strategy, parametersIn(this.settings), this.fieldErrors, isExit);
    const isWrong = (...names: readonly string[]) => hasError(this.fieldErrors, names);
    const allocation = [
      t('portfolio.positions.now', { count: Number(now.max_positions ?? 0) }),
      textOr(`portfolio.sizing.${now.sizing}`, ''),
    ].join(' · ');
    return html`${fold({ title: t('portfolio.allocation'), now: allocation, fields: this.allocation(), isOpen: isWrong('max_positions') })}
      ${fold({ title: t('rotation.ranking'), now: this.rankWords(now.rank ?? ''), fields: this.ranking(), isOpen: isWrong('period') })}
      ${tradeGroups(this, now)}
      ${keyed(code, fold({ title: t('form.exits'), now: exitWords(now), fields: exits, isOpen: isWrong(...EXITS) }))}
      ${fold({
        title: t('portfolio.benchmark'),
        now: now.benchmark || t('portfolio.equal_weight'),
        fields: html`<label class="field"><span>${t('portfolio.benchmark')}</span>
          <input name="benchmark" placeholder=${t('portfolio.equal_weight')} .value=${this.benchmark} />${this.fieldError('benchmark')}</label>`,
        isOpen: isWrong('benchmark'),
      })}
      ${endGroup(this, now)}`;
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
        <input type="number" name="cash_buffer_pct" min="0" max="50" step="any" .value=${value('cash_buffer_pct', '0')} required /></label>`;
  }

  private get benchmark(): string {
    const { benchmark = 'equal_weight' } = this.body;
    return benchmark === 'equal_weight' ? '' : benchmark;
  }

  /** The orders of candidates, by their values. */
  private get ranks(): readonly (readonly [value: string, label: string])[] {
    const ranked = this.presets.fields.filter(({ kind }) => kind === 'number');
    return [
      ['', t('portfolio.by_symbol')],
      ...ranked.flatMap(({ field, label }): [string, string][] => [
        [`${field} desc`, t('portfolio.highest', { field: label })],
        [`${field} asc`, t('portfolio.lowest', { field: label })],
      ]),
    ];
  }

  private rankWords(chosen: string): string {
    return this.ranks.find(([value]) => value === chosen)?.[1] ?? '';
  }

  private ranking() {
    const { allocation } = this.body;
    const given: unknown = allocation && 'rank_by' in allocation ? allocation.rank_by : null;
    const part = (name: string, fallback: string): string =>
      typeof given === 'object' && given !== null && name in given ? String(Reflect.get(given, name)) : fallback;
    const field = part('field', '');
    const chosen = field === '' ? '' : `${field} ${part('order', 'desc')}`;
    return html`<label class="field"><span>${t('portfolio.rank_by')}</span>
      <select name="rank">
        ${this.ranks.map(([value, label]) => html`<option value=${value} ?selected=${value === chosen}>${label}</option>`)}
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
