/** The figures of a factor over all sessions that were looked at. */
import { figuresOf, meanOfAll, type SeriesFigures } from './series-figures.ts';
import { type Horizon, overlapOf, type StudySessions, yearOf } from './sessions.ts';
import type { FactorTally, HorizonTally, TopValue } from './tally.ts';

export interface YearOfCoefficients {
  readonly year: number;
  readonly sessions: number;
  readonly mean: number;
}

export interface QuantileFigures {
  readonly quantile: number;
  readonly sessions: number;
  readonly mean: number | null;
  /** Standard error of the mean. */
  readonly se: number | null;
}

export interface HorizonFigures {
  readonly horizon: Horizon;
  readonly coefficient: SeriesFigures & {
    /** Share above 0. */
    readonly positiveShare: number | null;
    readonly byYear: readonly YearOfCoefficients[];
  };
  readonly quantiles: readonly QuantileFigures[];
  readonly spread: SeriesFigures;
  readonly series: Pick<HorizonTally, 'coefficients' | 'spreads'>;
}

export interface FactorFigures {
  readonly coverage: { readonly meanNames: number; readonly meanShare: number | null };
  readonly rankAutocorrelation: number | null;
  /** By quantile. */
  readonly turnover: readonly (number | null)[];
  readonly top: readonly TopValue[];
  readonly horizons: readonly HorizonFigures[];
}

export function factorFigures(
  tally: FactorTally,
  sessions: StudySessions,
  horizons: readonly Horizon[],
): FactorFigures {
  return {
    coverage: { meanNames: meanOfAll(tally.names), meanShare: meanOrNull(tally.shares) },
    rankAutocorrelation: meanOrNull(tally.autocorrelations),
    turnover: tally.turnovers.map(meanOrNull),
    top: tally.top,
    horizons: tally.horizons.map((one, h) => horizonFigures(one, sessions, horizons[h])),
  };
}

function horizonFigures(series: HorizonTally, sessions: StudySessions, horizon: Horizon): HorizonFigures {
  const overlap = overlapOf(sessions, horizon);
  const { coefficients, spreads } = series;
  const figures = figuresOf(coefficients, overlap);
  const above = coefficients.filter((one) => one > 0).length;
  return {
    horizon,
    coefficient: {
      ...figures,
      positiveShare: figures.sessions === 0 ? null : above / figures.sessions,
      byYear: yearsOf(coefficients, sessions),
    },
    quantiles: series.quantiles.map((means, i) => {
      const { sessions: count, mean, sd } = figuresOf(means, 0);
      return { quantile: i + 1, sessions: count, mean, se: sd === null ? null : sd / Math.sqrt(count) };
    }),
    spread: figuresOf(spreads, overlap),
    series: { coefficients, spreads },
  };
}

function yearsOf(coefficients: Float64Array, { clock, looked }: StudySessions): YearOfCoefficients[] {
  const defined = [...coefficients.keys()].filter((row) => !Number.isNaN(coefficients[row]));
  const years = Map.groupBy(defined, (row) => yearOf(clock[looked[row]]));
  return Array.from(years, ([year, rows]) => ({
    year,
    sessions: rows.length,
    mean: meanOfAll(rows.map((row) => coefficients[row])),
  }));
}

function meanOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : meanOfAll(values);
}
