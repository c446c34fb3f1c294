/** The section of a tear sheet on chance: resampled histories, random entries, and how many choices were tried. */
import { html, nothing } from 'lit';
import { growthOf } from '../run/figures.ts';
import { fixed, number, percent, signedPercent, withMinus } from '../text.ts';
import { t } from '../tool-text.ts';
import type { BacktestResult, TearSheet } from '../types.ts';
import { fanChart } from './charts.ts';
import { type PlacedFigure, placedTable, rowTable } from './figure-tables.ts';

type Percentiles = NonNullable<TearSheet['chance']['bootstrap']>['final_equity'];

/** Random runs, unless there was nothing to draw: all of them are then the same. */
function spreadOf<Runs extends { readonly total_pct: Percentiles }>(runs: Runs | null): Runs | null {
  return runs && runs.total_pct.p5 < runs.total_pct.p95 ? runs : null;
}

/** Probabilities, and ranks among random runs. */
function chanceFigures({ chance }: Pick<TearSheet, 'chance'>): PlacedFigure[] {
  const { bootstrap } = chance;
  const [random, sets] = [spreadOf(chance.random_entries), spreadOf(chance.random_sets)];
  const share = (probability: number) => percent(100 * probability, 1);
  const figures: PlacedFigure[] = [];
  const add = (place: string, name: string, value: string) => figures.push({ place, name, value });
  if (bootstrap) {
    add('chance.bootstrap.p_loss', t('sheet.p_loss'), share(bootstrap.p_loss));
    for (const depth of ['20', '30', '50'] as const)
      add(
        `chance.bootstrap.p_drawdown_above.${depth}`,
        t('sheet.p_drawdown', { depth }),
        share(bootstrap.p_drawdown_above[depth]),
      );
  }
  if (sets) add('chance.random_sets.rank', t('sheet.sets_rank'), share(sets.rank));
  if (random) add('chance.random_entries.rank', t('sheet.random_rank'), share(random.rank));
  return figures;
}

type Told = Pick<BacktestResult, 'selection'> & {
  readonly statistics?: Pick<NonNullable<BacktestResult['statistics']>, 'skill'>;
};

interface JudgedRun extends Told {
  readonly capital: number;
}

/** The gain beyond the market, how sure that is, and among how many runs it stands. */
function skillFigures({ statistics, selection }: Told): PlacedFigure[] {
  const figures: PlacedFigure[] = [];
  const add = (place: string, name: string, value: string) => figures.push({ place, name, value });
  const skill = statistics?.skill;
  if (skill) {
    add('statistics.skill.alpha_pct', t('evidence.alpha'), signedPercent(skill.alpha_pct, 1));
    add('statistics.skill.beta', t('evidence.beta'), fixed(skill.beta, 2));
    add('statistics.skill.appraisal', t('evidence.appraisal'), fixed(skill.appraisal, 2));
    add('statistics.skill.alpha_t', t('evidence.alpha_t'), fixed(skill.alpha_t, 2));
    add('statistics.skill.ex_ante.t', t('evidence.ex_ante_t'), fixed(skill.ex_ante?.t ?? null, 2));
    const needed = skill.min_track_record_bars;
    const bars = needed === null ? number(null) : t('evidence.bars', { bars: needed });
    add('statistics.skill.min_track_record_bars', t('evidence.track_record'), bars);
  }
  if (selection) {
    add('selection.trials', t('evidence.trials'), number(selection.trials));
    if (selection.account) add('selection.account.runs', t('evidence.account_runs'), number(selection.account.runs));
  }
  return figures;
}

/** The section of a run without a tear sheet. */
export function luckSection({ statistics, selection }: Pick<BacktestResult, 'statistics' | 'selection'>) {
  if (!statistics) return nothing;
  return html`<section id="luck"><h2>${t('evidence.luck')}</h2>
    <ul class="sentences">${statistics.sentences.map((text) => html`<li>${withMinus(text)}</li>`)}</ul>
    ${placedTable(skillFigures({ statistics, selection }))}</section>`;
}

export function chanceSection(sheet: Chance, run: JudgedRun) {
  const { bootstrap, trade_order: order } = sheet.chance;
  const [random, sets] = [spreadOf(sheet.chance.random_entries), spreadOf(sheet.chance.random_sets)];
  const cells = (name: string, figures: Percentiles, write: (figure: number) => string) => [
    name,
    ...[figures.p5, figures.p25, figures.p50, figures.p75, figures.p95].map(write),
  ];
  const row = (name: string, figures: Percentiles, digits: number) =>
    cells(name, figures, (figure) => fixed(figure, digits));
  const depths = (name: string, figures: Percentiles) => cells(name, figures, (figure) => fixed(-Math.abs(figure), 1));
  const rows = [
    ...(bootstrap
      ? [
          row(t('sheet.final_equity'), bootstrap.final_equity, 0),
          depths(t('sheet.drawdown'), bootstrap.max_drawdown_pct),
          row(t('sheet.under_water'), bootstrap.under_water_bars, 0),
        ]
      : []),
    ...(order ? [depths(t('sheet.order_drawdown'), order.max_drawdown_pct)] : []),
    ...(random ? [row(t('sheet.random_total'), random.total_pct, 1)] : []),
    ...(sets ? [row(t('sheet.sets_total'), sets.total_pct, 1)] : []),
  ];
  return html`<section id="sheet-chance"><h2>${t('sheet.chance')}</h2>
    ${bootstrap ? fan(bootstrap, sheet.series, run.capital) : html`<p>${t('sheet.none')}</p>`}
    <div class="sheet-columns">${placedTable(skillFigures(run))} ${placedTable(chanceFigures(sheet))}</div>
    ${rows.length === 0 ? nothing : rowTable(t('sheet.chance'), [t('sheet.percentile'), '5', '25', '50', '75', '95'], rows)}
  </section>`;
}

/** A sheet as far as it tells of chance. */
interface Chance extends Pick<TearSheet, 'chance'> {
  readonly series: readonly { readonly ts: string; readonly run: number }[];
}

type Bootstrap = NonNullable<TearSheet['chance']['bootstrap']>;

function fan({ bands }: Bootstrap, series: Chance['series'], capital: number) {
  const growth = growthOf(series.map((row) => row.run));
  const at = new Map(series.map(({ ts }, i) => [ts, growth[i]]));
  const values = bands.map(({ ts }) => (capital * (at.get(ts) ?? 100)) / 100);
  return fanChart(t('sheet.fan'), bands, { values, text: t('sheet.run') });
}
