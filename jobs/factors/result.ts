/** The result of a factor study as it is served: figures of 12 significant digits. */
import type { FactorChoice } from '../../engine/factors/choice.ts';
import type { FactorFigures, HorizonFigures } from '../../engine/factors/figures.ts';
import type { LongShort } from '../../engine/factors/long-short.ts';
import type { SeriesFigures } from '../../engine/factors/series-figures.ts';
import type { StudySessions } from '../../engine/factors/sessions.ts';
import type { FactorCorrelation } from '../../engine/factors/study.ts';
import { formatDayCached } from '../../engine/market/dates.ts';

export interface NamedFactor {
  readonly name: string;
  /** Its expression as text. */
  readonly value: string;
}

const DIGITS = 12;

/** Null where undefined. */
function shown(figure: number | null | undefined): number | null {
  return figure === null || figure === undefined || !Number.isFinite(figure)
    ? null
    : Number(figure.toPrecision(DIGITS));
}

const dayAt = ({ clock, looked }: StudySessions, row: number) => formatDayCached(clock[looked[row]]);

/** `symbolOf`: of a member. */
export function factorView(
  { name, value }: NamedFactor,
  figures: FactorFigures,
  sessions: StudySessions,
  symbolOf: (member: number) => string,
) {
  const { coverage, rankAutocorrelation, turnover, top, horizons } = figures;
  return {
    name,
    value,
    coverage: { mean_names: shown(coverage.meanNames), mean_share: shown(coverage.meanShare) },
    rank_autocorrelation: shown(rankAutocorrelation),
    turnover: turnover.map(shown),
    top: top.map(({ member, value }) => ({ symbol: symbolOf(member), value: shown(value) })),
    horizons: horizons.map((one) => horizonView(one, sessions)),
  };
}
export type FactorView = ReturnType<typeof factorView> & {
  readonly portfolio?: ReturnType<typeof portfolioView> | undefined;
};

export function portfolioView({
  formations,
  undefined: missing,
  months,
  lag,
  interval,
  series,
  ...figures
}: LongShort) {
  return {
    formations,
    undefined: missing,
    months,
    mean: shown(figures.mean),
    sd: shown(figures.sd),
    t: shown(figures.t),
    t_nw: shown(figures.t_nw),
    lag,
    interval: interval?.map(shown) ?? null,
    turnover: shown(figures.turnover),
    break_even: shown(figures.break_even),
    series: series.map(({ month, ls, long, short, names }) => ({
      month,
      ls: shown(ls),
      long: shown(long),
      short: shown(short),
      names,
    })),
  };
}

export function withoutSeries({ horizons, ...view }: FactorView) {
  return {
    ...view,
    horizons: horizons.map(({ ic: { series: _ic, ...ic }, spread: { series: _spread, ...spread }, ...one }) => ({
      ...one,
      ic,
      spread,
    })),
  };
}

function horizonView({ horizon, coefficient, quantiles, spread, series }: HorizonFigures, sessions: StudySessions) {
  const defined = (values: Float64Array) => [...values.keys()].filter((row) => !Number.isNaN(values[row]));
  let sum = 0;
  return {
    horizon,
    ic: {
      ...seriesView(coefficient),
      positive_share: shown(coefficient.positiveShare),
      by_year: coefficient.byYear.map((year) => ({ ...year, mean: shown(year.mean) })),
      series: defined(series.coefficients).map((row) => ({
        ts: dayAt(sessions, row),
        ic: shown(series.coefficients[row]),
      })),
    },
    quantiles: quantiles.map((one) => ({ ...one, mean: shown(one.mean), se: shown(one.se) })),
    spread: {
      ...seriesView(spread),
      series: defined(series.spreads).map((row) => {
        sum += series.spreads[row];
        return { ts: dayAt(sessions, row), spread: shown(series.spreads[row]), cumulated: shown(sum) };
      }),
    },
  };
}

function seriesView({ sessions, mean, sd, t, tOverlap }: SeriesFigures) {
  return { sessions, mean: shown(mean), sd: shown(sd), t: shown(t), t_overlap: shown(tOverlap) };
}

export function correlationView({ a, b, months, mean }: FactorCorrelation, names: readonly string[]) {
  return { a: names[a], b: names[b], months, mean: shown(mean) };
}

export function choiceView({ trials, emax, hurdle, dsr, spa, best, sessions }: FactorChoice, names: readonly string[]) {
  return {
    trials,
    emax: shown(emax),
    hurdle: shown(hurdle),
    dsr: shown(dsr),
    spa: spa && {
      block_length: shown(spa.blockLength),
      statistic: shown(spa.statistic),
      lower: shown(spa.lower),
      consistent: shown(spa.consistent),
      upper: shown(spa.upper),
    },
    best: best === null ? null : names[best],
    sessions,
  };
}
