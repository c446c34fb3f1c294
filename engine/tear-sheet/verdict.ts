/**
 * Section 7 of a tear sheet: what its figures say, by fixed rules. Every sentence names the figures that made it by their places
 * in the sheet, or in the `statistics` of the result. The texts are those of the languages.
 */
import { FEW_TRADES } from '../backtest/metrics.ts';
import type { BenchmarkFigures } from './benchmark.ts';
import type { ChanceFigures } from './chance.ts';
import type { Regression } from './regression.ts';
import type { ReturnFigures } from './returns.ts';
import type { TimeFigures } from './time.ts';
import type { TradeFigures } from './trades.ts';

/** A statement that chance alone would make less often than this is shown. */
const ERROR = 0.05;
/** From this correlation on the run moves with its benchmark. */
const CLOSE_CORRELATION = 0.9;
/** From this share on costs take much of what a run earns before them. */
const HEAVY_COSTS = 0.5;

export const SENTENCE_KEYS = [
  'kept_differs',
  'no_trades',
  'gained_more',
  'gained_less',
  'lost_less',
  'lost_more',
  'sharpe_shown',
  'sharpe_not_shown',
  'alpha_shown',
  'alpha_not_shown',
  'alpha_negative',
  'follows_benchmark',
  'entries_better',
  'entries_no_better',
  'loss_unlikely',
  'loss_possible',
  'drawdown_expected',
  'few_trades',
  'heavy_costs',
  'more_sessions',
  'no_gain_to_prove',
  'one_choice',
  'chosen_among',
  'chosen_best',
] as const;
export type SentenceKey = (typeof SENTENCE_KEYS)[number];

export interface Sentence {
  readonly key: SentenceKey;
  /** By their places: `returns.total_pct`. */
  readonly figures: Readonly<Record<string, number>>;
}

/** Everything that sentences are made from. */
export interface Judged {
  readonly sessions: number;
  readonly returns: ReturnFigures;
  readonly benchmark: BenchmarkFigures;
  readonly regression: Regression | null;
  readonly time: TimeFigures;
  readonly trades: TradeFigures;
  readonly chance: ChanceFigures;
  /** Probability that the true Sharpe ratio is above 0. */
  readonly psr: number | null;
  readonly minTrackRecordBars: number | null;
}

function outcome({ returns, benchmark }: Judged): Sentence {
  const figures = { 'returns.total_pct': returns.total_pct, 'benchmark.total_pct': benchmark.total_pct };
  const isAhead = returns.total_pct > benchmark.total_pct;
  if (returns.total_pct > 0) return { key: isAhead ? 'gained_more' : 'gained_less', figures };
  return { key: isAhead ? 'lost_less' : 'lost_more', figures };
}

const isShown = (psr: number) => psr >= 1 - ERROR;

function skill({ returns, psr }: Judged): Sentence[] {
  if (psr === null || returns.sharpe === null) return [];
  const figures = { 'returns.sharpe': returns.sharpe, 'statistics.psr': psr };
  return [{ key: isShown(psr) ? 'sharpe_shown' : 'sharpe_not_shown', figures }];
}

function market({ regression, benchmark }: Judged): Sentence[] {
  const [alpha] = regression?.terms ?? [];
  if (alpha !== undefined && alpha.p !== null) {
    const figures = { 'regression.terms.0.coefficient': alpha.coefficient, 'regression.terms.0.p': alpha.p };
    if (alpha.p > ERROR) return [{ key: 'alpha_not_shown', figures }];
    return [{ key: alpha.coefficient > 0 ? 'alpha_shown' : 'alpha_negative', figures }];
  }
  const { correlation, beta } = benchmark;
  if (correlation === null || beta === null || correlation < CLOSE_CORRELATION) return [];
  return [{ key: 'follows_benchmark', figures: { 'benchmark.correlation': correlation, 'benchmark.beta': beta } }];
}

function luck({ chance: { bootstrap, random_entries: random }, returns }: Judged): Sentence[] {
  const sentences: Sentence[] = [];
  if (random !== null) {
    const key = random.rank >= 1 - ERROR ? 'entries_better' : 'entries_no_better';
    sentences.push({ key, figures: { 'chance.random_entries.rank': random.rank } });
  }
  if (bootstrap !== null) {
    const key = bootstrap.p_loss <= ERROR ? 'loss_unlikely' : 'loss_possible';
    sentences.push({ key, figures: { 'chance.bootstrap.p_loss': bootstrap.p_loss } });
    const figures = {
      'returns.max_drawdown_pct': returns.max_drawdown_pct,
      'chance.bootstrap.max_drawdown_pct.p95': bootstrap.max_drawdown_pct.p95,
    };
    sentences.push({ key: 'drawdown_expected', figures });
  }
  return sentences;
}

function weaknesses({ trades, time: { costs }, returns }: Judged): Sentence[] {
  const sentences: Sentence[] = [];
  if (trades.count < FEW_TRADES) sentences.push({ key: 'few_trades', figures: { 'trades.count': trades.count } });
  const { commission_pct_per_year: commission, slippage_pct_per_year: slippage } = costs;
  const { annual_return_pct: annual } = returns;
  // A return that overflows is far above any costs.
  if (commission === null || slippage === null || annual === null) return sentences;
  const paid = commission + slippage;
  if (paid > 0 && paid >= HEAVY_COSTS * (paid + Math.max(0, annual))) {
    const figures = {
      'time.costs.commission_pct_per_year': commission,
      'time.costs.slippage_pct_per_year': slippage,
      'returns.annual_return_pct': annual,
    };
    sentences.push({ key: 'heavy_costs', figures });
  }
  return sentences;
}

/** The last sentence: what would change the mind. */
function change({ sessions, psr, minTrackRecordBars, returns }: Judged): Sentence[] {
  if (psr === null || returns.sharpe === null) return [];
  if (isShown(psr)) return [{ key: 'one_choice', figures: { 'statistics.psr': psr } }];
  if (minTrackRecordBars === null) return [{ key: 'no_gain_to_prove', figures: { 'returns.sharpe': returns.sharpe } }];
  const needed = Math.ceil(minTrackRecordBars);
  return [{ key: 'more_sessions', figures: { 'statistics.min_track_record_bars': needed, sessions } }];
}

/** The tries of the account: no part of the sheet, since it changes with every run. */
export interface Choice {
  readonly trials: number;
  readonly min_backtest_years: number | null;
  /** The deflated Sharpe ratio; absent for a run that no search chose. */
  readonly dsr?: number | null;
}

/** The sentence about a run that was chosen among many. */
export function choiceOf({ trials, min_backtest_years: years, dsr }: Choice): Sentence[] {
  if (trials <= 1) return [];
  const figures = { 'selection.trials': trials };
  if (dsr !== undefined && dsr !== null) return [{ key: 'chosen_best', figures: { ...figures, 'selection.dsr': dsr } }];
  if (years === null) return [];
  return [{ key: 'chosen_among', figures: { ...figures, 'selection.min_backtest_years': years } }];
}

export function verdictOf(judged: Judged): Sentence[] {
  if (judged.trades.count === 0) return [{ key: 'no_trades', figures: { 'trades.count': 0 } }];
  return [
    outcome(judged),
    ...skill(judged),
    ...market(judged),
    ...luck(judged),
    ...weaknesses(judged),
    ...change(judged),
  ];
}
