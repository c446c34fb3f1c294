/** The report of a factor study: what chance explains of the best, all factors, one of them, and how alike they are. */
import { customElement, property, state } from 'lit/decorators.js';
import { path } from '../api.ts';
import { choice } from '../controls.ts';
import { fieldValue, html, nothing, SiteElement } from '../dom.ts';
import { saveAnswer } from '../download.ts';
import { Attempt } from '../load.ts';
import { day, fixed, inPercent, number, signed, signedPercent, tone } from '../text.ts';
import { t } from '../tool-text.ts';
import type { FactorResult } from '../types.ts';
import { type Column, numberColumn, percentColumn } from './data-table.ts';
import { type Factor, horizonText } from './factor-detail.ts';
import type { StudyBody } from './factor-form.ts';
import { correlationMap } from './member-correlations.ts';
import './report-contents.ts';

/** Separate periods without which nothing is judged, and the probability from which a skill is shown. */
const LEAST = 60;
const SHOWN = 0.95;
/** Factors of the largest map: more could not be read. */
const MOST_ALIKE = 12;

@customElement('factor-report')
export class FactorReport extends SiteElement {
  @property({ attribute: false }) result!: FactorResult;
  /** The call that made it; null: unknown. */
  @property({ attribute: false }) body: StudyBody | null = null;
  /** Places of the factor and of the horizon in sight. */
  @state() chosen = 0;
  @state() horizon = 0;
  private readonly saving = new Attempt(this);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('result')) return;
    const { factors, selection } = this.result;
    this.chosen = Math.max(
      0,
      factors.findIndex(({ name }) => name === selection.best),
    );
    this.horizon = Math.min(this.horizon, factors[0].horizons.length - 1);
  }

  override render() {
    const { factors, correlations, series_in_file: isInFile } = this.result;
    const factor = factors[this.chosen];
    const parts = [
      { id: 'summary', title: t('contents.summary') },
      { id: 'all-factors', title: t('factors.table') },
      { id: 'one-factor', title: t('factors.one') },
      ...(correlations.length === 0 ? [] : [{ id: 'alike', title: t('factors.correlations') }]),
      { id: 'programs', title: t('contents.code') },
    ];
    return html`<report-contents .parts=${parts}></report-contents>
      <p class="run-words" id="summary">${verdict(this.result)}</p>
      <p class="muted small">${day(this.result.first)} – ${day(this.result.last)}</p>
      ${isInFile ? html`<p class="notice">${t('factors.no_series')} <button class="quiet" @click=${this.save}>${t('factors.series')}</button></p>${this.saving.failure()}` : nothing}
      <div class="row spread section-head"><h2 id="all-factors">${t('factors.table')}</h2>${this.horizons()}</div>
      <data-table class="dense wrapped" .columns=${columnsAt(this.horizon)} .rows=${factors} .current=${factor}
        caption=${t('factors.table')} @choose=${this.choose}></data-table>
      <p class="muted small">${t('factors.words')}</p>
      <div class="row spread section-head"><h2 id="one-factor">${factor.name}</h2>${this.picker()}</div>
      <factor-detail .result=${this.result} .factor=${factor} .horizon=${factor.horizons[this.horizon]} .body=${this.body}></factor-detail>
      ${correlations.length === 0 ? nothing : html`<h2 id="alike">${t('factors.correlations')}</h2>${this.alike(factor)}`}`;
  }

  private readonly choose = ({ detail }: CustomEvent<Factor>) => {
    this.chosen = this.result.factors.indexOf(detail);
  };

  private readonly save = () =>
    this.saving.make(() => saveAnswer('GET', path('/v1/factors/{id}/series.parquet', { id: this.result.id })));

  private horizons() {
    const { horizons } = this.result.factors[0];
    if (horizons.length === 1)
      return html`<span class="muted">${t('factors.horizons')}${t('word.colon')}${horizonText(horizons[0])}</span>`;
    const values = horizons.map((one, i) => [String(i), horizonText(one)] as const);
    const onChoose = (place: string) => {
      this.horizon = Number(place);
    };
    return choice({ label: t('factors.horizons'), name: 'horizon', values, chosen: String(this.horizon), onChoose });
  }

  /** Beside the table, for a reader who is at the charts. */
  private picker() {
    const { factors } = this.result;
    if (factors.length === 1) return nothing;
    const pick = (event: Event) => {
      this.chosen = Number(fieldValue(event));
    };
    return html`<select aria-label=${t('factors.factor')} @change=${pick}>
      ${factors.map(({ name }, i) => html`<option value=${i} .selected=${i === this.chosen}>${name}</option>`)}
    </select>`;
  }

  private alike({ name }: Factor) {
    const { factors, correlations } = this.result;
    const known = new Map(
      correlations.flatMap(({ a, b, mean }) => [
        [`${a}\n${b}`, mean],
        [`${b}\n${a}`, mean],
      ]),
    );
    const between = (a: string, b: string) => known.get(`${a}\n${b}`) ?? null;
    const likeness = (other: string) => (other === name ? 2 : Math.abs(between(name, other) ?? 0));
    const all = factors.map((one) => one.name);
    const isPart = all.length > MOST_ALIKE;
    const names = isPart ? all.toSorted((a, b) => likeness(b) - likeness(a)).slice(0, MOST_ALIKE) : all;
    const values = names.map((a) => names.map((b) => between(a, b)));
    const numbers = names.map((_, i) => String(i + 1));
    const numbered = names.map((one, i) => `${i + 1} ${one}`);
    const label = t('factors.correlations');
    const first = isPart ? t('factors.correlations.first', { count: MOST_ALIKE - 1 }) : '';
    return html`<p class="muted small">${t('factors.correlations.text')} ${first}</p>
      ${correlationMap({ label, values, names: numbered, heads: numbers, shadeOf: Math.abs })}`;
  }
}

/** Whether the best of the factors is more than luck. */
function verdict({ factors, selection }: FactorResult) {
  const { best, trials, dsr, spa, sessions } = selection;
  if (best === null) return t('factors.cannot_tell', { sessions, least: LEAST });
  const p = spa?.consistent ?? null;
  const isShown = p !== null && p <= 1 - SHOWN && dsr !== null && dsr >= SHOWN;
  return t(isShown ? 'factors.shown' : 'factors.luck', {
    best,
    trials,
    count: factors.length,
    chance: number(inPercent(p), 0),
    dsr: fixed(dsr, 2),
  });
}

const columnsAt = (horizon: number): readonly Column<Factor>[] => [
  { key: 'name', title: t('factors.factor'), value: ({ name }) => name },
  numberColumn(
    'ic',
    t('factors.ic'),
    ({ horizons }) => horizons[horizon].ic.mean,
    (mean) => signed(mean, 3),
  ),
  numberColumn(
    't',
    t('factors.t'),
    ({ horizons }) => horizons[horizon].ic.t_overlap,
    (value) => fixed(value, 1),
  ),
  percentColumn('positive', t('factors.positive'), ({ horizons }) => inPercent(horizons[horizon].ic.positive_share), 0),
  numberColumn(
    'spread',
    t('factors.spread'),
    ({ horizons }) => inPercent(horizons[horizon].spread.mean),
    (value) => signedPercent(value),
    tone,
  ),
  numberColumn(
    'spread_t',
    t('factors.spread_t'),
    ({ horizons }) => horizons[horizon].spread.t_overlap,
    (value) => fixed(value, 1),
  ),
  percentColumn('top', t('factors.turnover_top'), ({ turnover }) => inPercent(turnover.at(-1) ?? null), 0),
  percentColumn('bottom', t('factors.turnover_bottom'), ({ turnover }) => inPercent(turnover[0]), 0),
  percentColumn('coverage', t('factors.coverage'), ({ coverage }) => inPercent(coverage.mean_share), 0),
];
