/** Studies of factors on the sample market, by alphalens. */
import { fileURLToPath } from 'node:url';
import { factorFigures } from '../../../../engine/factors/figures.ts';
import { type Every, type Horizon, type StudySessions, studySessions } from '../../../../engine/factors/sessions.ts';
import { correlationsOf, studyFactors } from '../../../../engine/factors/study.ts';
import type { FactorTally } from '../../../../engine/factors/tally.ts';
import { roundedForOrder } from '../../../../engine/indicators/ties.ts';
import { adjustToLastBar } from '../../../../engine/market/adjust.ts';
import { formatDay } from '../../../../engine/market/dates.ts';
import { clockOf } from '../../../../engine/portfolio/clock.ts';
import { checkRule } from '../../../../engine/rules/check.ts';
import { compileValue } from '../../../../engine/rules/compile.ts';
import { evaluateMarket, type Market } from '../../../../engine/rules/market-values.ts';
import { type FactorView, factorView } from '../../../../jobs/factors/result.ts';
import { type Figures, pairUp } from '../pairs.ts';
import { type NamedSeries, tradedSample } from '../sample-series.ts';
import type { Pair, Suite } from '../suite.ts';

const SCRIPT = fileURLToPath(new URL('factor-studies.py', import.meta.url));
const INSTRUMENTS = 20;
const YEARS = [2020, 2022] as const;
const QUANTILES = 5;

interface GivenStudy {
  readonly every: Every;
  readonly horizons: readonly Horizon[];
  /** Two. */
  readonly values: readonly string[];
  readonly isNeutral: boolean;
}

/** Values in the middle of the market are 0: a tie that may lie across an edge of quantiles. */
const TIED = 'roc(20) - min(max(roc(20), -2), 2)';

const STUDIES: readonly GivenStudy[] = [
  { every: 'day', horizons: [1, 21], values: ['close / sma(20)', '-atr(14) / close'], isNeutral: false },
  // Four of 20 are tied at either end, all of the first and of the last quantile.
  { every: 'week', horizons: [5, 21, 'step'], values: ['winsorize(roc(20), 0.2)', TIED], isNeutral: false },
  { every: 'week', horizons: [1, 'step'], values: ['-sma(5)', 'lag(zscore(close / sma(5)), 3)'], isNeutral: true },
];

interface Answer {
  readonly factors: readonly Figures[];
  readonly correlation: number;
}

function programOf(text: string) {
  const checked = checkRule(text, { result: 'value', mayUsePosition: false, market: 'peers', parameters: null });
  if ('problems' in checked) throw new RangeError(`${text}: ${JSON.stringify(checked.problems)}`);
  return compileValue(checked.expression);
}

function marketOf(sample: readonly NamedSeries[]): Market {
  return {
    members: sample.map((_, i) => ({ asset_type: 'stock', venue: `venue ${i % 3}` })),
    visit: () => sample.map(({ series }, member) => ({ member, series, isDelisted: false })),
  };
}

async function studied(sample: readonly NamedSeries[], { every, horizons, values, isNeutral }: GivenStudy) {
  const clock = clockOf(sample.map(({ series }) => ({ series, from: 0, to: series.length })));
  const sessions = studySessions(clock, every, 0);
  const market = marketOf(sample);
  const factors = values.map(programOf);
  const programs = { where: [], factors, neutral: isNeutral ? ('venue' as const) : null };
  const when = { sessions: clock, first: 0 };
  const { tallies, monthRanks } = await studyFactors(market, when, sessions, programs, {
    horizons,
    quantiles: QUANTILES,
  });
  const asked = [...clock.keys()];
  const answers = await evaluateMarket(market, { where: [], values: factors }, { sessions: clock, asked });
  // Theirs are put in order as they are, noise included.
  const rows = answers.values.map((column) =>
    asked.map((t) => [...roundedForOrder(column.subarray(t * INSTRUMENTS, (t + 1) * INSTRUMENTS))]),
  );
  const figures = tallies.map((tally, i) => {
    const named = { name: values[i], value: values[i] };
    const view = factorView(named, factorFigures(tally, sessions, horizons), sessions, String);
    return ours(view, tally, sessions);
  });
  return { sessions, rows, figures, correlation: correlationsOf(monthRanks)[0].mean };
}

/** A study as the script is given it. */
function requestOf(
  sample: readonly NamedSeries[],
  { horizons, isNeutral }: GivenStudy,
  { sessions: { clock, looked }, rows }: Awaited<ReturnType<typeof studied>>,
) {
  const close = sample.map(({ symbol, series }) => {
    const closes = new Map(Array.from(series.day, (day, t) => [day, series.close[t]]));
    return [symbol, Array.from(clock, (day) => closes.get(day) ?? null)] as const;
  });
  return {
    day: Array.from(clock, formatDay),
    looked,
    close: Object.fromEntries(close),
    values: rows,
    groups: isNeutral ? marketOf(sample).members.map(({ venue }) => venue) : null,
    horizons,
    quantiles: QUANTILES,
  };
}

/** Our figures, by the names that the script gives theirs. */
function ours(view: FactorView, tally: FactorTally, { clock, looked }: StudySessions): Figures {
  const bySession = tally.horizons.flatMap(({ quantiles }, h) =>
    quantiles.flatMap((means, q) =>
      Array.from(means, (mean, row): [string, number | null] => [
        `quantile ${q + 1} over ${view.horizons[h].horizon} on ${formatDay(clock[looked[row]])}`,
        Number.isNaN(mean) ? null : mean,
      ]),
    ),
  );
  return {
    'mean names': view.coverage.mean_names,
    'mean share': view.coverage.mean_share,
    'rank autocorrelation': view.rank_autocorrelation,
    ...Object.fromEntries(view.turnover.map((turnover, q) => [`turnover of quantile ${q + 1}`, turnover])),
    ...Object.assign({}, ...view.horizons.map(horizonFigures)),
    ...Object.fromEntries(bySession),
  };
}

function horizonFigures({ horizon, ic, quantiles, spread }: FactorView['horizons'][number]): Figures {
  return {
    ...seriesFigures(`coefficient over ${horizon}`, ic),
    ...Object.fromEntries(ic.series.map((row) => [`coefficient over ${horizon} on ${row.ts}`, row.ic])),
    [`share above 0 over ${horizon}`]: ic.positive_share,
    ...Object.fromEntries(ic.by_year.map(({ year, mean }) => [`coefficient over ${horizon} in ${year}`, mean])),
    ...Object.fromEntries(
      quantiles.map(({ quantile, mean }) => [`mean of quantile ${quantile} over ${horizon}`, mean]),
    ),
    ...Object.fromEntries(quantiles.map(({ quantile, se }) => [`error of quantile ${quantile} over ${horizon}`, se])),
    ...seriesFigures(`spread over ${horizon}`, spread),
    ...Object.fromEntries(spread.series.map((row) => [`spread over ${horizon} on ${row.ts}`, row.spread])),
  };
}

function seriesFigures(
  of: string,
  { sessions, mean, sd, t, t_overlap }: Omit<FactorView['horizons'][number]['spread'], 'series'>,
): Figures {
  return {
    [`sessions of ${of}`]: sessions,
    [`mean of ${of}`]: mean,
    [`sd of ${of}`]: sd,
    [`t of ${of}`]: t,
    [`t with overlap of ${of}`]: t_overlap,
  };
}

export const ALPHALENS: Suite = {
  name: 'alphalens',
  title: 'alphalens',
  source:
    'alphalens-reloaded 0.5.1: utils.compute_forward_returns, utils.get_clean_factor, performance; statsmodels 0.15.0: OLS with ' +
    'cov_type HAC and equal weights; pandas 2.3.3: rank, corrwith',
  compares:
    'Studies of factors of 20 instruments over 3 years, by the day and by the week, with ties, and beside the mean of a group: ' +
    'coefficients and spreads session by session, returns of quantiles, turnover, and t of returns that overlap',
  tolerance: 1e-9,
  needsPython: true,
  requirements: 'requirements-performance.txt',
  deviations: [
    {
      matches: ({ name }) => name.includes(TIED) && /quantile|spread/.test(name),
      within: 0.6,
      reason:
        'Where equal values lie across an edge of quantiles, alphalens puts all of them below it, or leaves the session out; ours are ' +
        'put where their mean rank is.',
    },
  ],
  async pairs(choose, python) {
    const studies = choose(STUDIES, 1);
    const sample = tradedSample(INSTRUMENTS, ...YEARS).map(({ symbol, series, events }) => ({
      symbol,
      series: adjustToLastBar(series, events, 'total'),
    }));
    const own = await Promise.all(studies.map((study) => studied(sample, study)));
    const request = studies.map((study, i) => requestOf(sample, study, own[i]));
    const theirs = await python.run<readonly Answer[]>(SCRIPT, request);
    return studies.flatMap(({ every, values }, i): Pair[] => {
      const { factors, correlation } = theirs[i];
      const name = `correlation of ${values.join(' and ')} by the ${every}`;
      return [
        ...factors.flatMap((figures, k) => pairUp(`${values[k]} by the ${every}`, figures, own[i].figures[k])),
        { name, theirs: correlation, ours: own[i].correlation },
      ];
    });
  },
};
