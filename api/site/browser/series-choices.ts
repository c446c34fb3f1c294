/** The candles of an instrument that a page may show, each list beginning with the default. */

export const PERIODS = ['day', 'week', 'month'] as const;
export const ADJUSTMENTS = ['qfq', 'total', 'none'] as const;
/** More than an instrument has. */
export const ALL_BARS = 10_000;
/** Months that a range shows; null: all. */
export const RANGES = { max: null, '5y': 60, '3y': 36, '1y': 12, '6m': 6, '3m': 3 } as const;
type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = ['3m', '6m', '1y', '3y', '5y', 'max'] as const satisfies readonly RangeName[];
/** The range to begin with: candles are wide enough to tell apart. */
const FIRST_RANGES = { day: '6m', week: '3y', month: 'max' } as const;

/** The ranges of a period, the one to begin with first. */
export const rangesOf = (period: (typeof PERIODS)[number]): readonly RangeName[] => [
  FIRST_RANGES[period],
  ...RANGE_NAMES,
];

export interface ShownSeries {
  readonly period: (typeof PERIODS)[number];
  readonly adjust: (typeof ADJUSTMENTS)[number];
  readonly range: RangeName;
}
