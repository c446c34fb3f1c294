/**
 * Section 7 of a tear sheet: what its figures say, by fixed rules. Every sentence names the figures that made it by their places
 * in the sheet, or in the `statistics` of the result. The texts are those of the languages.
 */
import { FEW_TRADES } from '../backtest/metrics.ts';
import { roundTo } from '../market/series.ts';
import type { SkillFigures } from '../statistics/skill.ts';
import type { BenchmarkFigures } from './benchmark.ts';
import type { ChanceFigures } from './chance.ts';
import type { RandomRuns } from './random-sets.ts';
import type { Regression } from './regression.ts';
import type { ReturnFigures } from './returns.ts';
import { SENTENCE_KEYS, type Sentence, type SentenceKey } from './sentence.ts';
import { ERROR, skillSentence } from './skill-sentences.ts';
import type { TimeFigures } from './time.ts';
import type { TradeFigures } from './trades.ts';

/** From this correlation on the run moves with its benchmark. */
const CLOSE_CORRELATION = 0.9;
/** From this share on costs take much of what a run earns before them. */
const HEAVY_COSTS = 0.5;
/** From above this share of the gain on, the first sentence tells how much of it is interest on cash. */
const MUCH_INTEREST_PCT = 10;
/** Decimals to which the first sentence tells returns. */
const TOLD_DECIMALS = 1;

/** Everything that sentences are made from. */
export interface Judged {
  readonly sessions: number;
  readonly returns: ReturnFigures;
  readonly benchmark: BenchmarkFigures;
  readonly regression: Regression | null;
  readonly time: TimeFigures;
  readonly trades: TradeFigures;
  readonly chance: ChanceFigures;
  /** Null for a short range. */
  readonly skill: SkillFigures | null;
  /** Whether random sets of a rotation were too many to compute. */
  readonly areSetsSkipped: boolean;
  /** Interest on cash in percent of the gain; null: there is no gain. */
  readonly interestOfGainPct: number | null;
}

/** A record of returns alone. */
export type JudgedReturns = Pick<Judged, 'sessions' | 'returns' | 'chance' | 'skill'> & {
  readonly benchmark: BenchmarkFigures | null;
};

/** Begins with the result. Figures that are told alike are called alike. */
function outcome({ returns, benchmark }: Pick<Judged, 'returns' | 'benchmark'>): Sentence {
  const figures = { 'returns.total_pct': returns.total_pct, 'benchmark.total_pct': benchmark.total_pct };
  const [own, other] = [returns.total_pct, benchmark.total_pct].map((pct) => roundTo(pct, TOLD_DECIMALS));
  if (own === 0 || other === 0) return { key: 'returned', figures };
  if (own > 0 && other < 0) return { key: 'gained_while_lost', figures };
  if (own < 0 && other > 0) return { key: 'lost_while_gained', figures };
  if (own === other) return { key: own > 0 ? 'gained_same' : 'lost_same', figures };
  if (own > 0) return { key: own > other ? 'gained_more' : 'gained_less', figures };
  return { key: own > other ? 'lost_less' : 'lost_more', figures };
}

function withInterest({ key, figures }: Sentence, { interestOfGainPct: pct }: Judged): Sentence {
  return pct === null || pct <= MUCH_INTEREST_PCT ? { key, figures } : { key, figures: { ...figures, of_gain: pct } };
}

/** Facts that would change the mind, the most important first. */
function weaknesses(judged: Judged): Sentence[] {
  const { trades } = judged;
  const sentences = costs(judged);
  const isOfPositions = trades.position_summary !== null;
  if (trades.count < FEW_TRADES)
    sentences.push({ key: isOfPositions ? 'few_positions' : 'few_trades', figures: { 'trades.count': trades.count } });
  return [...sentences, ...whatWouldChange(judged)];
}

function whatWouldChange({ skill, sessions }: Pick<Judged, 'skill' | 'sessions'>): Sentence[] {
  if (skill === null || skill.appraisal === null) return [];
  const alpha = { 'statistics.skill.alpha_pct': skill.alphaPct };
  if (skill.shown) return [{ key: 'one_choice', figures: alpha }];
  if (skill.minTrackRecordBars === null) return [{ key: 'no_gain_to_prove', figures: alpha }];
  const needed = Math.ceil(skill.minTrackRecordBars);
  if (needed <= sessions) return [];
  return [{ key: 'more_sessions', figures: { 'statistics.skill.min_track_record_bars': needed, sessions } }];
}

/** Costs of a run that earned something before them. */
function costs({ time, returns: { annual_return_pct: annual } }: Judged): Sentence[] {
  const { commission_pct_per_year: commission, slippage_pct_per_year: slippage } = time.costs;
  // A return that overflows is far above any costs.
  if (commission === null || slippage === null || annual === null) return [];
  const paid = commission + slippage;
  const earned = paid + annual;
  if (!(paid > 0) || earned <= 0 || paid < HEAVY_COSTS * earned) return [];
  const figures = {
    'time.costs.commission_pct_per_year': commission,
    'time.costs.slippage_pct_per_year': slippage,
    'returns.annual_return_pct': annual,
  };
  return [{ key: annual > 0 ? 'heavy_costs' : 'costs_took_gain', figures }];
}

function market({ regression, benchmark }: Pick<Judged, 'regression' | 'benchmark'>): Sentence[] {
  const [alpha] = regression?.terms ?? [];
  if (alpha !== undefined && alpha.p !== null) {
    const figures = { 'regression.terms.0.coefficient': alpha.coefficient, 'regression.terms.0.p': alpha.p };
    return [{ key: 'factor_alpha', figures }];
  }
  const { correlation, beta } = benchmark;
  if (correlation === null || beta === null || correlation < CLOSE_CORRELATION) return [];
  return [{ key: 'follows_benchmark', figures: { 'benchmark.correlation': correlation, 'benchmark.beta': beta } }];
}

/** Runs that are always invested leave nothing to draw: a rank among equals says nothing. */
const areSpread = ({ total_pct: { p5, p95 } }: RandomRuns) => p5 < p95;

/** A rank among random runs is more than a figure only where skill is shown. */
function ranks({ chance: { random_entries: entries, random_sets: sets }, skill, areSetsSkipped }: Judged): Sentence[] {
  const isBetter = (rank: number) => skill?.shown === true && rank >= 1 - ERROR;
  const sentences: Sentence[] = [];
  if (entries !== null && areSpread(entries)) {
    const key = isBetter(entries.rank) ? 'entries_better' : 'entries_rank';
    sentences.push({ key, figures: { 'chance.random_entries.rank': entries.rank } });
  }
  if (sets !== null && areSpread(sets)) {
    const key = isBetter(sets.rank) ? 'sets_better' : 'sets_rank';
    sentences.push({ key, figures: { 'chance.random_sets.rank': sets.rank } });
  }
  if (areSetsSkipped) sentences.push({ key: 'sets_skipped', figures: {} });
  return sentences;
}

function resampled({ chance: { bootstrap }, returns }: Pick<Judged, 'chance' | 'returns'>): Sentence[] {
  if (bootstrap === null) return [];
  const depths = {
    'returns.max_drawdown_pct': returns.max_drawdown_pct,
    'chance.bootstrap.max_drawdown_pct.p95': bootstrap.max_drawdown_pct.p95,
  };
  return [
    { key: 'loss_share', figures: { 'chance.bootstrap.p_loss': bootstrap.p_loss } },
    { key: 'drawdown_expected', figures: depths },
  ];
}

export function verdictOf(judged: Judged): Sentence[] {
  if (judged.trades.count === 0) return [withInterest({ key: 'no_trades', figures: { 'trades.count': 0 } }, judged)];
  const [first, ...others] = weaknesses(judged);
  return [
    withInterest(outcome(judged), judged),
    skillSentence(judged.skill, judged.sessions),
    ...(first === undefined ? [] : [first]),
    ...ranks(judged),
    ...market(judged),
    ...resampled(judged),
    ...others,
  ];
}

/** Without a benchmark nothing is told of skill, nor of a record that was chosen among others. */
export function verdictOfReturns({ benchmark, ...judged }: JudgedReturns, isChosen: boolean): Sentence[] {
  if (benchmark === null) return resampled(judged);
  const ofSkill = isChosen ? [] : [skillSentence(judged.skill, judged.sessions), ...whatWouldChange(judged)];
  return [
    outcome({ ...judged, benchmark }),
    ...ofSkill,
    ...market({ regression: null, benchmark }),
    ...resampled(judged),
  ];
}

const SURE: readonly SentenceKey[] = SENTENCE_KEYS.filter((key) => key.startsWith('skill_'));

/** The sentences with those about a choice behind how sure the result is. */
export function withChoice(sentences: readonly Sentence[], choice: readonly Sentence[]): Sentence[] {
  const at = sentences.findIndex(({ key }) => SURE.includes(key));
  return at < 0 ? [...sentences, ...choice] : sentences.toSpliced(at + 1, 0, ...choice);
}
