/** A sweep: which part of the market, which strategies with which values, a range, and how trades are made. */
import { html, nothing } from 'lit';
import { chosenIn, fieldsOf, targetOf } from '../dom.ts';
import { SiteElement } from '../element.ts';
import { type Faults, otherFaults } from '../faults.ts';
import { t } from '../text.ts';
import type { Strategies } from '../types.ts';
import { rangeFields, readRun, TOLD_FIELDS, tradeFields } from './run-fields.ts';
import { listField, readList, readScreen, ruleScreenIn, screenFields, UNIVERSE_KINDS } from './universe-fields.ts';

export interface SweepBody {
  readonly universe: object | string;
  readonly runs: readonly { readonly strategy: string; readonly grid?: object }[];
}

const UNIVERSES = ['all', 'stock', 'etf', ...UNIVERSE_KINDS] as const;
type Universe = (typeof UNIVERSES)[number];

class SweepForm extends SiteElement {
  static override properties = {
    strategies: { attribute: false },
    symbols: { attribute: false, hasChanged: (now: unknown, before: unknown) => String(now) !== String(before) },
    faults: { attribute: false },
    isBusy: { attribute: false },
    universe: { state: true },
    range: { state: true },
    chosen: { state: true },
    problem: { state: true },
  };
  declare strategies: Strategies;
  /** The list that the form begins with; empty: the whole market. */
  declare symbols: readonly string[];
  /** Faults by field. */
  declare faults: Faults;
  declare isBusy: boolean;
  declare universe: Universe;
  declare range: string;
  /** Codes of the strategies that run. */
  declare chosen: readonly string[];
  /** The line of values that cannot be read; null: none. */
  declare problem: string | null;
  readonly settings = {};

  constructor() {
    super();
    this.symbols = [];
    this.faults = {};
    this.isBusy = false;
    this.universe = 'stock';
    this.range = '5Y';
    this.chosen = ['sma_cross'];
    this.problem = null;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('symbols') && this.symbols.length > 0) this.universe = 'symbols';
  }

  private readonly submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = fieldsOf(event);
    const { strategy: _none, ...run } = readRun(form, '', this.range, this.strategies.defaults);
    const runs: SweepBody['runs'][number][] = [];
    for (const strategy of this.chosen) {
      const grid = gridIn(String(form.get(`grid.${strategy}`) ?? ''));
      if (grid === null) {
        this.problem = strategy;
        return;
      }
      runs.push({ strategy, ...(Object.keys(grid).length === 0 ? {} : { grid }) });
    }
    this.problem = null;
    const universe = universeOf(this.universe, form);
    this.dispatchEvent(new CustomEvent<SweepBody>('sweep', { detail: { universe, runs, ...run } }));
  };

  override render() {
    return html`<form class="backtest-form" @submit=${this.submit}>
      <div class="fields">
        <label class="field"><span>${t('sweeps.universe')}</span>
          <select name="universe" @change=${(event: Event) => {
            const given = chosenIn(event);
            this.universe = UNIVERSES.find((one) => one === given) ?? 'stock';
          }}>
            ${UNIVERSES.map((one) => html`<option value=${one} ?selected=${one === this.universe}>${t(`sweeps.universe.${one}`)}</option>`)}
          </select></label>
        ${rangeFields(this, this.range, (range) => {
          this.range = range;
        })}
        ${tradeFields(this)}
      </div>
      ${this.universe === 'symbols' ? listField(this.symbols, this.faults, null) : nothing}
      ${this.universe === 'screen' ? screenFields(ruleScreenIn(null), this.faults) : nothing}
      <fieldset class="field">
        <legend>${t('sweeps.strategies')}</legend>
        <p class="hint" id="grid-hint">${t('sweeps.grid.hint')}</p>
        ${this.strategies.strategies.map(({ code, name }) => this.strategy(code, name))}
        ${otherFaults(this.faults, [...TOLD_FIELDS, 'where', 'screen', 'universe'])}
      </fieldset>
      <button class="primary" ?disabled=${this.isBusy || this.chosen.length === 0}>${this.isBusy ? t('sweeps.queueing') : t('sweeps.run')}</button>
    </form>`;
  }

  private strategy(code: string, name: string) {
    const isChosen = this.chosen.includes(code);
    const toggle = (event: Event) => {
      const others = this.chosen.filter((one) => one !== code);
      this.chosen = targetOf(event, HTMLInputElement).checked ? [...others, code] : others;
    };
    return html`<div class="fields condition">
      <label class="field check"><input type="checkbox" .checked=${isChosen} @change=${toggle} /> ${name}</label>
      ${
        isChosen
          ? html`<label class="field wide"><span>${t('sweeps.grid', { strategy: name })}</span>
              <input name=${`grid.${code}`} aria-describedby="grid-hint" aria-invalid=${this.problem === code ? 'true' : nothing}
                placeholder=${code === 'sma_cross' ? 'fast_period=5,10,20 slow_period=50,100' : ''} autocomplete="off" />
              ${this.problem === code ? html`<span class="fault" role="alert">${t('sweeps.grid.wrong')}</span>` : nothing}</label>`
          : nothing
      }
    </div>`;
  }
}

function universeOf(universe: Universe, form: FormData): object | string {
  if (universe === 'symbols') return { symbols: readList(form) };
  if (universe === 'screen') return { screen: readScreen(form) };
  return universe === 'all' ? 'all' : { all: true, asset_type: universe };
}

/** `fast_period=5,10 mult=1.5..3/0.5` → lists of values, and steps; null where it is written in another way. */
function gridIn(text: string): Record<string, object> | null {
  const grid: Record<string, object> = {};
  for (const part of text.split(/\s+/).filter((word) => word !== '')) {
    const [, name, values] = /^(\w+)=(.+)$/.exec(part) ?? [];
    if (name === undefined || values === undefined) return null;
    const steps = /^(-?[\d.]+)\.\.(-?[\d.]+)\/([\d.]+)$/.exec(values);
    grid[name] = steps
      ? { from: Number(steps[1]), to: Number(steps[2]), step: Number(steps[3]) }
      : values.split(',').map(literal);
  }
  return grid;
}

function literal(text: string): number | boolean | string {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

customElements.define('sweep-form', SweepForm);
