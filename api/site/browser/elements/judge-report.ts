/** A judgement: sentences, how good the best is after the choice, all streams, and one of them as a tear sheet. */
import { customElement, property, state } from 'lit/decorators.js';
import { html, nothing, SiteElement } from '../dom.ts';
import { notices } from '../notices.ts';
import { chanceSection } from '../tear-sheet/chance.ts';
import { rowTable } from '../tear-sheet/figure-tables.ts';
import { equitySection, fallSection, monthSection, riskSection, tradeSection } from '../tear-sheet/sections.ts';
import { day, fixed, inPercent, listed, number, percent, signedPercent } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Judgement } from '../types.ts';
import './data-table.ts';
import './histogram.ts';
import { type Column, numberColumn } from './data-table.ts';
import './report-contents.ts';

type Stream = Judgement['streams'][number];

const SHOWN_NAMES = 5;
/** The money that the curve of a record begins with. */
const CAPITAL = 100_000;

/** Fires `detail` with the name of a stream whose curve is wanted. */
@customElement('judge-report')
export class JudgeReport extends SiteElement {
  @property({ attribute: false }) result!: Judgement;
  /** The name of the stream in sight. */
  @state() chosen = '';

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('result')) return;
    const { streams, selection } = this.result;
    const names = streams.map(({ name }) => name);
    if (!names.includes(this.chosen) || changed.get('result') === undefined) this.chosen = selection?.best ?? names[0];
  }

  override render() {
    const { result } = this;
    const { streams, sentences, account, selection } = result;
    const stream = streams.find(({ name }) => name === this.chosen) ?? streams[0];
    const rejected =
      account.rejected === 0
        ? []
        : [
            t('judge.lines', {
              loaded: number(account.loaded),
              lines: number(account.lines),
              rejected: account.rejected,
            }),
          ];
    const hasChoice = selection !== null && streams.length > 1;
    const parts = [
      { id: 'summary', title: t('contents.summary') },
      ...(hasChoice ? [{ id: 'choice', title: t('judge.choice') }] : []),
      { id: 'streams', title: t('judge.streams') },
      { id: 'stream', title: stream.name },
    ];
    return html`<report-contents .parts=${parts}></report-contents>
      <div id="summary">${sentences.map((sentence) => html`<p class="run-words">${sentence}</p>`)}</div>
      ${notices(result, { warnings: rejected })}
      ${hasChoice ? choiceOf(result) : nothing}
      <h2 id="streams">${t('judge.streams')}</h2>
      <data-table class="dense" .columns=${columnsOf(result)} .rows=${streams} .current=${stream} caption=${t('judge.streams')} @choose=${this.choose}></data-table>
      <h2 id="stream">${stream.name}</h2>
      <p class="muted small">${day(stream.first)} – ${day(stream.last)}</p>
      ${this.sheet(stream)}`;
  }

  private readonly choose = ({ detail: { name } }: CustomEvent<Stream>) => {
    this.chosen = name;
  };

  private sheet({ name, tear_sheet: sheet, serial, statistics }: Stream) {
    const { series, time, chance, trades } = sheet;
    const ask = () => this.dispatchEvent(new CustomEvent('detail', { detail: name }));
    return html`<div class="tear-sheet">
      ${
        series === null || time === null
          ? html`<p class="notice">${t('judge.no_series')} <button class="quiet" @click=${ask}>${t('judge.detail')}</button></p>`
          : equitySection({ series, time })
      }
      ${riskSection(sheet)} ${serial === null ? nothing : serialFigures(serial)}
      ${series === null ? nothing : chanceSection({ chance, series }, { statistics, capital: CAPITAL })}
      ${time === null ? nothing : html`${monthSection({ time })} ${fallSection(time)}`}
      ${trades === null ? nothing : tradeSection({ trades })}
    </div>`;
  }
}

const probability = (value: number | null | undefined) => fixed(value ?? null, 2);

function serialFigures(serial: NonNullable<Stream['serial']>) {
  const rows = [
    [t('judge.serial.rho'), fixed(serial.rho, 3)],
    [t('judge.serial.psr'), probability(serial.psr)],
    [t('judge.serial.min_track_record'), number(serial.min_track_record)],
    [t('judge.serial.critical_sharpe'), fixed(serial.critical_sharpe, 3)],
    [t('judge.serial.power'), probability(serial.power)],
  ];
  return html`<section><h2>${t('judge.serial')}</h2>
    <dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
    <p class="muted small">${t('judge.serial.text')}</p></section>`;
}

/** How good the best is after the choice among all. */
function choiceOf({ selection, pbo, spa, step_m, haircuts }: Judgement) {
  const superior = step_m?.superior ?? null;
  const more = superior === null || superior.length <= SHOWN_NAMES ? '' : ` +${superior.length - SHOWN_NAMES}`;
  const facts = [
    [t('judge.choice.best'), selection?.best ?? ''],
    [t('judge.choice.trials'), number(selection?.trials)],
    [t('judge.choice.hurdle'), fixed(selection?.hurdle ?? null, 3)],
    [t('judge.choice.dsr'), probability(selection?.dsr)],
    [t('judge.choice.pbo'), probability(pbo?.pbo)],
    [t('judge.choice.spa'), percent(inPercent(spa?.consistent ?? null), 1)],
    [
      t('judge.choice.step_m'),
      superior === null ? '–' : `${listed(superior.slice(0, SHOWN_NAMES)) || t('word.none')}${more}`,
    ],
  ];
  return html`<section><h2 id="choice">${t('judge.choice')}</h2>
    <dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
    ${haircuts === null ? nothing : haircutTable(haircuts)}
    ${pbo === null ? html`<p class="muted">${t('optimize.pbo.none')}</p>` : html`<step-bars .histogram=${pbo}></step-bars>`}</section>`;
}

type Haircuts = NonNullable<Judgement['haircuts']>;
/** The Sharpe ratio of the best after each correction for so many tests. */
function haircutTable({ tests, bonferroni, holm, bhy }: Haircuts) {
  const rows = Object.entries({ Bonferroni: bonferroni, Holm: holm, BHY: bhy });
  const label = t('judge.haircuts', { tests });
  return rowTable(
    label,
    [label, t('sheet.sharpe'), 'p'],
    rows.map(([name, { sharpe, p }]) => [name, fixed(sharpe, 2), fixed(p, 4)]),
  );
}

function columnsOf({ fdr, benchmark }: Judgement): readonly Column<Stream>[] {
  const rates = new Map(fdr?.streams.map(({ name, fdr: rate }) => [name, rate]));
  const skill: readonly Column<Stream>[] = [
    numberColumn(
      'alpha',
      t('sheet.alpha_pct'),
      ({ statistics }) => statistics.skill?.alpha_pct ?? null,
      (value) => signedPercent(value, 1),
    ),
    numberColumn(
      'appraisal',
      t('evidence.appraisal'),
      ({ statistics }) => statistics.skill?.appraisal ?? null,
      (value) => fixed(value, 2),
    ),
  ];
  return [
    { key: 'name', title: t('judge.stream'), value: ({ name }) => name },
    numberColumn('periods', t('judge.periods'), ({ periods }) => periods),
    numberColumn(
      'annual',
      t('judge.annual'),
      ({ tear_sheet }) => tear_sheet.returns.annual_return_pct,
      (value) => signedPercent(value, 1),
    ),
    {
      ...numberColumn(
        'volatility',
        t('sheet.volatility_pct'),
        ({ tear_sheet }) => tear_sheet.returns.volatility_pct,
        (value) => percent(value, 1),
      ),
      isMinor: true,
    },
    numberColumn(
      'sharpe',
      t('sheet.sharpe'),
      ({ tear_sheet }) => tear_sheet.returns.sharpe,
      (value) => fixed(value, 2),
    ),
    {
      ...numberColumn(
        'drawdown',
        t('judge.drawdown'),
        ({ tear_sheet }) => tear_sheet.returns.max_drawdown_pct,
        (value) => percent(value, 1),
      ),
      isMinor: true,
    },
    ...(benchmark === null ? [] : skill),
    numberColumn('psr', t('judge.psr'), ({ serial }) => serial?.psr ?? null, probability),
    ...(fdr === null
      ? []
      : [
          numberColumn<Stream, number | null>(
            'fdr',
            t('judge.fdr'),
            ({ name }) => rates.get(name) ?? null,
            probability,
          ),
        ]),
  ];
}
