/** The set-up of a search: instruments, a strategy, the values to try of its parameters, and groups that say what they are now. */

import { customElement, property, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { fieldValue, html, nothing, targetOf, textIn } from '../dom.ts';
import { errorText, Fields, schemaField, schemaOf } from '../fields.ts';
import {
  type Axis,
  axesIn,
  combinationsOf,
  defaultGrid,
  defaultSteps,
  everyValue,
  heatNames,
  isSteps,
  MAX_COMBINATIONS,
  objectiveOf,
  objectiveText,
  type SearchBody,
  type Steps,
} from '../optimize/search.ts';
import { exitWords } from '../run/setting-words.ts';
import { AXIS, parametersIn, runIn, type Settings } from '../run/specification.ts';
import { listed, symbolsIn, textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import { endGroup, symbolField, tradeGroups } from './run-fields.ts';
import { RunFormElement } from './run-form.ts';
import { StrategyChoice } from './strategy-choice.ts';
import { firstValue, isExit, labelOf, type ParameterSchema, parameterField, parametersOf } from './strategy-fields.ts';
import {
  listField,
  readList,
  readScreen,
  ruleScreenIn,
  screenFields,
  UNIVERSE_KINDS,
  universeField,
} from './universe-fields.ts';

/** Default bars of a walk-forward window: two years, then half a year. */
const DEFAULT_TRAIN = '504';
const DEFAULT_TEST = '126';
/** Columns and rows of the heat map. */
const HEAT_AXES = 2;

@customElement('search-form')
export class SearchForm extends RunFormElement {
  /** The initial values of the form. */
  @property({ attribute: false }) settings!: Settings;
  /** The parameters that are varied. */
  @state() axes!: Readonly<Record<string, Axis>>;
  @state() isWalking!: boolean;
  /** One instrument, a list, or a screen. */
  @state() universe!: Universe;
  private readonly choice = new StrategyChoice(this);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('settings')) return;
    const { train, symbols, where } = this.settings;
    this.choice.begin();
    this.isWalking = train !== undefined;
    this.universe = where === undefined ? (symbols === undefined ? 'symbol' : 'symbols') : 'screen';
    const given = axesIn(this.settings, this.choice.strategy);
    this.axes = Object.keys(given).length > 0 ? given : defaultGrid(this.choice.strategy);
  }

  private readonly onSwitch = (event: Event) => {
    this.choice.choose(fieldValue(event));
    this.axes = defaultGrid(this.choice.strategy);
  };

  protected override bodyOf(element: HTMLFormElement, form: FormData): SearchBody {
    const names = Object.keys(this.axes);
    const [x, y] = HEAT_NAMES.map((name) => textIn(form, name));
    const heatmap = x !== y && names.includes(x) && names.includes(y) ? ([x, y] as const) : heatNames(names);
    const bars = (name: string) => Number(form.get(name));
    const isOne = this.universe === 'symbol';
    const many = this.universe === 'screen' ? { screen: readScreen(form) } : { symbols: readList(form) };
    return {
      ...(isOne ? { symbol: textIn(form, 'symbol').toUpperCase() } : many),
      ...this.choice.readRun(element),
      ...this.choice.readStrategy(form, names),
      grid: this.axes,
      objective: textIn(form, 'objective'),
      ...(heatmap === null ? {} : { heatmap }),
      ...(isOne && this.isWalking ? { walk_forward: { train_bars: bars('train'), test_bars: bars('test') } } : {}),
    };
  }

  private vary(name: string, schema: ParameterSchema, isVaried: boolean): void {
    const { [name]: _left, ...others } = this.axes;
    this.axes = isVaried ? { ...others, [name]: everyValue(schema) ?? defaultSteps(schema) } : others;
  }

  private stepTo(name: string, part: keyof Steps, event: Event): void {
    const axis = this.axes[name];
    if (!isSteps(axis)) return;
    const { from, to, step } = axis;
    this.axes = { ...this.axes, [name]: { from, to, step, [part]: Number(fieldValue(event)) } };
  }

  override render() {
    const { code, strategy } = this.choice;
    this.fields = new Fields(runIn(this.settings), this.fieldErrors);
    const count = combinationsOf(this.axes);
    const isPossible = count > 0 && count <= MAX_COMBINATIONS && Object.keys(this.axes).length > 0;
    const axes = (isWanted: (name: string) => boolean) =>
      parametersOf(strategy)
        .filter(([name]) => isWanted(name))
        .map(([name, schema]) => this.parameter(name, schema));
    const content = html`${this.instruments()}
      ${this.choice.strategyField(this.onSwitch)}
      <p class="muted small">${strategy.description}</p>
      ${this.choice.rules()} ${keyed(code, html`${axes((name) => !isExit(name))}`)} ${this.choice.rangeField()}
      ${this.groups(() => axes(isExit))}`;
    const note = html`<p role="status" class="small ${isPossible ? 'muted' : 'field-error loss'}">${this.countText(count)}</p>`;
    return this.frame(content, { action: t('optimize.run'), busy: t('optimize.running'), isPossible, note });
  }

  private groups(exits: () => unknown) {
    const { fields } = this;
    const now = this.present.values;
    const windows = this.isWalking && now.train ? `${now.train} / ${now.test}` : t('form.none');
    return html`${fields.group(t('optimize.objective'), objectiveText(objectiveOf(now.objective)), () => this.objectiveFields())}
      ${this.universe === 'symbol' ? fields.group(t('optimize.walk'), windows, () => this.walkFields()) : nothing}
      ${tradeGroups(this, now)}
      ${keyed(this.choice.code, fields.group(t('form.exits'), exitWords(now), exits))} ${endGroup(this, now)}`;
  }

  /** One instrument, or the fields of a list or a screen, which is searched as a portfolio. */
  private instruments() {
    const { settings, fields, universe } = this;
    const choose = (kind: Universe) => {
      this.universe = kind;
    };
    const kinds = universeField(UNIVERSES, universe, (kind) => t(`universe.${kind}`), choose);
    if (universe === 'symbol') return html`${kinds} ${symbolField(this)}`;
    if (universe === 'symbols') return html`${kinds} ${listField(symbolsIn(settings.symbols ?? ''), fields, null)}`;
    const { where = '', limit } = settings;
    return html`${kinds} ${screenFields(ruleScreenIn({ where, limit: Number(limit) || undefined }), fields)}`;
  }

  private countText(count: number): string {
    if (Object.keys(this.axes).length === 0) return t('optimize.none_varied');
    if (count === 0) return t('optimize.no_steps');
    if (count > MAX_COMBINATIONS) return t('optimize.too_many', { count, most: MAX_COMBINATIONS });
    return t('optimize.count', { count });
  }

  private parameter(name: string, schema: ParameterSchema) {
    const axis = this.axes[name];
    const label = labelOf(name, schema);
    const toggle = (event: Event) => this.vary(name, schema, targetOf(event, HTMLInputElement).checked);
    return html`<div class="axis" role="group" aria-label=${label}>
      <label class="check"><input type="checkbox" .checked=${axis !== undefined} @change=${toggle} aria-label=${t('optimize.try', { parameter: label })} /> ${t('optimize.vary')}</label>
      ${axis === undefined ? this.fixed(name, schema) : this.varied(name, label, schema, axis)}
      ${errorText(this.fields.error(name))}
    </div>`;
  }

  private fixed(name: string, schema: ParameterSchema) {
    return parameterField(name, schema, parametersIn(this.settings)[name] ?? firstValue(schema));
  }

  private varied(name: string, label: string, schema: ParameterSchema, axis: Axis) {
    if (!isSteps(axis)) {
      const words = listed(axis.map((value) => textOr(`param.${value}`, String(value))));
      return html`<p class="field"><span>${label}</span>${words}</p>`;
    }
    const { minimum, maximum, type } = schema;
    const part = (key: keyof Steps, text: string) => html`<label class="field">
      <span>${text}</span>
      <input
        type="number"
        name=${`${AXIS}${name}.${key}`}
        step="any"
        min=${key === 'step' ? (type === 'integer' ? 1 : nothing) : (minimum ?? nothing)}
        max=${key === 'step' ? nothing : (maximum ?? nothing)}
        .value=${String(axis[key])}
        @change=${(event: Event) => this.stepTo(name, key, event)}
        required
      />
    </label>`;
    return html`<span class="muted small">${label}</span>
      <div class="steps">${part('from', t('optimize.from'))} ${part('to', t('optimize.to'))} ${part('step', t('optimize.step'))}</div>`;
  }

  private objectiveFields() {
    const names = Object.keys(this.axes);
    const labels = new Map(parametersOf(this.choice.strategy).map(([name, schema]) => [name, labelOf(name, schema)]));
    const [x, y] = heatNames(names) ?? [];
    const axis = (
      name: string,
      label: string,
      fallback: string | undefined,
    ) => html`<label class="field"><span>${label}</span>
      <select name=${name}>
        ${names.map((one) => html`<option value=${one} ?selected=${one === (this.settings[name] ?? fallback)}>${labels.get(one)}</option>`)}
      </select></label>`;
    return html`${schemaField({
      name: 'objective',
      label: t('optimize.objective'),
      schema: schemaOf('objective'),
      value: objectiveOf(this.settings.objective),
      textOf: (code) => objectiveText(objectiveOf(code)),
    })}
      ${names.length > HEAT_AXES ? [axis('x', t('optimize.columns'), x), axis('y', t('optimize.rows'), y)] : nothing}`;
  }

  private walkFields() {
    const toggle = (event: Event) => {
      this.isWalking = targetOf(event, HTMLInputElement).checked;
    };
    const bars = (name: 'train' | 'test', label: string, fallback: string) => {
      const schema = schemaOf(`walk_forward.${name}_bars`);
      return schemaField({ name, label, schema, value: this.settings[name] ?? fallback });
    };
    return html`<label class="field check"><input type="checkbox" .checked=${this.isWalking} @change=${toggle} /> ${t('optimize.walk')}</label>
      <p class="hint">${t('optimize.walk.text')}</p>
      ${
        this.isWalking
          ? html`<div class="pair">${bars('train', t('optimize.train'), DEFAULT_TRAIN)} ${bars('test', t('optimize.test'), DEFAULT_TEST)}</div>`
          : nothing
      }
      ${errorText(this.fields.error('walk_forward'))}`;
  }
}

const UNIVERSES = ['symbol', ...UNIVERSE_KINDS] as const;
type Universe = (typeof UNIVERSES)[number];
const HEAT_NAMES = ['x', 'y'] as const;
