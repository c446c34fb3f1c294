/** The answer to a question: sentences, horizons, the path around a hit, years, cases, the best and worst hits, and its evidence. */
import { customElement, property, state } from 'lit/decorators.js';
import { path as address } from '../api.ts';
import { symbolLink } from '../columns.ts';
import { choice } from '../controls.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { OUTCOMES, type OutcomesBody } from '../run/outcomes.ts';
import { runSamples } from '../samples.ts';
import { day, fixed, inPercent, number, signedPercent, tone, wordSpace } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Outcomes } from '../types.ts';
import './code-samples.ts';
import './data-table.ts';
import { type Column, changeColumn, numberColumn, percentColumn } from './data-table.ts';
import './outcome-path.ts';
import './report-contents.ts';
import './run-evidence.ts';
import './value-bars.ts';

type Horizon = Outcomes['horizons'][number];
type Tally = NonNullable<Horizon['by']>['true'];
type Extreme = Outcomes['best'][number];

@customElement('outcome-report')
export class OutcomeReport extends SiteElement {
  @property({ attribute: false }) result!: Outcomes;
  /** The call that made it. */
  @property({ attribute: false }) body!: OutcomesBody;
  /** Null: it is not kept. */
  @property({ attribute: false }) keptId: number | null = null;
  /** Whether its reader may keep it. */
  @property({ attribute: false }) isOwn = false;
  /** The place of the horizon whose years and cases are in sight. */
  @state() chosen = 0;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('result')) this.chosen = this.result.horizons.length - 1;
  }

  /** Whether it was compared with anything. */
  private get isCompared(): boolean {
    return this.result.question.compare !== 'none';
  }

  override render() {
    const { sentences, horizons, path, best, worst, question } = this.result;
    const horizon = horizons[this.chosen];
    const parts = [
      { id: 'summary', title: t('contents.summary') },
      { id: 'horizons', title: t('form.horizons') },
      ...(path === null ? [] : [{ id: 'path', title: t('outcomes.path') }]),
      { id: 'by-year', title: t('outcomes.by_year') },
      { id: 'extremes', title: `${t('outcomes.best')}, ${t('outcomes.worst')}` },
      { id: 'evidence', title: t('evidence.title') },
      { id: 'programs', title: t('contents.code') },
    ];
    return html`<p><code>${question.condition}</code></p>
      <report-contents .parts=${parts}></report-contents>
      <div id="summary">${sentences.map((sentence) => html`<p class="run-words">${sentence}</p>`)}</div>
      ${this.remarks()}
      <h2 id="horizons">${t('form.horizons')}</h2>
      <data-table class="dense" .columns=${this.isCompared ? [...RETURNS, ...EXCESS] : RETURNS} .rows=${horizons} .current=${horizon} caption=${t('form.horizons')} @choose=${this.choose}></data-table>
      ${this.isCompared ? html`<p class="muted small">${t('outcomes.words')}</p>` : nothing}
      ${path === null ? nothing : html`<h2 id="path">${t('outcomes.path')}</h2><outcome-path .points=${path.points}></outcome-path><p class="muted small">${t('outcomes.path.text')}</p>`}
      <div class="row spread section-head"><h2 id="by-year">${t('outcomes.by_year')}</h2>${this.horizons()}</div>
      ${this.years(horizon)} ${horizon.by === null ? nothing : this.cases(horizon.by)}
      <div class="side-tables" id="extremes">${this.extremes(t('outcomes.best'), best)} ${this.extremes(t('outcomes.worst'), worst)}</div>
      <run-evidence .evidence=${this.result} .address=${this.keptId && address(OUTCOMES.api.evidence, { id: this.keptId })} .isOwn=${this.isOwn} .hasLookAhead=${false}></run-evidence>
      ${this.programs()}`;
  }

  private programs() {
    const { run, needsKey } = { ...OUTCOMES, ...OUTCOMES.api };
    const samples = runSamples({
      url: `${location.origin}${run}`,
      body: this.body,
      needsKey,
      figures: ['hits', 'sentences'],
    });
    return html`<h2 id="programs">${t('run.programs')}</h2>
      <code-samples .samples=${samples}></code-samples>`;
  }

  private readonly choose = ({ detail }: CustomEvent<Horizon>) => {
    this.chosen = this.result.horizons.indexOf(detail);
  };

  private remarks() {
    const { left_out: left, horizons } = this.result;
    const { open, no_entry: missed, ended } = horizons[horizons.length - 1];
    const counts = [
      ['outcomes.left_out', left],
      ['outcomes.open', open],
      ['outcomes.no_entry', missed],
      ['outcomes.ended', ended],
    ] as const;
    const remarks = counts.filter(([, count]) => count > 0).map(([key, count]) => t(key, { count }));
    return remarks.length === 0 ? nothing : html`<p class="muted small">${remarks.join(wordSpace)}</p>`;
  }

  private horizons() {
    const { horizons } = this.result;
    const values = horizons.map(({ horizon }, i) => [String(i), t('outcomes.later', { count: horizon })] as const);
    const onChoose = (place: string) => {
      this.chosen = Number(place);
    };
    return choice({ label: t('form.horizons'), name: 'horizon', values, chosen: String(this.chosen), onChoose });
  }

  private years({ by_year: years }: Horizon) {
    const label = t(this.isCompared ? 'outcomes.by_year.label' : 'outcomes.by_year.alone');
    const bars = years.map(({ year, mean, excess }) => ({
      name: String(year),
      value: inPercent(this.isCompared ? excess : mean),
    }));
    return html`<value-bars label=${label} head=${t('outcomes.year')} .bars=${bars} .write=${signedPercent}></value-bars>`;
  }

  private cases(by: NonNullable<Horizon['by']>) {
    const rows = (['true', 'false'] as const).map((name) => ({ ...by[name], name: t(`outcomes.by.${name}`) }));
    const title = t('outcomes.by.title');
    const columns = this.isCompared ? CASES : CASES.filter(({ key }) => key !== 'excess');
    return html`<h3>${title}</h3>
      <data-table class="short" .columns=${columns} .rows=${rows} caption=${title}></data-table>
      ${by.difference === null ? nothing : html`<p>${t('outcomes.by.difference', { difference: signedPercent(inPercent(by.difference)), t: fixed(by.t, 1) })}</p>`}`;
  }

  private extremes(title: string, rows: readonly Extreme[]) {
    const columns = this.isCompared ? EXTREMES : EXTREMES.filter(({ key }) => key !== 'excess');
    return html`<section><h2>${title}</h2><data-table class="dense" .columns=${columns} .rows=${rows} .ends=${[10, 0]} caption=${title}></data-table></section>`;
  }
}

const RETURNS: readonly Column<Horizon>[] = [
  numberColumn('horizon', t('outcomes.horizon'), ({ horizon }) => horizon),
  numberColumn('hits', t('outcomes.hits'), ({ hits }) => hits),
  numberColumn('days', t('outcomes.days'), ({ days }) => days),
  changeColumn('mean', t('outcomes.mean'), ({ mean }) => inPercent(mean), tone),
  { ...changeColumn('median', t('outcomes.median'), ({ median }) => inPercent(median)), isMinor: true },
  { ...changeColumn('p5', '5%', ({ p5 }) => inPercent(p5)), isMinor: true },
  { ...changeColumn('p95', '95%', ({ p95 }) => inPercent(p95)), isMinor: true },
  percentColumn('positive', t('outcomes.positive'), ({ positive_share: share }) => inPercent(share), 0),
];

const EXCESS: readonly Column<Horizon>[] = [
  changeColumn('others', t('outcomes.others'), ({ excess }) => inPercent(excess?.others ?? null)),
  numberColumn('excess', t('outcomes.excess'), ({ excess }) => inPercent(excess?.mean ?? null), signedPercent, tone),
  numberColumn('alpha', t('outcomes.alpha'), ({ excess }) => inPercent(excess?.alpha ?? null), signedPercent, tone),
  numberColumn(
    't',
    't',
    ({ excess }) => excess?.t ?? null,
    (value) => fixed(value, 1),
  ),
  numberColumn(
    'p',
    t('outcomes.chance'),
    ({ excess }) => excess?.p ?? null,
    (p) => (p === null ? fixed(p) : t('outcomes.chance.of', { count: number(100 * p, 0) })),
  ),
];

const CASES: readonly Column<Tally & { readonly name: string }>[] = [
  { key: 'name', title: t('form.by'), value: ({ name }) => name },
  numberColumn('hits', t('outcomes.hits'), ({ hits }) => hits),
  numberColumn('days', t('outcomes.days'), ({ days }) => days),
  numberColumn('mean', t('outcomes.mean'), ({ mean }) => inPercent(mean), signedPercent, tone),
  numberColumn('excess', t('outcomes.excess'), ({ excess }) => inPercent(excess), signedPercent, tone),
];

const EXTREMES: readonly Column<Extreme>[] = [
  { key: 'symbol', title: t('form.symbol'), value: ({ symbol }) => symbol, cell: ({ symbol }) => symbolLink(symbol) },
  { key: 'ts', title: t('word.date'), value: ({ ts }) => ts, cell: ({ ts }) => day(ts) },
  numberColumn(
    'value',
    t('outcomes.return'),
    ({ value }) => inPercent(value),
    (value) => signedPercent(value, 1),
    tone,
  ),
  numberColumn(
    'excess',
    t('outcomes.excess'),
    ({ excess }) => inPercent(excess),
    (value) => signedPercent(value, 1),
    tone,
  ),
];
