/** A claim in our months: three portfolios, by period, with the words for the first. */
import { percentOf } from '../../tear-sheet/figures.ts';
import type { FormationPanel, LongShortRule } from '../cohort.ts';
import { type LongShort, type LongShortMonth, longShort } from '../long-short.ts';
import { NORMAL_95, testMean } from '../mean-test.ts';
import type { Claim } from './claims.ts';
import { type Judgement, judge } from './words.ts';

const PERIODS = ['before', 'in_sample', 'after_sample', 'after_publication'] as const;
export type ClaimPeriod = (typeof PERIODS)[number];

type RowRule = Pick<LongShortRule, 'weights' | 'breakpoints' | 'micro'>;

/** The first is judged; the last needs market values. */
const ROWS: readonly RowRule[] = [
  { weights: 'equal', breakpoints: 'all', micro: true },
  { weights: 'equal', breakpoints: 'all', micro: false },
  { weights: 'value', breakpoints: 'nyse', micro: true },
];

export interface ClaimRow extends RowRule {
  readonly months: number;
  readonly mean_pct: number | null;
  readonly t_nw: number | null;
  readonly interval_pct: readonly [low: number, high: number] | null;
  readonly turnover: number | null;
  readonly break_even_bps: number | null;
  /** Formations without two sides. */
  readonly undefined: number;
  readonly periods: readonly {
    readonly period: ClaimPeriod;
    readonly months: number;
    readonly mean_pct: number | null;
    readonly t_nw: number | null;
    readonly interval_pct: ClaimRow['interval_pct'];
  }[];
}

export interface ClaimResult {
  readonly rows: readonly ClaimRow[];
  /** The first row is judged, and the series is its own. */
  readonly judgement: Judgement;
  readonly series: readonly LongShortMonth[];
}

/** The period of a month of return, `YYYY-MM`. */
export function periodOf(month: string, { sample, year }: Pick<Claim, 'sample' | 'year'>): ClaimPeriod {
  const own = Number(month.slice(0, 4));
  if (own < sample.start) return 'before';
  if (own <= sample.end) return 'in_sample';
  return own <= year ? 'after_sample' : 'after_publication';
}

function periodsOf(series: readonly LongShortMonth[], claim: Claim): ClaimRow['periods'] {
  const months = Map.groupBy(series, ({ month }) => periodOf(month, claim));
  return PERIODS.flatMap((period) => {
    const own = months.get(period);
    if (own === undefined) return [];
    const { mean, t_nw, interval } = testMean(
      Float64Array.from(own, ({ ls }) => ls),
      claim.hold,
    );
    return [{ period, months: own.length, mean_pct: percentOf(mean), t_nw, interval_pct: intervalPct({ interval }) }];
  });
}

const intervalPct = ({ interval }: Pick<LongShort, 'interval'>) =>
  interval && ([100 * interval[0], 100 * interval[1]] as const);

function rowOf(rule: RowRule, found: LongShort, claim: Claim): ClaimRow {
  return {
    ...rule,
    months: found.months,
    mean_pct: percentOf(found.mean),
    t_nw: found.t_nw,
    interval_pct: intervalPct(found),
    turnover: found.turnover,
    break_even_bps: found.break_even && 10_000 * found.break_even,
    undefined: found.undefined,
    periods: periodsOf(found.series, claim),
  };
}

function judgementOf(found: LongShort, { publishedPct }: Claim): Judgement {
  const interval = intervalPct(found);
  const errorPct = interval === null ? Number.NaN : (interval[1] - interval[0]) / 2 / NORMAL_95;
  return judge({ publishedPct, intervalPct: interval, errorPct, months: found.months, lag: found.lag });
}

/** `values`: of the claim's expression, formation by formation, member by member; NaN for who is not eligible. */
export function computeClaim(claim: Claim, panel: FormationPanel, values: Float64Array): ClaimResult {
  const { cuts, hold } = claim;
  const rules = ROWS.filter(({ weights }) => weights === 'equal' || panel.size !== null);
  const found = rules.map((rule) => longShort(panel, values, { ...rule, cuts, hold }));
  return {
    rows: found.map((one, i) => rowOf(rules[i], one, claim)),
    judgement: judgementOf(found[0], claim),
    series: found[0].series,
  };
}
