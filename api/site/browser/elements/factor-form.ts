/** The set-up of a factor study: the universe, the factors, and the returns that they are compared with. */

import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { READY_FACTORS, type ReadyFactor } from '../../ready-factors.ts';
import { html, nothing, textIn } from '../dom.ts';
import { errorText, Fields, readFields } from '../fields.ts';
import { myList } from '../kept-list.ts';
import { literalsIn, type Settings, settingsOf } from '../run/specification.ts';
import { textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { FactorsBody } from '../types.ts';
import { fold } from './fold.ts';
import './rule-editor.ts';
import { CUSTOM, endGroup, rangeButtons, rangeOf } from './run-fields.ts';
import { RunFormElement } from './run-form.ts';
import { listField, readList, universeField } from './universe-fields.ts';

const UNIVERSES = ['all', 'stock', 'etf', 'symbols'] as const;
type Universe = (typeof UNIVERSES)[number];

const readyFactor = ({ code, value }: ReadyFactor) => ({ name: t(`factors.ready.${code}`), value });

/** Looked at each week: five years are enough for a judgement. */
export const FIRST_STUDY: StudyBody = {
  universe: { all: true, asset_type: 'stock' },
  factors: READY_FACTORS.slice(0, 2).map(readyFactor),
  horizons: [5, 21, 63],
  every: 'week',
  time_range: '5Y',
};

type Factor = FactorsBody['factors'][number];
type Portfolio = NonNullable<FactorsBody['portfolio']>;

/** A call, of which the API says what is wrong. */
export interface StudyBody extends Omit<FactorsBody, 'horizons' | 'time_range'> {
  readonly horizons?: readonly unknown[];
  readonly time_range?: string;
}

/** A factor with a key that stays while others are added and removed. */
interface Row extends Factor {
  readonly key: number;
}

/** The box that says whether portfolios are formed. */
const FORMED = 'is_formed';

const nameField = (key: number) => `name.${key}`;
const valueField = (key: number) => `value.${key}`;

@customElement('factor-form')
export class FactorForm extends RunFormElement {
  /** The initial values of the form. */
  @property({ attribute: false }) body: StudyBody = FIRST_STUDY;
  @state() universe!: Universe;
  @state() range!: string;
  @state() rows!: readonly Row[];
  /** Keys of the factors that were sent last, which errors name by their places. */
  private sent: readonly number[] = [];
  private keys = 0;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('body')) return;
    const { universe, factors } = this.body;
    const type = UNIVERSES.find((one) => one === String(universe.asset_type));
    this.universe = universe.all === true ? (type ?? 'all') : 'symbols';
    this.range = rangeOf(this.body);
    this.rows = factors.map((factor) => this.row(factor));
    this.sent = this.rows.map(({ key }) => key);
  }

  private row(factor: Factor): Row {
    return { ...factor, key: this.keys++ };
  }

  override get settings(): Settings {
    const { time_range, start, end } = this.body;
    return settingsOf({ time_range, start, end });
  }

  protected override bodyOf(form: HTMLFormElement, given: FormData): StudyBody {
    const { start, end, quantiles, every, neutral, portfolio } = readFields<StudyBody>(form);
    const { delay, adjust } = this.body;
    const column = textIn(given, 'neutral_column');
    const where = textIn(given, 'where');
    this.sent = this.rows.map(({ key }) => key);
    return {
      universe: { ...this.members(given), ...(where && { where }) },
      factors: this.sent.map((key) => ({
        name: textIn(given, nameField(key)),
        value: textIn(given, valueField(key)),
      })),
      horizons: literalsIn(textIn(given, 'horizons')),
      quantiles,
      every,
      neutral: column === '' ? neutral : `my('${column}')`,
      ...(given.has(FORMED) && { portfolio: { ...portfolio, cuts: this.cuts(quantiles) } }),
      ...(this.range === CUSTOM ? { start } : { time_range: this.range }),
      ...(end && { end }),
      // The form has no field for these of a call.
      ...(delay === undefined ? {} : { delay }),
      ...(adjust === undefined ? {} : { adjust }),
    };
  }

  /** Cuts of a call that the form has no field for stay. */
  private cuts(quantiles = 5): Portfolio['cuts'] {
    const { cuts } = this.body.portfolio ?? {};
    return typeof cuts === 'object' || cuts === 'classes' ? cuts : quantiles;
  }

  private members(given: FormData): StudyBody['universe'] {
    const { universe } = this;
    if (universe === 'symbols') return { symbols: readList(given) };
    // Several types, of a call that the form did not make, stay.
    const type = universe === 'all' ? this.body.universe.asset_type : universe;
    return { all: true, ...((universe !== 'all' || Array.isArray(type)) && { asset_type: type }) };
  }

  override render() {
    const fields = new Fields(this.body, this.fieldErrors);
    this.fields = fields;
    const chooseRange = (range: string) => {
      this.range = range;
    };
    const everyText = (code: string) => textOr(`factors.every.${code}`, code);
    const content = html`${this.instruments()}
      ${this.ready()}
      ${repeat(
        this.rows,
        ({ key }) => key,
        (row) => this.factor(row),
      )}
      <p><button type="button" @click=${() => this.add({ name: '', value: '' })}>${t('factors.add')}</button></p>
      ${this.horizons()}
      <div class="pair">
        ${fields.field('every', t('factors.every'), { textOf: everyText })} ${fields.field('quantiles', t('factors.quantiles'))}
      </div>
      ${rangeButtons(this, this.range, chooseRange)} ${this.comparison()} ${this.portfolio()}
      ${endGroup(this, this.present.values)}`;
    return this.frame(content, { action: t('factors.run'), busy: t('sweeps.queueing') });
  }

  private instruments() {
    const { universe } = this.body;
    const choose = (kind: Universe) => {
      this.universe = kind;
    };
    return html`${universeField(UNIVERSES, this.universe, (kind) => t(`universe.${kind}`), choose)}
      ${this.universe === 'symbols' ? listField(universe.symbols ?? myList(), this.fields, null) : nothing}
      <rule-editor place="where" label=${t('rotation.where')} hint=${t('factors.where.hint')} .value=${universe.where ?? ''} .error=${this.fields.error('universe.where')}></rule-editor>`;
  }

  /** Each stands among the factors while it is checked. */
  private ready() {
    const chosen = READY_FACTORS.filter((one) => this.rows.some(({ value }) => value === one.value));
    const toggle = (one: ReadyFactor) => () => {
      if (chosen.includes(one)) this.rows = this.rows.filter(({ value }) => value !== one.value);
      else this.add(readyFactor(one));
    };
    const fields = READY_FACTORS.map(
      (
        one,
      ) => html`<label class="field check"><input type="checkbox" .checked=${live(chosen.includes(one))} @change=${toggle(one)} />
        <span>${t(`factors.ready.${one.code}`)}<span class="hint">${t(`factors.ready.${one.code}.hint`)}</span></span></label>`,
    );
    return fold({ title: t('factors.ready'), now: t('factors.ready.chosen', { count: chosen.length }), fields });
  }

  private add(factor: Factor): void {
    this.rows = [...this.rows, this.row(factor)];
  }

  private factor({ key, name, value }: Row) {
    const place = this.sent.indexOf(key);
    const errorOf = (field: string) => (place === -1 ? undefined : this.fields.error(`factors.${place}.${field}`));
    const wrongName = errorOf('name');
    const removeRow = () => {
      this.rows = this.rows.filter((row) => row.key !== key);
    };
    return html`<div class="sweep-run" role="group" aria-label=${name || t('factors.factor')}>
      <div class="factor-name">
        <label class="field"><span>${t('word.name')}</span>
          <input name=${nameField(key)} .value=${name} required maxlength="64" autocomplete="off" aria-invalid=${wrongName ? 'true' : nothing} />
          ${errorText(wrongName)}</label>
        <button type="button" class="quiet" @click=${removeRow}>${t('sweeps.leave_out')}</button>
      </div>
      <rule-editor place="value" name=${valueField(key)} label=${t('factors.value')} hint=${value === '' ? t('factors.value.hint') : ''}
        .value=${value} .isRequired=${true} .error=${errorOf('value')}></rule-editor>
    </div>`;
  }

  private horizons() {
    const error = this.fields.error('horizons');
    const { horizons = [] } = this.body;
    return html`<label class="field"><span>${t('factors.horizons')}</span>
      <input name="horizons" .value=${horizons.join(', ')} required autocomplete="off" autocapitalize="none" spellcheck="false"
        aria-describedby="horizons-hint" aria-invalid=${error ? 'true' : nothing} />
      <span class="hint" id="horizons-hint">${t('factors.horizons.hint')}</span>${errorText(error)}</label>`;
  }

  private comparison() {
    const { neutral = 'market' } = this.body;
    const column = /^my\('(\w+)'\)$/.exec(neutral)?.[1] ?? '';
    const textOf = (code: string) => textOr(`factors.neutral.${code}`, code);
    const { neutral_column: own, neutral: chosen = 'market' } = this.present.values;
    const draw = () => [
      this.fields.field('neutral', t('factors.neutral'), { textOf }),
      html`<label class="field"><span>${t('factors.neutral.own')}</span><input name="neutral_column" .value=${column} autocomplete="off" autocapitalize="none" spellcheck="false" /></label>`,
    ];
    return this.fields.group(t('factors.neutral'), own || textOf(chosen), draw);
  }

  private portfolio() {
    const { fields, body, present } = this;
    const isFormed = body.portfolio !== undefined;
    const codes = (name: string) => ({ textOf: (code: string) => textOr(`factors.portfolio.${name}.${code}`, code) });
    const draw = () => [
      html`<label class="field check"><input type="checkbox" name=${FORMED} .defaultChecked=${isFormed} .checked=${isFormed} />
        <span>${t('factors.portfolio.form')}<span class="hint">${t('factors.portfolio.hint')}</span></span></label>`,
      fields.field('portfolio.weights', t('factors.portfolio.weights'), codes('weights')),
      fields.field('portfolio.cap', t('factors.portfolio.cap'), { isOptional: true }),
      fields.field('portfolio.breakpoints', t('factors.portfolio.breakpoints'), codes('breakpoints')),
      fields.field('portfolio.hold', t('factors.portfolio.hold')),
      fields.field('portfolio.micro', t('factors.portfolio.micro')),
    ];
    // Nothing is read before the first drawing.
    const isChosen = 'every' in present.values ? FORMED in present.values : isFormed;
    return fields.group(t('factors.portfolio'), isChosen ? t('factors.portfolio.formed') : t('word.none'), draw);
  }
}
