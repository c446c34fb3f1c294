/** The set-up of a rotation: universe, ranking, and schedule first, then groups that say what they are now. */
import { customElement, property, state } from 'lit/decorators.js';
import { RANKINGS, SCORE_PRESETS } from '../../run-idea.ts';
import { fieldValue, find, html, nothing } from '../dom.ts';
import { Fields, readFields, valueAt } from '../fields.ts';
import { myList } from '../kept-list.ts';
import { memberIn, withMember } from '../member-rule.ts';
import type { RotationBody } from '../run/rotation.ts';
import { type Settings, settingsOf } from '../run/specification.ts';
import { listed, number, symbolsIn, textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import './column-choice.ts';
import { endGroup, rangeButtons, rangeOf, readRun, tradeGroups } from './run-fields.ts';
import { RunFormElement } from './run-form.ts';
import { benchmarkGroup, listField, readBenchmark, readList, ruleLine, universeField } from './universe-fields.ts';

const SCHEDULES = ['week', 'month', 'quarter', 'sessions'] as const;
/** Those of the API but `fixed`, which names a weight for each symbol. */
const METHODS = [
  'equal',
  'score',
  'inverse_volatility',
  'min_variance',
  'risk_parity',
  'hrp',
  'max_diversification',
] as const;
const UNIVERSES = ['all', 'stock', 'etf', 'column', 'symbols'] as const;
const NO_SCORE: RotationBody['rotation'] = { score: '' };

@customElement('rotation-form')
export class RotationForm extends RunFormElement {
  /** The initial values of the form. */
  @property({ attribute: false }) body!: Partial<RotationBody>;
  @state() universe!: (typeof UNIVERSES)[number];
  /** The condition that an instrument is in the chosen column; empty: none is chosen. */
  @state() member!: string;
  /** The other conditions. */
  private where!: string;
  /** Symbols in the list. */
  @state() count!: number;
  @state() every!: string;
  @state() range!: string;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('body')) return;
    const { universe } = this.body;
    const type = UNIVERSES.find((one) => one === String(universe?.asset_type));
    const { rule, rest } = memberIn(universe?.where);
    const isOfColumn = rule !== '' && universe?.all === true && universe.asset_type === undefined;
    this.universe = isOfColumn ? 'column' : universe?.all === true ? (type ?? 'all') : 'symbols';
    this.member = isOfColumn ? rule : '';
    this.where = isOfColumn ? rest : (universe?.where ?? '');
    this.count = this.listed.length;
    const every = this.given('every');
    this.every = typeof every === 'object' ? 'sessions' : String(every ?? 'month');
    this.range = rangeOf(this.body);
  }

  override get settings(): Settings {
    return settingsOf(this.body);
  }

  /** A list that the call does not name begins with that of the reader. */
  private get listed(): readonly string[] {
    return this.body.universe?.symbols ?? myList();
  }

  private given(path: string): unknown {
    return valueAt(this.body.rotation, path);
  }

  protected override bodyOf(form: HTMLFormElement, given: FormData): RotationBody {
    const { strategy: _strategy, ...run } = readRun(form, '', this.range);
    const { universe, rotation, cash_buffer_pct, survivors } = readFields<RotationBody>(form);
    const { exits, every, ...others } = rotation ?? NO_SCORE;
    return {
      ...run,
      universe: { ...this.named(given), ...universe, ...this.inColumn(universe?.where) },
      rotation: {
        every: every ?? this.every,
        ...others,
        ...(valueAt(exits, 'stop_loss_pct') ? { exits } : {}),
      },
      cash_buffer_pct,
      ...readBenchmark(given),
      survivors,
    };
  }

  private inColumn(where = '') {
    return this.universe === 'column' ? { where: withMember(this.member, where) } : {};
  }

  private named(given: FormData): RotationBody['universe'] {
    const { universe } = this;
    if (universe === 'symbols') return { symbols: readList(given) };
    if (universe === 'column') return { all: true };
    // Several types, of a call that the form did not make, stay.
    const type = universe === 'all' ? this.body.universe?.asset_type : universe;
    return { all: true, ...((universe !== 'all' || Array.isArray(type)) && { asset_type: type }) };
  }

  override render() {
    const fields = new Fields(this.body, this.fieldErrors);
    this.fields = fields;
    const chooseRange = (range: string) => {
      this.range = range;
    };
    const content = html`${this.instruments()} ${this.ranking()}
      <div class="pair">
        ${fields.field('rotation.hold.top', t('rotation.top'), { fallback: 10 })} ${this.schedule()}
      </div>
      ${this.every === 'sessions' ? fields.field('rotation.every.sessions', t('rotation.sessions'), { fallback: 21 }) : nothing}
      ${rangeButtons(this, this.range, chooseRange)} ${this.groups()}`;
    return this.frame(content, { action: t('rotation.run') });
  }

  private instruments() {
    const onInput = () => {
      this.count = symbolsIn(find(this, 'textarea', HTMLTextAreaElement).value).length;
    };
    const choose = (kind: typeof this.universe) => {
      this.universe = kind;
    };
    const join = ({ detail }: CustomEvent<string>) => {
      this.member = detail;
    };
    const textOf = (kind: typeof this.universe) => t(kind === 'all' ? 'rotation.universe.all' : `universe.${kind}`);
    return html`${universeField(UNIVERSES, this.universe, textOf, choose)}
      ${this.universe === 'column' ? html`<column-choice class="field" .rule=${this.member} @member=${join}></column-choice>` : nothing}
      ${this.universe !== 'symbols' ? nothing : listField(this.listed, this.fields, this.count, onInput)}`;
  }

  private ranking() {
    const score = String(this.given('score') ?? SCORE_PRESETS.momentum);
    const use = (event: Event) => {
      const preset = RANKINGS.find((name) => name === fieldValue(event));
      if (preset) find(this, 'input[name="rotation.score"]', HTMLInputElement).value = SCORE_PRESETS[preset];
    };
    const chosen = RANKINGS.find((name) => SCORE_PRESETS[name] === score);
    return html`<label class="field"><span>${t('rotation.preset')}</span>
        <select name="preset" @change=${use}>
          ${RANKINGS.map((name) => html`<option value=${name} ?selected=${name === chosen}>${t(`rotation.preset.${name}`)}</option>`)}
          <option value="" ?selected=${chosen === undefined}>${t('rotation.preset.own')}</option>
        </select></label>
      ${this.rule('rotation.score', t('rotation.score'), score, { hint: t('rotation.score.hint'), isRequired: true })}`;
  }

  private rule(
    name: string,
    label: string,
    value: unknown,
    more: { hint?: string; example?: string; isRequired?: boolean },
  ) {
    return ruleLine({ name, label, value: String(value ?? ''), error: this.fields.error(name), ...more });
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
    const { fields, body } = this;
    const { values: now } = this.present;
    const none = t('form.none');
    const stop = Number(now['rotation.exits.stop_loss_pct'] ?? 0);
    const kept = now['rotation.keep.top'] ? t('rotation.keep.now', { count: now['rotation.keep.top'] }) : '';
    const order = t(now['rotation.order'] === 'asc' ? 'rotation.order.asc' : 'rotation.order.desc');
    const method = METHODS.find((code) => code === now['rotation.weights.method']) ?? METHODS[0];
    const filter = { example: "of('SPY', close > sma(200))" };
    const stopLoss = () => fields.field('rotation.exits.stop_loss_pct', t('rotation.stop_loss'), { isOptional: true });
    return html`${fields.group(t('rotation.where'), now['universe.where'] || none, () => this.rule('universe.where', t('rotation.where'), this.where, { example: 'close > 5' }))}
      ${fields.group(t('rotation.ranking'), listed([order, kept].filter((word) => word !== '')), () => this.order())}
      ${fields.group(t('rotation.filter'), now['rotation.market_filter'] || none, () => this.rule('rotation.market_filter', t('rotation.filter'), this.given('market_filter'), filter))}
      ${fields.group(t('rotation.method'), t(`rotation.method.${method}`), () => this.weights())}
      ${tradeGroups(this, now)}
      ${fields.group(t('form.exits'), stop > 0 ? t('form.stop_loss.now', { percent: number(stop) }) : none, stopLoss)}
      ${benchmarkGroup(fields, now, body.benchmark, fields.field('survivors', t('rotation.survivors'), { fallback: true }))}
      ${endGroup(this, now)}`;
  }

  private order() {
    const textOf = (code: string) => t(code === 'asc' ? 'rotation.order.asc' : 'rotation.order.desc');
    return [
      this.fields.field('rotation.order', t('rotation.order'), { textOf }),
      this.fields.field('rotation.keep.top', t('rotation.keep'), { isOptional: true }),
    ];
  }

  private weights() {
    const { fields } = this;
    const codes = (name: string) => (code: string) => textOr(`rotation.${name}.${code}`, code);
    return [
      fields.field('rotation.weights.method', t('rotation.method'), { codes: METHODS, textOf: codes('method') }),
      fields.field('rotation.weights.lookback', t('rotation.lookback')),
      fields.field('rotation.weights.covariance', t('rotation.covariance'), { textOf: codes('covariance') }),
      fields.field('rotation.weights.max_weight', t('rotation.max_weight')),
      fields.field('rotation.target_volatility_pct', t('rotation.target'), { isOptional: true }),
      fields.field('cash_buffer_pct', t('portfolio.cash_buffer'), { fallback: 0 }),
    ];
  }
}
