/** Problems of a rule, independent of language: the position in its text, the text found, and the alternatives. */

/** A part of a rule's text, in UTF-16 code units: `from` (included) to `to` (excluded). */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const RULE_PROBLEM_CODES = [
  'rule_argument_constant',
  'rule_argument_count',
  'rule_argument_integer',
  'rule_argument_range',
  'rule_argument_ticker',
  'rule_arguments_order',
  'rule_character',
  'rule_character_meant',
  'rule_column_name',
  'rule_column_of_labels',
  'rule_column_of_numbers',
  'rule_column_unknown',
  'rule_empty',
  'rule_group_unknown',
  'rule_index_here',
  'rule_index_unknown',
  'rule_market_here',
  'rule_market_too_deep',
  'rule_needs_brackets',
  'rule_needs_condition',
  'rule_needs_value',
  'rule_no_brackets',
  'rule_no_text_here',
  'rule_number_too_large',
  'rule_only_others_here',
  'rule_parameter_missing',
  'rule_parameter_name',
  'rule_parameter_range',
  'rule_period_around',
  'rule_position_here',
  'rule_ticker_unknown',
  'rule_too_deep',
  'rule_too_long',
  'rule_too_many_nodes',
  'rule_too_many_parameters',
  'rule_unexpected',
  'rule_unexpected_end',
  'rule_unknown_name',
] as const;
export type RuleProblemCode = (typeof RULE_PROBLEM_CODES)[number];

export interface RuleProblem {
  readonly code: RuleProblemCode;
  readonly at: Span;
  /** Fills in the text of the problem. */
  readonly details: Readonly<Record<string, string | number>>;
  /** Alternatives: signs, names, or the kinds `number`, `name`, `$parameter`, `ticker`, `column`, `end`; empty if the code implies them. */
  readonly expected: readonly string[];
}

export function ruleProblem(
  code: RuleProblemCode,
  at: Span,
  details: RuleProblem['details'] = {},
  expected: readonly string[] = [],
): RuleProblem {
  return { code, at, details, expected };
}
