/** Statistics and selection as results store them: rounded, under the names of the API. */

import { TRADING_DAYS_PER_YEAR } from '../../engine/indicators/indicators.ts';
import { figure, finiteOrNull } from '../../engine/market/figures.ts';
import { type CrossValidation, EMBARGO, FOLDS, TEST_FOLDS } from '../../engine/statistics/cross-validation.ts';
import type { SharpeMoments } from '../../engine/statistics/moments.ts';
import type { Overfitting } from '../../engine/statistics/overfitting.ts';
import type { RealityCheck } from '../../engine/statistics/reality-check.ts';
import type { SearchStatistics } from '../../engine/statistics/search.ts';
import {
  type AdjustedSharpe,
  accountSelectionOf,
  deflationOf,
  type Haircut,
  type RunTally,
  selectionOf,
  skillDeflationOf,
} from '../../engine/statistics/selection.ts';
import type { Interval, RunStatistics, Skill } from '../../engine/statistics/single-run.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';

const PROBABILITY_DECIMALS = 6;
const RATIO_DECIMALS = 4;

export const probability = (value: number | null) => figure(finiteOrNull(value), PROBABILITY_DECIMALS);
const ratio = (value: number | null) => figure(finiteOrNull(value), RATIO_DECIMALS);
const interval = (value: Interval | null): readonly [number, number] | null =>
  value?.every(Number.isFinite) ? [figure(value[0], RATIO_DECIMALS), figure(value[1], RATIO_DECIMALS)] : null;

/** The gain of a run beyond the market that it held. */
export interface ReportedSkill {
  readonly benchmark: string;
  readonly beta: number | null;
  readonly alpha_pct: number | null;
  readonly alpha_t: number | null;
  readonly appraisal: number | null;
  readonly psr: number | null;
  readonly min_track_record_bars: number | null;
  readonly appraisal_interval: readonly [number, number] | null;
  readonly alpha_interval_pct: readonly [number, number] | null;
  readonly ex_ante: { readonly psr: number | null; readonly t: number | null; readonly bars: number } | null;
  /** Null for what a search chose: what is shown of it, the reality check says. */
  readonly shown: boolean | null;
}

export interface ReportedStatistics {
  readonly psr: number | null;
  readonly min_track_record_bars: number | null;
  readonly sharpe_interval: readonly [number, number] | null;
  readonly annualized_interval: readonly [number, number] | null;
  readonly block_length: number | null;
  readonly seed: string;
  readonly returns: number;
  /** Null for a short range; absent in results of earlier versions. */
  readonly skill?: ReportedSkill | null;
}

const BETA_DECIMALS = 8;
export const wholeBars = (bars: number | null) => (bars === null ? null : finiteOrNull(Math.ceil(bars)));

function reportSkill(skill: Skill, benchmark: string): ReportedSkill {
  const { exAnte } = skill;
  return {
    benchmark,
    beta: figure(finiteOrNull(skill.beta), BETA_DECIMALS),
    alpha_pct: ratio(skill.alphaPct),
    alpha_t: ratio(skill.alphaT),
    appraisal: ratio(skill.appraisal),
    psr: probability(skill.psr),
    min_track_record_bars: wholeBars(skill.minTrackRecordBars),
    appraisal_interval: interval(skill.appraisalInterval),
    alpha_interval_pct: interval(skill.alphaInterval),
    ex_ante: exAnte && { psr: probability(exAnte.psr), t: ratio(exAnte.t), bars: exAnte.bars },
    shown: skill.shown,
  };
}

/** `market`: the name of what was held. */
export function reportStatistics(statistics: RunStatistics, seed: string, market: string): ReportedStatistics {
  const { minTrackRecordBars } = statistics;
  return {
    psr: probability(statistics.psr),
    min_track_record_bars: wholeBars(minTrackRecordBars),
    sharpe_interval: interval(statistics.sharpeInterval),
    annualized_interval: interval(statistics.annualizedInterval),
    block_length: ratio(statistics.blockLength),
    seed,
    returns: statistics.returns,
    skill: statistics.skill && reportSkill(statistics.skill, market),
  };
}

export interface ReportedSearchStatistics extends ReportedStatistics {
  readonly columns: number;
  readonly pbo: number | null;
  readonly pbo_distribution: {
    readonly from: number;
    readonly to: number;
    readonly counts: readonly number[];
    readonly slope: number | null;
  } | null;
  readonly spa: {
    readonly lower: number;
    readonly consistent: number;
    readonly upper: number;
    readonly statistic: number;
    readonly block_length: number;
  } | null;
  readonly step_m: { readonly count: number; readonly superior: readonly ParameterValues[] } | null;
  readonly cpcv: ReturnType<typeof reportCrossValidation> | null;
  readonly haircut: ReturnType<typeof reportHaircut> | null;
}

/** Combinations that are listed as better than the benchmark; the others are counted. */
const LISTED_SUPERIOR = 50;

const annualized = (sharpe: number, perYear = TRADING_DAYS_PER_YEAR) =>
  figure(sharpe * Math.sqrt(perYear), RATIO_DECIMALS);

function reportCrossValidation({ purge, sharpes }: CrossValidation) {
  return {
    purge,
    folds: FOLDS,
    test_folds: TEST_FOLDS,
    embargo: EMBARGO,
    sharpes: sharpes.map((sharpe) => annualized(sharpe)),
    share_below_0: figure(sharpes.filter((sharpe) => sharpe < 0).length / sharpes.length, PROBABILITY_DECIMALS),
  };
}

export function reportOverfitting({ bound, counts, slope }: Overfitting) {
  const to = figure(bound, RATIO_DECIMALS);
  return { from: -to, to, counts, slope: ratio(slope) };
}

export function reportRealityCheck({ lower, consistent, upper, statistic, blockLength }: RealityCheck) {
  return {
    lower: figure(lower, PROBABILITY_DECIMALS),
    consistent: figure(consistent, PROBABILITY_DECIMALS),
    upper: figure(upper, PROBABILITY_DECIMALS),
    statistic: figure(statistic, RATIO_DECIMALS),
    block_length: figure(blockLength, RATIO_DECIMALS),
  };
}

/** `nameOf`: of the combination with a number. */
export function reportSuperior<T>(superior: readonly number[], nameOf: (combination: number) => T) {
  return { count: superior.length, superior: superior.slice(0, LISTED_SUPERIOR).map(nameOf) };
}

/** `perYear`: returns of a year. */
export function reportHaircut({ tests, p, bonferroni, holm, bhy }: Haircut, perYear = TRADING_DAYS_PER_YEAR) {
  const adjusted = (one: AdjustedSharpe) => ({
    p: figure(one.p, PROBABILITY_DECIMALS),
    sharpe: annualized(one.sharpe, perYear),
  });
  return {
    tests,
    p: figure(p, PROBABILITY_DECIMALS),
    bonferroni: adjusted(bonferroni),
    holm: adjusted(holm),
    bhy: adjusted(bhy),
  };
}

/** `combinations`: of the search, in grid order. */
export function reportSearchStatistics(
  search: SearchStatistics,
  seed: string,
  combinations: readonly ParameterValues[],
  market: string,
): ReportedSearchStatistics {
  const { overfitting, realityCheck, superior, crossValidation, haircut } = search;
  const run = reportStatistics(search.run, seed, market);
  return {
    ...run,
    skill: run.skill && { ...run.skill, shown: null },
    columns: search.columns,
    pbo: overfitting && figure(overfitting.pbo, PROBABILITY_DECIMALS),
    pbo_distribution: overfitting && reportOverfitting(overfitting),
    spa: realityCheck && reportRealityCheck(realityCheck),
    step_m: superior && reportSuperior(superior, (number) => combinations[number]),
    cpcv: crossValidation && reportCrossValidation(crossValidation),
    haircut: haircut && reportHaircut(haircut),
  };
}

/** The unrounded figures from which the selection is computed for any account. The result stores them. */
export interface SelectionBasis {
  /** Moments of the run, or of the best of a search; null if it has no Sharpe ratio. */
  readonly moments: SharpeMoments | null;
  /** For a search: the spread of the Sharpe ratios of its combinations (null: there is one). Absent for a single run. */
  readonly spread?: number | null;
  /** Moments of the gain of the run, or of the best of a search, beyond the market; null where that cannot be told. */
  readonly appraisal: SharpeMoments | null;
  /** For a search: the spread of the appraisal ratios of its combinations. */
  readonly appraisalSpread?: number | null;
  /** Sums over the run, or over all combinations, for the account's history. */
  readonly tally: RunTally;
  readonly bars: number;
}

/** Only the figures that a selection needs. */
export function sharpeMoments(moments: SharpeMoments | null): SharpeMoments | null {
  if (moments === null) return null;
  const { count, sharpe, skewness, kurtosis } = moments;
  return { count, sharpe, skewness, kurtosis };
}

export interface ReportedSelection {
  readonly trials: number;
  readonly emax: number;
  readonly min_backtest_years: number | null;
  /** For a search only. */
  readonly hurdle?: number | null;
  readonly dsr?: number | null;
  /** Hurdle and deflated ratio of what the best earned beyond the market. Like `account`, absent in results of earlier versions. */
  readonly skill?: { readonly hurdle: number | null; readonly dsr: number | null };
  /** Over everything that the account has computed in a year; null for a guest. */
  readonly account?: ReportedAccount | null;
}

export interface ReportedAccount {
  readonly runs: number;
  readonly emax: number;
  readonly hurdle: number | null;
  readonly dsr: number | null;
}

/** The selection of a stored run or kept backtest. */
export function storedSelection({ selection }: { readonly selection: object | null }): ReportedSelection | null {
  // Only results of `reportSelection` are stored there.
  return selection as ReportedSelection | null;
}

/**
 * `trials`: distinct combinations that were tried for the result; `account`: what its account has computed, null for a guest; `perYear`:
 * returns of a year.
 */
export function reportSelection(
  trials: number,
  basis: SelectionBasis,
  account: RunTally | null,
  perYear = TRADING_DAYS_PER_YEAR,
): ReportedSelection {
  const { moments, spread, appraisal, appraisalSpread = null } = basis;
  const { emax, minBacktestYears } = selectionOf(trials, moments, perYear);
  const selection = {
    trials,
    emax: figure(emax, RATIO_DECIMALS),
    min_backtest_years: ratio(minBacktestYears),
    account: account && reportAccount(account, basis),
  };
  if (spread === undefined) return selection;
  const { hurdle, dsr } = deflationOf(trials, spread, moments);
  const skill = skillDeflationOf(trials, appraisalSpread, appraisal);
  return {
    ...selection,
    hurdle: probability(hurdle),
    dsr: probability(dsr),
    skill: { hurdle: probability(skill.hurdle), dsr: probability(skill.dsr) },
  };
}

function reportAccount(account: RunTally, { bars, appraisal }: SelectionBasis): ReportedAccount {
  const { runs, emax, hurdle, dsr } = accountSelectionOf(account, bars, appraisal);
  return { runs, emax: figure(emax, RATIO_DECIMALS), hurdle: probability(hurdle), dsr: probability(dsr) };
}
