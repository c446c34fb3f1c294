/** The sentences of verdicts, whose texts are those of the languages. */

export const SENTENCE_KEYS = [
  'kept_differs',
  'no_trades',
  'gained_more',
  'gained_less',
  'gained_same',
  'gained_while_lost',
  'lost_less',
  'lost_more',
  'lost_same',
  'lost_while_gained',
  'returned',
  'skill_shown',
  'skill_shown_rarely',
  'skill_none',
  'skill_chance',
  'skill_errors',
  'skill_ex_ante',
  'skill_no_market',
  'skill_unknown',
  'skill_holding',
  'skill_idle',
  'skill_short',
  'skill_short_periods',
  'search_shown',
  'search_shown_rarely',
  'search_not_shown',
  'chosen_best',
  'chosen_among',
  'best_of_account',
  'one_of_account',
  'costs_took_gain',
  'heavy_costs',
  'few_trades',
  'few_positions',
  'more_sessions',
  'more_periods',
  'no_gain_to_prove',
  'one_choice',
  'factor_alpha',
  'follows_benchmark',
  'entries_better',
  'entries_rank',
  'sets_better',
  'sets_rank',
  'sets_skipped',
  'loss_share',
  'drawdown_expected',
] as const;
export type SentenceKey = (typeof SENTENCE_KEYS)[number];

export interface Sentence {
  readonly key: SentenceKey;
  /** By their places: `returns.total_pct`; `of_100`: samples of 100; `of_gain`: interest on cash in percent of the gain. */
  readonly figures: Readonly<Record<string, number>>;
}
