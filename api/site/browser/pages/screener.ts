/** Conditions on the newest bar of every instrument: what each leaves, and what is new or gone since the session before. */
import '../shell.ts';
import '../elements/code-samples.ts';
import '../elements/data-table.ts';
import '../elements/rule-editor.ts';
import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { fromAddress } from '../address.ts';
import { CLOSE_COLUMN, SYMBOL_COLUMN, symbolLink } from '../columns.ts';
import { fieldsOf, fieldValue, SiteElement } from '../dom.ts';
import { type Column, numberColumn } from '../elements/data-table.ts';
import { AbortScope, formPage, loadForm } from '../load.ts';
import { runJob } from '../run/call.ts';
import { runSamples } from '../samples.ts';
import { get } from '../session.ts';
import { failure, LOADING, type Loaded, loading, settle } from '../states.ts';
import { compact, day, fixed, number, signedPercent, t, tone } from '../text.ts';
import type { Presets, Screened } from '../types.ts';

type Condition = Presets['presets'][number]['conditions'][number];
type Hit = Screened['items'][number];

const SHOWN = 100;
const SCREEN = '/v1/screener';

@customElement('screener-page')
export class ScreenerPage extends SiteElement {
  @state() conditions: readonly Condition[] = [];
  /** The ready-made screen that is shown; null: one of the reader's own. */
  @state() preset: string | null = null;
  /** A rule instead of conditions; empty: none. */
  @state() where = '';
  /** YYYY-MM-DD of a past session; empty: the newest one. */
  @state() asOf = '';
  @state() result: Loaded<Screened> | null = null;
  /** The screen that is shown, as the API takes it. */
  private body: object = {};
  private readonly work = new AbortScope(this);
  private readonly dictionary = loadForm(
    this,
    () => get<Presets>('/api/screener/presets'),
    (dictionary) => this.begin(dictionary),
  );

  /** Takes the screen that the address names, a ready-made one or conditions. */
  private begin({ presets }: Presets): void {
    const named = presets.find(({ code }) => code === fromAddress('preset'));
    this.asOf = fromAddress('as_of') ?? '';
    this.preset = named?.code ?? null;
    this.conditions = named?.conditions ?? conditionsInAddress() ?? presets[0].conditions;
    this.where = fromAddress('where') ?? '';
    if (['preset', 'conditions', 'where'].some((name) => fromAddress(name) !== null)) this.screen();
  }

  private readonly screen = async (): Promise<void> => {
    const signal = this.work.next();
    this.result = LOADING;
    this.body = { ...this.asked(), limit: SHOWN, ...(this.asOf === '' ? {} : { as_of: this.asOf }) };
    try {
      const result = await settle(runJob<Screened>(SCREEN, this.body, signal));
      if (!signal.aborted) this.result = result;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };

  /** A rule, a ready-made screen, or conditions. */
  private asked() {
    if (this.where !== '') return { where: this.where };
    return this.preset === null ? { conditions: this.conditions } : { preset: this.preset };
  }

  private readonly submitted = (event: SubmitEvent) => {
    event.preventDefault();
    this.where = String(fieldsOf(event).get('where') ?? '').trim();
    const pairs = Object.entries(this.asked()).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    if (this.asOf !== '') pairs.push(['as_of', this.asOf]);
    history.pushState(null, '', `?${new URLSearchParams(pairs)}`);
    this.screen();
  };

  private readonly onDate = (event: Event) => {
    this.asOf = fieldValue(event);
  };

  private change(index: number, changed: Condition): void {
    this.preset = null;
    this.conditions = this.conditions.map((condition, i) => (i === index ? changed : condition));
  }

  override render() {
    return formPage(t('page.screener'), this.dictionary, (dictionary) => this.content(dictionary));
  }

  private content(dictionary: Presets) {
    return html`${this.presets(dictionary)}
      <form class="backtest-form" @submit=${this.submitted}>
        <fieldset class="field">
          <legend>${t('screener.conditions')}</legend>
          ${this.conditions.map((condition, i) => this.condition(condition, i, dictionary))}
        </fieldset>
        <rule-editor place="where" .value=${this.where} label=${t('rule.where')} hint=${t('rule.where.hint')}></rule-editor>
        <label class="field as-of"><span>${t('screener.as_of')}</span><input type="date" .value=${this.asOf} @change=${this.onDate} /></label>
        <div class="row">
          <button class="primary">${t('screener.run')}</button>
          <button type="button" @click=${() => this.add(dictionary)}>${t('screener.add')}</button>
        </div>
      </form>
      <section aria-live="polite">${this.results(dictionary)}</section>`;
  }

  private presets({ presets }: Presets) {
    return html`<h2 class="visually-hidden">${t('screener.presets')}</h2>
      <ul class="examples presets">
        ${presets.map(
          ({ code, name, description }) => html`<li>
            <a href=${`/screener?preset=${code}`} aria-current=${code === this.preset ? 'true' : nothing}>${name}</a>
            <p>${description}</p>
          </li>`,
        )}
      </ul>`;
  }

  private add({ fields }: Presets): void {
    this.preset = null;
    const { field, period } = fields[0];
    const added: Condition = { field, op: 'gt', value: 0, ...(period ? { period: period.default } : {}) };
    this.conditions = [...this.conditions, added];
  }

  private condition(condition: Condition, i: number, { fields, operators }: Presets) {
    const field = fields.find((one) => one.field === condition.field) ?? fields[0];
    const fitting = operators.filter(({ arity }) => (field.kind === 'boolean' ? arity === 0 : arity > 0));
    const arity = operators.find(({ op }) => op === condition.op)?.arity ?? 1;
    const chooseField = (event: Event) => {
      const next = fields.find((one) => one.field === fieldValue(event)) ?? fields[0];
      const op = next.kind === 'boolean' ? 'is_true' : 'gt';
      const period = next.period ? { period: next.period.default } : {};
      this.change(i, {
        field: next.field,
        op,
        ...period,
        ...(next.kind === 'boolean' ? {} : { value: condition.value ?? 0 }),
      });
    };
    const chooseOp = (event: Event) => {
      const op = fieldValue(event);
      this.change(i, {
        ...condition,
        op,
        ...(op === 'between' ? { value2: condition.value ?? 0 } : { value2: undefined }),
      });
    };
    const figure = (name: 'period' | 'value' | 'value2') => (event: Event) =>
      this.change(i, { ...condition, [name]: Number(fieldValue(event)) });
    const input = (name: 'period' | 'value' | 'value2', label: string, step: string) =>
      html`<label class="field"><span>${label}</span><input type="number" step=${step} .value=${String(condition[name] ?? '')} @change=${figure(name)} required /></label>`;
    return html`<div class="fields condition">
      <label class="field wide"><span>${t('screener.field')}</span>
        <select @change=${chooseField}>${fields.map(({ field: code, label }) => html`<option value=${code} ?selected=${code === condition.field}>${label}</option>`)}</select>
      </label>
      ${field.period ? input('period', t('screener.period'), '1') : nothing}
      <label class="field"><span>${t('screener.op')}</span>
        <select @change=${chooseOp}>${fitting.map(({ op, label }) => html`<option value=${op} ?selected=${op === condition.op}>${label}</option>`)}</select>
      </label>
      ${arity >= 1 ? input('value', t('screener.value'), 'any') : nothing}
      ${arity === 2 ? input('value2', t('screener.value2'), 'any') : nothing}
      <button type="button" class="end" @click=${() => this.drop(i)}>${t('screener.remove')}</button>
    </div>`;
  }

  private drop(index: number): void {
    this.preset = null;
    this.conditions = this.conditions.filter((_, i) => i !== index);
  }

  private results({ fields, operators }: Presets) {
    const { result } = this;
    if (result === null) return nothing;
    if (result.state === 'loading') return loading();
    if (result.state === 'failed') return failure(result.error, this.screen);
    const { total, eligible, items, funnel, changes, data_freshness } = result.value;
    const labels = new Map(fields.map(({ field, label }) => [field, label]));
    const words = new Map(operators.map(({ op, label }) => [op, label]));
    const conditionText = ({ field, op, period, value, value2 }: Condition) =>
      [
        labels.get(field),
        period === undefined ? '' : `(${period})`,
        words.get(op),
        typeof value === 'number' ? number(value) : value,
        value2 === undefined ? '' : `– ${number(value2)}`,
      ]
        .filter((part) => part !== undefined && part !== '')
        .join(' ');
    return html`<h2>${t('screener.found', { total, eligible, date: day(data_freshness.as_of) })}</h2>
      ${total > items.length ? html`<p class="muted">${t('screener.shown', { shown: items.length })}</p>` : nothing}
      ${items.length > 0 ? listLinks(items, this.where) : nothing}
      <data-table .columns=${hitColumns(result.value, labels)} .rows=${items} .empty=${html`<p class="state">${t('screener.nothing')}</p>`} caption=${t('page.screener')}></data-table>
      <h3>${t('screener.funnel')}</h3>
      <ol class="drawdowns">${funnel.map(({ condition, remaining }) => html`<li>${'where' in condition ? condition.where : conditionText(condition)}: <b>${number(remaining)}</b></li>`)}</ol>
      ${changes ? html`<h3>${t('screener.entered')}</h3>${symbolLinks(changes.entered)}<h3>${t('screener.left')}</h3>${symbolLinks(changes.left)}` : nothing}
      <h3>${t('run.programs')}</h3>
      <code-samples .samples=${runSamples({ url: `${location.origin}${SCREEN}`, body: this.body, needsKey: true, figures: ['total', 'eligible'] })}></code-samples>`;
  }
}

function conditionsInAddress(): Condition[] | null {
  try {
    const given: unknown = JSON.parse(fromAddress('conditions') ?? '');
    return Array.isArray(given) ? given : null;
  } catch {
    return null;
  }
}

/** Links that open the list as a portfolio or a sweep, and watch the rule. */
function listLinks(items: readonly Hit[], where: string) {
  const query = new URLSearchParams({ symbols: items.map(({ symbol }) => symbol).join(' ') });
  return html`<p class="row">
    <a class="button" href=${`/portfolio?${query}`}>${t('screener.backtest_list')}</a>
    <a class="button" href=${`/sweeps?${query}`}>${t('screener.sweep_list')}</a>
    ${where === '' ? nothing : html`<a class="button" href=${`/strategies?${new URLSearchParams({ where })}`}>${t('screener.watch')}</a>`}
  </p>`;
}

function symbolLinks(names: readonly string[]) {
  return html`<p class="row">${names.length === 0 ? t('screener.none') : names.map((name) => symbolLink(name))}</p>`;
}

function hitColumns({ items }: Screened, labels: ReadonlyMap<string, string>): Column<Hit>[] {
  const figures = Object.keys(items[0]?.values ?? {}).filter(
    (key) => !['close', 'change_pct', 'volume', 'dollar_volume'].includes(key),
  );
  return [
    SYMBOL_COLUMN,
    { key: 'name', title: t('word.name'), value: ({ name }) => name },
    CLOSE_COLUMN,
    numberColumn('change', t('word.change'), ({ change_pct }) => change_pct, signedPercent, tone),
    numberColumn('dollar_volume', t('screener.dollar_volume'), ({ dollar_volume }) => dollar_volume, compact),
    ...figures.map((key): Column<Hit> => {
      const [field, period] = key.split(':');
      return {
        key,
        title: [labels.get(field) ?? field, period ? `(${period})` : ''].join(' '),
        isNumber: true,
        value: ({ values }) => values[key],
        cell: ({ values }) => figureText(values[key]),
      };
    }),
  ];
}

/** Whole numbers are counts; decimals stand below each other. */
function figureText(value: Hit['values'][string]): string {
  if (typeof value === 'boolean') return value ? '✓' : '–';
  return Number.isInteger(value) ? number(value) : fixed(value);
}
