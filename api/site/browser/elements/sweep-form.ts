/** The set-up of a sweep: the universe, strategies with the values to try, and a range; then how trades are made. */
import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { fieldsOf, fieldValue, find, SiteElement } from '../dom.ts';
import { type FieldErrors, otherErrors } from '../field-errors.ts';
import { OWN_RULES, type Settings, settingsOf } from '../run/specification.ts';
import { type RunFields, type SweepBody, type SweepRun, valuesIn, valuesText } from '../run/sweep.ts';
import { t } from '../text.ts';
import type { Strategies } from '../types.ts';
import { openInvalid, PresentValues } from './fold.ts';
import { rulesWithin } from './rule-fields.ts';
import { CUSTOM, FIELDS_WITH_ERRORS, rangeButtons, readRun, strategyField } from './run-fields.ts';
import { endGroup, tradeGroups } from './run-groups.ts';
import {
  isRuleScreen,
  listField,
  readList,
  readScreen,
  ruleScreenIn,
  screenFields,
  UNIVERSE_KINDS,
} from './universe-fields.ts';

const UNIVERSES = ['all', 'stock', 'etf', ...UNIVERSE_KINDS] as const;
/** `given`: the universe of a call that the form has no fields for. */
type Universe = (typeof UNIVERSES)[number] | 'given';

const DEFAULT_UNIVERSE = { all: true, asset_type: 'stock' };
const DEFAULT_RUN: RunFields = { strategy: 'sma_cross', values: '' };
const DEFAULT_RANGE = '5Y';

/** A run with a key that stays while others are added and removed. */
interface Row extends RunFields {
  readonly key: number;
}

@customElement('sweep-form')
export class SweepForm extends SiteElement {
  @property({ attribute: false }) strategies!: Strategies;
  /** The initial values of the form. */
  @property({ attribute: false }) body: Partial<SweepBody> = {};
  /** By the name of the field. */
  @property({ attribute: false }) fieldErrors: FieldErrors = {};
  @property({ attribute: false }) isBusy = false;
  @state() universe!: Universe;
  @state() range!: string;
  @state() rows!: readonly Row[];
  /** The key of the run whose values cannot be read; null: none. */
  @state() problem!: number | null;
  private readonly present = new PresentValues(this);
  private keys = 0;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('body')) return;
    const { universe = DEFAULT_UNIVERSE, start, time_range, runs } = this.body;
    this.universe = kindOf(universe);
    this.range = start ? CUSTOM : (time_range ?? DEFAULT_RANGE);
    this.rows = (runs?.map((run) => ({ ...run, values: valuesText(run) })) ?? [DEFAULT_RUN]).map((run) =>
      this.row(run),
    );
    this.problem = null;
  }

  private row(run: RunFields): Row {
    return { ...run, key: this.keys++ };
  }

  /** Values of the fields that the form shares with other forms. */
  get settings(): Settings {
    const { universe: _universe, runs: _runs, ...run } = this.body;
    return settingsOf(run);
  }

  private readonly submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = fieldsOf(event);
    const runs: SweepRun[] = [];
    for (const { key, strategy } of this.rows) {
      const values = valuesIn(String(form.get(`values.${key}`) ?? ''));
      if (values === null) {
        this.problem = key;
        return;
      }
      const rules = strategy === OWN_RULES ? { rules: rulesWithin(find(this, `#sweep-run-${key}`, HTMLElement)) } : {};
      runs.push({ strategy, ...rules, ...values });
    }
    this.problem = null;
    const { strategy: _none, ...run } = readRun(form, '', this.range, this.strategies.defaults);
    const skipping = this.universe === 'symbols' && this.body.skip_unknown ? { skip_unknown: true } : {};
    const detail = { universe: this.universeIn(form), runs, ...run, ...skipping };
    this.dispatchEvent(new CustomEvent<SweepBody>('sweep', { detail }));
  };

  private universeIn(form: FormData): object | string {
    const { universe } = this;
    if (universe === 'given') return this.body.universe ?? DEFAULT_UNIVERSE;
    if (universe === 'symbols') return { symbols: readList(form) };
    if (universe === 'screen') return { screen: readScreen(form) };
    return universe === 'all' ? 'all' : { all: true, asset_type: universe };
  }

  override render() {
    const { universe } = this;
    const chooseRange = (range: string) => {
      this.range = range;
    };
    return html`<form @submit=${this.submit} @input=${this.present.read} @change=${this.present.read} @invalid=${openInvalid}>
      ${this.universeField()}
      ${universe === 'symbols' ? listField(symbolsOf(this.body.universe), this.fieldErrors, null) : nothing}
      ${universe === 'screen' ? screenFields(ruleScreenIn(screenOf(this.body.universe)), this.fieldErrors) : nothing}
      ${repeat(
        this.rows,
        ({ key }) => key,
        (row) => this.run(row),
      )}
      <p class="muted small" id="grid-hint">${t('sweeps.grid.hint')}</p>
      <p><button type="button" @click=${this.add}>${t('sweeps.add')}</button></p>
      ${rangeButtons(this, this.range, chooseRange)} ${tradeGroups(this, this.present.values)}
      ${endGroup(this, this.present.values)}
      ${otherErrors(this.fieldErrors, [...FIELDS_WITH_ERRORS, 'where', 'screen', 'universe'])}
      <div class="run-foot"><button class="primary" ?disabled=${this.isBusy}>${this.isBusy ? t('sweeps.queueing') : t('sweeps.run')}</button></div>
    </form>`;
  }

  private universeField() {
    const isGiven = kindOf(this.body.universe ?? DEFAULT_UNIVERSE) === 'given';
    const kinds = isGiven ? ([...UNIVERSES, 'given'] as const) : UNIVERSES;
    const choose = (event: Event) => {
      const given = fieldValue(event);
      this.universe = kinds.find((one) => one === given) ?? 'stock';
    };
    return html`<label class="field"><span>${t('sweeps.universe')}</span>
      <select name="universe" @change=${choose}>
        ${kinds.map((one) => html`<option value=${one} ?selected=${one === this.universe}>${t(`sweeps.universe.${one}`)}</option>`)}
      </select></label>`;
  }

  private readonly add = () => {
    this.rows = [...this.rows, this.row(DEFAULT_RUN)];
  };

  private run({ key, strategy, values, rules }: Row) {
    const isOwn = strategy === OWN_RULES;
    const known = this.strategies.strategies.find(({ code }) => code === strategy);
    const name = isOwn ? t('form.own_rules') : (known?.name ?? strategy);
    const choose = (event: Event) => {
      const chosen = fieldValue(event);
      this.rows = this.rows.map((row) => (row.key === key ? { ...row, strategy: chosen } : row));
    };
    const removeRow = () => {
      this.rows = this.rows.filter((row) => row.key !== key);
    };
    const isWrong = this.problem === key;
    return html`<div class="sweep-run" id=${`sweep-run-${key}`} role="group" aria-label=${name}>
      ${strategyField(this, strategy, choose)}
      <label class="field"><span>${t('sweeps.grid', { strategy: name })}</span>
        <textarea name=${`values.${key}`} rows="2" aria-describedby="grid-hint" aria-invalid=${isWrong ? 'true' : nothing} .value=${values}
          placeholder=${strategy === DEFAULT_RUN.strategy ? 'fast_period=5,10,20 slow_period=50,100' : ''} autocomplete="off" spellcheck="false"></textarea>
        ${isWrong ? html`<span class="field-error" role="alert">${t('sweeps.grid.wrong')}</span>` : nothing}</label>
      ${isOwn ? html`<rule-fields .rules=${rules ?? { entry: '' }}></rule-fields>` : nothing}
      ${this.rows.length === 1 ? nothing : html`<button type="button" class="quiet" @click=${removeRow}>${t('sweeps.leave_out')}</button>`}
    </div>`;
  }
}

function kindOf(universe: object | string): Universe {
  if (universe === 'all') return 'all';
  if (typeof universe === 'string') return 'given';
  if ('symbols' in universe) return 'asset_type' in universe ? 'given' : 'symbols';
  if ('screen' in universe) return isRuleScreen(universe.screen) ? 'screen' : 'given';
  if (!('asset_type' in universe)) return 'all';
  return UNIVERSES.find((kind) => kind === universe.asset_type) ?? 'given';
}

const symbolsOf = (universe: unknown): readonly string[] =>
  typeof universe === 'object' && universe !== null && 'symbols' in universe && Array.isArray(universe.symbols)
    ? universe.symbols.map(String)
    : [];

const screenOf = (universe: unknown): unknown =>
  typeof universe === 'object' && universe !== null && 'screen' in universe ? universe.screen : null;
