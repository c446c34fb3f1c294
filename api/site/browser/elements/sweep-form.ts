/** The set-up of a sweep: the universe, strategies with the values to try, and a range; then how trades are made. */

import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { fieldValue, find, html, nothing } from '../dom.ts';
import { errorText, Fields } from '../fields.ts';
import { everyValue } from '../optimize/search.ts';
import { OWN_RULES, type Settings, settingsOf } from '../run/specification.ts';
import { areNumbers, type RunFields, type SweepBody, type SweepRun, valuesIn, valueTexts } from '../run/sweep.ts';
import { textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import { rulesWithin } from './rule-editor.ts';
import { endGroup, rangeButtons, rangeOf, readRun, strategyField, tradeGroups } from './run-fields.ts';
import { RunFormElement } from './run-form.ts';
import {
  firstValue,
  isExit,
  labelOf,
  type ParameterSchema,
  parametersOf,
  type Strategy,
  strategyOfRules,
} from './strategy-fields.ts';
import {
  isRuleScreen,
  listField,
  readList,
  readScreen,
  ruleScreenIn,
  screenFields,
  UNIVERSE_KINDS,
  universeField,
} from './universe-fields.ts';

const UNIVERSES = ['all', 'stock', 'etf', ...UNIVERSE_KINDS] as const;
/** `given`: the universe of a call that the form has no fields for. */
type Universe = (typeof UNIVERSES)[number] | 'given';

const DEFAULT_UNIVERSE = { all: true, asset_type: 'stock' };
const DEFAULT_RUN: RunFields = { strategy: 'sma_cross', values: {} };

/** A run with a key that stays while others are added and removed. */
interface Row extends RunFields {
  readonly key: number;
  /** Names of the parameters in own rules. */
  readonly names: readonly string[];
}

/** A field of a run whose values cannot be read. */
interface Problem {
  readonly key: number;
  readonly name: string;
}

@customElement('sweep-form')
export class SweepForm extends RunFormElement {
  /** The initial values of the form. */
  @property({ attribute: false }) body: Partial<SweepBody> = {};
  @state() universe!: Universe;
  @state() range!: string;
  @state() rows!: readonly Row[];
  @state() problem!: Problem | null;
  private keys = 0;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('body')) return;
    const { universe = DEFAULT_UNIVERSE, runs } = this.body;
    this.universe = kindOf(universe);
    this.range = rangeOf(this.body);
    this.rows = (runs?.map((run) => ({ ...run, values: valueTexts(run) })) ?? [DEFAULT_RUN]).map((run) =>
      this.row(run),
    );
    this.problem = null;
  }

  private row(run: RunFields): Row {
    return { ...run, key: this.keys++, names: Object.keys(run.values) };
  }

  override get settings(): Settings {
    const { universe: _universe, runs: _runs, ...run } = this.body;
    return settingsOf(run);
  }

  protected override bodyOf(element: HTMLFormElement, form: FormData): SweepBody | null {
    const runs: SweepRun[] = [];
    for (const row of this.rows) {
      const { key, strategy } = row;
      const fields = this.parametersOf(row).map(([name, schema]) => ({
        name,
        text: form.getAll(fieldName(key, name)).join(', '),
        isNumber: everyValue(schema) === null,
      }));
      const wrong = fields.find(({ text, isNumber }) => isNumber && !areNumbers(text));
      if (wrong) {
        this.problem = { key, name: wrong.name };
        return null;
      }
      const values = valuesIn(Object.fromEntries(fields.map(({ name, text }) => [name, text])));
      const rules = strategy === OWN_RULES ? { rules: rulesWithin(find(this, `#sweep-run-${key}`, HTMLElement)) } : {};
      runs.push({ strategy, ...rules, ...values });
    }
    this.problem = null;
    const { strategy: _none, ...run } = readRun(element, '', this.range);
    const skipping = this.universe === 'symbols' && this.body.skip_unknown ? { skip_unknown: true } : {};
    return { universe: this.universeIn(form), runs, ...run, ...skipping };
  }

  private universeIn(form: FormData): object | string {
    const { universe } = this;
    if (universe === 'given') return this.body.universe ?? DEFAULT_UNIVERSE;
    if (universe === 'symbols') return { symbols: readList(form) };
    if (universe === 'screen') return { screen: readScreen(form) };
    return universe === 'all' ? 'all' : { all: true, asset_type: universe };
  }

  override render() {
    const chooseRange = (range: string) => {
      this.range = range;
    };
    this.fields = new Fields(this.body, this.fieldErrors);
    const content = html`${this.instruments()}
      ${repeat(
        this.rows,
        ({ key }) => key,
        (row) => this.run(row),
      )}
      <p class="muted small" id="values-hint">${t('sweeps.values.hint')}</p>
      <p><button type="button" @click=${this.add}>${t('sweeps.add')}</button></p>
      ${rangeButtons(this, this.range, chooseRange)} ${tradeGroups(this, this.present.values)}
      ${endGroup(this, this.present.values)}`;
    return this.frame(content, { action: t('sweeps.run'), busy: t('sweeps.queueing') });
  }

  private instruments() {
    const { universe, fields } = this;
    const given = this.body.universe ?? DEFAULT_UNIVERSE;
    const kinds: readonly Universe[] = kindOf(given) === 'given' ? [...UNIVERSES, 'given'] : UNIVERSES;
    const choose = (kind: Universe) => {
      this.universe = kind;
    };
    return html`${universeField(kinds, universe, (kind) => t(`universe.${kind}`), choose)}
      ${universe === 'symbols' ? listField(symbolsOf(given), fields, null) : nothing}
      ${universe === 'screen' ? screenFields(ruleScreenIn(screenOf(given)), fields) : nothing}`;
  }

  private readonly add = () => {
    this.rows = [...this.rows, this.row(DEFAULT_RUN)];
  };

  private strategyOf({ strategy, names }: Row): Strategy {
    const { strategies } = this.strategies;
    return strategy === OWN_RULES
      ? strategyOfRules(names)
      : (strategies.find(({ code }) => code === strategy) ?? strategies[0]);
  }

  private parametersOf(row: Row) {
    return parametersOf(this.strategyOf(row));
  }

  private replace(key: number, change: Partial<Row>): void {
    this.rows = this.rows.map((row) => (row.key === key ? { ...row, ...change } : row));
  }

  private run(row: Row) {
    const { key, strategy, rules, names } = row;
    const { name } = this.strategyOf(row);
    const choose = (event: Event) => this.replace(key, { strategy: fieldValue(event), values: {} });
    const named = ({ detail }: CustomEvent<readonly string[]>) => this.replace(key, { names: detail });
    const removeRow = () => {
      this.rows = this.rows.filter((one) => one.key !== key);
    };
    const fields = (isWanted: (name: string) => boolean) =>
      repeat(
        this.parametersOf(row).filter(([parameter]) => isWanted(parameter)),
        ([parameter]) => `${strategy} ${parameter}`,
        ([parameter, schema]) => this.values(row, parameter, schema),
      );
    const exits = this.parametersOf(row).filter(([parameter]) => isExit(parameter));
    return html`<div class="sweep-run" id=${`sweep-run-${key}`} role="group" aria-label=${name}>
      ${strategyField(this, strategy, choose)}
      ${strategy === OWN_RULES ? html`<rule-fields .rules=${rules ?? { entry: '' }} .names=${names} @parameters=${named}></rule-fields>` : nothing}
      <div class="values">${fields((parameter) => !isExit(parameter))}</div>
      ${
        exits.length === 0
          ? nothing
          : html`<details ?open=${exits.some(([parameter]) => (row.values[parameter] ?? '') !== '')}>
              <summary>${t('form.exits')}</summary>
              <div class="values">${fields(isExit)}</div>
            </details>`
      }
      ${this.rows.length === 1 ? nothing : html`<button type="button" class="quiet" @click=${removeRow}>${t('sweeps.leave_out')}</button>`}
    </div>`;
  }

  /** The values to try of one parameter: numbers as they are written, words by choosing. */
  private values({ key, values }: Row, name: string, schema: ParameterSchema) {
    const isWrong = this.problem?.key === key && this.problem.name === name;
    const all = everyValue(schema);
    const field = fieldName(key, name);
    const given = values[name] ?? '';
    if (all) {
      const chosen = given.split(', ');
      return html`<div class="field words" role="group" aria-label=${labelOf(name, schema)}><span>${labelOf(name, schema)}</span>
        ${all.map((word) => html`<label class="check"><input type="checkbox" name=${field} value=${String(word)} .checked=${chosen.includes(String(word))} /> ${textOr(`param.${word}`, String(word))}</label>`)}
      </div>`;
    }
    return html`<label class="field"><span>${labelOf(name, schema)}</span>
      <input name=${field} .value=${given} placeholder=${firstValue(schema)} ?required=${schema.default === undefined}
        aria-describedby="values-hint" aria-invalid=${isWrong ? 'true' : nothing} autocomplete="off" spellcheck="false" />
      ${errorText(isWrong ? t('sweeps.values.wrong') : undefined)}</label>`;
  }
}

const fieldName = (key: number, parameter: string) => `values.${key}.${parameter}`;

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
