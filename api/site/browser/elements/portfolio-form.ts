/** The set-up of a portfolio of a strategy: instruments, strategy, and range first, then groups that say what they are now. */

import { customElement, property, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { fieldValue, find, html, textIn } from '../dom.ts';
import { Fields, readFields, schemaField, schemaOf, valueAt } from '../fields.ts';
import type { PortfolioBody } from '../run/portfolio.ts';
import { exitWords } from '../run/setting-words.ts';
import { parametersIn, type Settings, settingsOf } from '../run/specification.ts';
import { symbolsIn, textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Presets } from '../types.ts';
import { endGroup, tradeGroups } from './run-fields.ts';
import { RunFormElement } from './run-form.ts';
import { StrategyChoice } from './strategy-choice.ts';
import { isExit } from './strategy-fields.ts';
import {
  benchmarkGroup,
  listField,
  readBenchmark,
  readList,
  readScreen,
  ruleScreenIn,
  screenFields,
  UNIVERSE_KINDS,
  universeField,
} from './universe-fields.ts';

/** Periods at whose end the positions of a strategy are brought back; target weights have others too. */
const PERIODS = ['none', 'week', 'month', 'quarter'];

@customElement('portfolio-form')
export class PortfolioForm extends RunFormElement {
  /** Fields that candidates can be ranked by. */
  @property({ attribute: false }) presets!: Presets;
  /** The initial values of the form. */
  @property({ attribute: false }) body!: Partial<PortfolioBody>;
  /** Symbols in the list. */
  @state() count!: number;
  @state() universe!: (typeof UNIVERSE_KINDS)[number];
  private readonly choice = new StrategyChoice(this);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('body')) return;
    this.choice.begin();
    this.count = this.body.symbols?.length ?? 0;
    this.universe = this.body.screen === undefined ? 'symbols' : 'screen';
  }

  override get settings(): Settings {
    return settingsOf(this.body);
  }

  protected override bodyOf(form: HTMLFormElement, given: FormData): PortfolioBody {
    const { allocation } = readFields<PortfolioBody>(form);
    const [field, order] = textIn(given, 'rank').split(' ');
    const period = textIn(given, 'rank_period');
    const rank =
      field === '' ? {} : { rank_by: { field, order, ...(period === '' ? {} : { period: Number(period) }) } };
    return {
      ...this.choice.readRun(form),
      ...(this.universe === 'screen' ? { screen: readScreen(given) } : { symbols: readList(given) }),
      ...this.choice.readStrategy(given),
      allocation: { ...allocation, ...rank },
      ...readBenchmark(given),
    };
  }

  override render() {
    const { choice } = this;
    const { strategy, code } = choice;
    this.fields = new Fields(this.body, this.fieldErrors);
    const own = choice.parameters(parametersIn(this.settings), (name) => !isExit(name));
    const content = html`${this.instruments()} ${choice.strategyField((event) => choice.choose(fieldValue(event)))}
      <p class="muted small">${strategy.description}</p>
      ${choice.rules(true)} ${keyed(code, html`<div class="pair">${own}</div>`)} ${choice.rangeField()}
      ${this.groups()}`;
    return this.frame(content, { action: t('portfolio.run') });
  }

  private instruments() {
    const { fields, body, universe } = this;
    const onInput = () => {
      this.count = symbolsIn(find(this, 'textarea', HTMLTextAreaElement).value).length;
    };
    const choose = (kind: typeof universe) => {
      this.universe = kind;
    };
    return html`${universeField(UNIVERSE_KINDS, universe, (kind) => t(`universe.${kind}`), choose)}
      ${universe === 'screen' ? screenFields(ruleScreenIn(body.screen), fields) : listField(body.symbols ?? [], fields, this.count, onInput)}`;
  }

  private groups() {
    const { fields, choice } = this;
    const { values: now } = this.present;
    const given = parametersIn(this.settings);
    const positions = t('portfolio.positions.now', { count: Number(now['allocation.max_positions'] ?? 0) });
    const sizing = textOr(`portfolio.sizing.${now['allocation.sizing']}`, '');
    return html`${fields.group(t('portfolio.allocation'), `${positions} · ${sizing}`, () => this.allocation())}
      ${fields.group(t('rotation.ranking'), this.rankWords(now.rank ?? ''), () => this.ranking())}
      ${tradeGroups(this, now)}
      ${keyed(
        choice.code,
        fields.group(t('form.exits'), exitWords(now), () => choice.parameters(given, isExit)),
      )}
      ${benchmarkGroup(fields, now, this.body.benchmark)} ${endGroup(this, now)}`;
  }

  private allocation() {
    const { fields } = this;
    const codes = (name: string) => ({ textOf: (code: string) => textOr(`portfolio.${name}.${code}`, code) });
    return [
      fields.field('allocation.max_positions', t('portfolio.max_positions')),
      fields.field('allocation.sizing', t('portfolio.sizing'), codes('sizing')),
      fields.field('allocation.volatility_period', t('portfolio.volatility_period')),
      fields.field('allocation.rebalance', t('portfolio.rebalance'), { ...codes('rebalance'), codes: PERIODS }),
      fields.field('allocation.cash_buffer_pct', t('portfolio.cash_buffer')),
    ];
  }

  /** The orders of candidates, by their values. */
  private get ranks(): ReadonlyMap<string, string> {
    const ranked = this.presets.fields.filter(({ kind }) => kind === 'number');
    return new Map([
      ['', t('portfolio.by_symbol')],
      ...ranked.flatMap(({ field, label }): [string, string][] => [
        [`${field} desc`, t('portfolio.highest', { field: label })],
        [`${field} asc`, t('portfolio.lowest', { field: label })],
      ]),
    ]);
  }

  private rankWords(chosen: string): string {
    return this.ranks.get(chosen) ?? '';
  }

  private ranking() {
    const { body, fields } = this;
    const [field, order, period] = ['field', 'order', 'period'].map((name) =>
      valueAt(body, `allocation.rank_by.${name}`),
    );
    return [
      schemaField({
        name: 'rank',
        label: t('portfolio.rank_by'),
        schema: {},
        codes: [...this.ranks.keys()],
        textOf: (value) => this.rankWords(value),
        value: field === undefined ? '' : `${field} ${order ?? 'desc'}`,
      }),
      schemaField({
        name: 'rank_period',
        label: t('portfolio.rank_period'),
        schema: schemaOf('allocation.rank_by.period'),
        value: period,
        error: fields.error('rank_by.period'),
        isOptional: true,
        placeholder: t('portfolio.default'),
      }),
    ];
  }
}
