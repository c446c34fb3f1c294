/** The set-up of weights to hold: up to three portfolios, the money that goes in or out, and how trades are made. */
import { customElement, property, state } from 'lit/decorators.js';
import { fieldValue, html, nothing } from '../dom.ts';
import { EXAMPLE_SYMBOLS } from '../examples.ts';
import { errorText, Fields } from '../fields.ts';
import { type Settings, settingsOf } from '../run/specification.ts';
import {
  type CompareBody,
  columnsIn,
  type Flow,
  MAX_COLUMNS,
  newColumn,
  PERIODS,
  PRESET_NAMES,
  PRESETS,
  type Preset,
  REBALANCES,
  type WeightsBody,
  type WeightsColumn,
  weightsBody,
} from '../run/weights.ts';
import { post } from '../session.ts';
import { number, ticker } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Batch, SymbolItem } from '../types.ts';
import { endGroup, rangeButtons, rangeOf, readRun, tradeGroups } from './run-fields.ts';
import { RunFormElement } from './run-form.ts';
import './symbol-search.ts';
import { benchmarkGroup, readBenchmark } from './universe-fields.ts';

const LETTERS = ['A', 'B', 'C'] as const;
const WHOLE = 100;
/** Weights in percent that are added up. */
const NEAR = 1e-9;

const sumOf = ({ weights }: WeightsColumn) => weights.reduce((sum, { pct }) => sum + (pct ?? 0), 0);
/** Shares of the whole in percent, to two decimals, which add up to it. */
const equalShare = (count: number, place: number) => {
  const share = Math.floor((WHOLE * WHOLE) / count) / WHOLE;
  return place === 0 ? Number((WHOLE - share * (count - 1)).toFixed(2)) : share;
};

@customElement('weights-form')
export class WeightsForm extends RunFormElement {
  /** The initial values of the form. */
  @property({ attribute: false }) body!: Partial<WeightsBody | CompareBody>;
  @state() columns: readonly WeightsColumn[] = [];
  @state() range!: string;
  /** The flow that the reader has begun to write. */
  private written: Flow = { amount: 0, every: 'month' };

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('body')) return;
    const named = columnsIn(this.body, LETTERS[0]);
    this.columns = named.length > 0 ? named : [exampleColumn()];
    this.range = rangeOf(this.body);
  }

  override get settings(): Settings {
    return settingsOf(this.body);
  }

  protected override bodyOf(form: HTMLFormElement, given: FormData): WeightsBody | CompareBody {
    const { strategy: _strategy, ...run } = readRun(form, '', this.range);
    return weightsBody(this.columns, { ...run, ...readBenchmark(given) });
  }

  private change(place: number, changed: Partial<WeightsColumn>): void {
    this.columns = this.columns.with(place, { ...this.columns[place], ...changed });
  }

  override render() {
    const fields = new Fields(this.body, this.fieldErrors);
    this.fields = fields;
    const now = this.present.values;
    const add = () => {
      const [first] = this.columns;
      this.columns = [...this.columns, { ...first, name: LETTERS[this.columns.length] }];
    };
    const isPossible = this.columns.every(
      (column) =>
        column.weights.length > 0 &&
        column.weights.every(({ symbol }) => symbol !== '') &&
        sumOf(column) <= WHOLE + NEAR,
    );
    const content = html`${this.columns.map((column, place) => this.portfolio(column, place))}
      ${this.columns.length < MAX_COLUMNS ? html`<p><button type="button" class="quiet" @click=${add}>${t('weights.add')}</button></p>` : nothing}
      ${this.money()}
      ${rangeButtons(this, this.range, (range) => {
        this.range = range;
      })}
      ${tradeGroups(this, now)} ${benchmarkGroup(fields, now, this.body.benchmark)} ${endGroup(this, now)}`;
    return this.frame(content, { action: t(this.columns.length > 1 ? 'weights.compare' : 'weights.run'), isPossible });
  }

  private portfolio(column: WeightsColumn, place: number) {
    const { name, weights, rebalance, bandPct } = column;
    const isAlone = this.columns.length === 1;
    const setWeight = (i: number, changed: Partial<WeightsColumn['weights'][number]>) =>
      this.change(place, { weights: weights.with(i, { ...weights[i], ...changed }) });
    const at = isAlone ? 'allocation' : `compare.${place}.allocation`;
    const setSymbol = (i: number, text: string) => setWeight(i, { symbol: text.trim().toUpperCase() });
    const chosen = (event: Event) => REBALANCES.find((one) => one === fieldValue(event)) ?? 'none';
    return html`<fieldset class="weights">
      <legend>${t('weights.portfolio', { letter: LETTERS[place] })}
        ${isAlone ? nothing : html`<button type="button" class="quiet" aria-label=${t('weights.remove_portfolio', { name })} @click=${() => this.removeColumn(place)}>×</button>`}</legend>
      ${isAlone ? nothing : html`<label class="field"><span>${t('word.name')}</span><input maxlength="64" required .value=${name} @change=${(event: Event) => this.change(place, { name: fieldValue(event).trim() || LETTERS[place] })} /></label>`}
      <div class="row">${PRESET_NAMES.map((preset) => html`<button type="button" class="quiet" @click=${() => this.usePreset(place, preset)}>${t(`weights.preset.${preset}`)}</button>`)}</div>
      ${weights.map(
        ({ symbol, pct }, i) => html`<div class="weight">
          <symbol-search label=${t('weights.symbol', { n: i + 1 })} .value=${ticker(symbol)} @change=${(event: Event) => setSymbol(i, fieldValue(event))} @choose=${({ detail }: CustomEvent<SymbolItem>) => setSymbol(i, detail.symbol)}></symbol-search>
          <input type="number" min="0.01" max="100" step="any" required aria-label=${t('weights.weight', { symbol: ticker(symbol) || String(i + 1) })} .value=${pct === null ? '' : String(pct)} @input=${(event: Event) => setWeight(i, { pct: fieldValue(event) === '' ? null : Number(fieldValue(event)) })} /><span aria-hidden="true">%</span>
          <button type="button" class="quiet" aria-label=${t('weights.remove', { symbol: ticker(symbol) || String(i + 1) })} @click=${() => this.change(place, { weights: weights.toSpliced(i, 1) })}>×</button>
          ${errorText(this.fields.error(`${at}.targets.${i}`))}
        </div>`,
      )}
      <p class="row small"><button type="button" class="quiet" @click=${() => this.change(place, { weights: [...weights, { symbol: '', pct: null }] })}>${t('weights.add_symbol')}</button>
        ${sumText(column)}</p>
      <label class="field"><span>${t('weights.rebalance')}</span>
        <select @change=${(event: Event) => this.change(place, { rebalance: chosen(event) })}>
          ${REBALANCES.map((one) => html`<option value=${one} ?selected=${one === rebalance}>${t(`weights.rebalance.${one}`, { points: bandPct })}</option>`)}
        </select></label>
    </fieldset>`;
  }

  private removeColumn(place: number): void {
    this.columns = this.columns.toSpliced(place, 1);
  }

  private async usePreset(place: number, preset: Preset): Promise<void> {
    const { weights } = this.columns[place];
    if (preset === 'equal') {
      this.change(place, { weights: weights.map(({ symbol }, i) => ({ symbol, pct: equalShare(weights.length, i) })) });
      return;
    }
    const symbols = await symbolsFor(PRESETS[preset].map(([symbol]) => symbol));
    const filled = PRESETS[preset].slice(0, symbols.length).map(([, pct], i) => ({ symbol: symbols[i], pct }));
    this.change(place, { weights: filled, ...(this.columns.length > 1 && { name: t(`weights.preset.${preset}`) }) });
  }

  /** Money in or out of each portfolio. */
  private money() {
    const [{ amount, every } = this.written] = this.columns.flatMap(({ flows }) => flows).slice(0, 1);
    const change = (changed: Partial<Flow>) => {
      this.written = { amount, every, ...changed };
      const flows = this.written.amount === 0 ? [] : [this.written];
      this.columns = this.columns.map((column) => ({ ...column, flows }));
    };
    return html`<div class="pair">
      <label class="field"><span>${t('weights.flow')}</span><input type="number" step="any" placeholder="0" .value=${amount === 0 ? '' : String(amount)} aria-describedby="flow-hint" @change=${(event: Event) => change({ amount: Number(fieldValue(event)) })} />
        <span class="hint" id="flow-hint">${t('weights.flow.hint')}</span></label>
      <label class="field"><span>${t('weights.every')}</span><select @change=${(event: Event) => change({ every: PERIODS.find((one) => one === fieldValue(event)) ?? 'month' })}>
        ${PERIODS.map((one) => html`<option value=${one} ?selected=${one === every}>${t(`weights.rebalance.${one}`)}</option>`)}</select></label>
    </div>`;
  }
}

function sumText(column: WeightsColumn) {
  const sum = sumOf(column);
  if (sum > WHOLE + NEAR)
    return html`<span class="loss" role="status">${t('weights.above', { sum: number(sum, 2) })}</span>`;
  const isWhole = Math.abs(sum - WHOLE) <= NEAR;
  return html`<span class="muted" role="status">${t(isWhole ? 'weights.whole' : 'weights.sum', { sum: number(sum, 2), cash: number(WHOLE - sum, 2) })}</span>`;
}

/** The first two examples of the market, 60 and 40. */
function exampleColumn(): WeightsColumn {
  const symbols = EXAMPLE_SYMBOLS.slice(0, 2);
  const weights = symbols.map((symbol, i) => ({
    symbol,
    pct: symbols.length === 1 ? WHOLE : PRESETS.sixty_forty[i][1],
  }));
  return newColumn(LETTERS[0], weights);
}

/** The symbols that the market has; where it does not have one, an example of the market stands in its place. */
async function symbolsFor(wanted: readonly string[]): Promise<string[]> {
  const { results } = await post<Batch>('/v1/batch', { symbols: wanted, type: 'quote' });
  const known = new Set(Object.keys(results).map(ticker));
  const others = EXAMPLE_SYMBOLS.filter((symbol) => !known.has(ticker(symbol)));
  return wanted.flatMap((symbol) => (known.has(symbol) ? symbol : (others.shift() ?? [])));
}
