/**
 * Every text of the site, in its three languages. `{name}` is filled in; `{name|bar|bars}` is a number with the word that fits it: the
 * first for one, the second for others.
 */
import { fromKeys, keysOf } from '../../../engine/util/values.ts';
import type { Locale } from '../../http/language/locale.ts';
import { ACCOUNT_TEXTS } from './account.ts';
import { ADMIN_TEXTS } from './admin.ts';
import { ARTICLE_TEXTS, DOCS_TEXTS } from './articles.ts';
import { CLAIM_TEXTS } from './claims.ts';
import { COLUMN_TEXTS } from './columns.ts';
import { COMPARISON_TEXTS } from './comparisons.ts';
import { DATA_TEXTS } from './data.ts';
import { EVIDENCE_TEXTS } from './evidence.ts';
import { FACTOR_TEXTS } from './factors.ts';
import { FORWARD_TEXTS } from './forward.ts';
import { HOME_TEXTS } from './home.ts';
import { JOB_TEXTS } from './jobs.ts';
import { JUDGE_TEXTS } from './judge.ts';
import { OPS_TEXTS } from './ops.ts';
import { OUTCOME_TEXTS } from './outcomes.ts';
import { PORTFOLIO_TEXTS } from './portfolio.ts';
import { PROBLEM_TEXTS } from './problems.ts';
import { ROTATION_TEXTS } from './rotation.ts';
import { RULE_TEXTS } from './rules.ts';
import { RUN_TEXTS } from './run.ts';
import { SCREENER_TEXTS } from './screener.ts';
import { SESSION_STEP_TEXTS } from './session-steps.ts';
import { SHELL_TEXTS, STATE_TEXTS } from './shell.ts';
import { SETUP_TEXTS, SIGN_IN_TEXTS } from './sign-in.ts';
import { OPTIMIZE_TEXTS, SWEEP_TEXTS } from './sweeps.ts';
import { SYMBOL_TEXTS } from './symbol.ts';
import { TEAR_SHEET_TEXTS } from './tear-sheet.ts';
import { TRUTH_TEXTS } from './truth.ts';
import { UNIVERSE_TEXTS } from './universe.ts';
import { VERDICT_TEXTS } from './verdicts.ts';
import { WEIGHTS_TEXTS } from './weights.ts';

/** Texts that any page may need, each of which loads them. */
const COMMON_TEXTS = {
  ...SHELL_TEXTS,
  ...STATE_TEXTS,
  ...SIGN_IN_TEXTS,
  ...HOME_TEXTS,
  ...SYMBOL_TEXTS,
  ...DOCS_TEXTS,
  ...ARTICLE_TEXTS,
  ...UNIVERSE_TEXTS,
};

/** Texts of forms, results, accounts, and the back office: only pages that use one of them load them. */
const TOOL_TEXTS = {
  ...RUN_TEXTS,
  ...SETUP_TEXTS,
  ...PORTFOLIO_TEXTS,
  ...ROTATION_TEXTS,
  ...TEAR_SHEET_TEXTS,
  ...SWEEP_TEXTS,
  ...FACTOR_TEXTS,
  ...CLAIM_TEXTS,
  ...OUTCOME_TEXTS,
  ...FORWARD_TEXTS,
  ...JUDGE_TEXTS,
  ...EVIDENCE_TEXTS,
  ...ACCOUNT_TEXTS,
  ...ADMIN_TEXTS,
  ...SCREENER_TEXTS,
  ...DATA_TEXTS,
  ...COLUMN_TEXTS,
  ...RULE_TEXTS,
  ...OPS_TEXTS,
  ...SESSION_STEP_TEXTS,
  ...JOB_TEXTS,
  ...COMPARISON_TEXTS,
  ...PROBLEM_TEXTS,
  ...OPTIMIZE_TEXTS,
  ...VERDICT_TEXTS,
  ...WEIGHTS_TEXTS,
};

export const SITE_TEXTS = { ...COMMON_TEXTS, ...TOOL_TEXTS, ...TRUTH_TEXTS };

const BY_MODULE = { common: COMMON_TEXTS, tools: TOOL_TEXTS } as const;

/** Texts that the browser loads together. */
export type TextModule = keyof typeof BY_MODULE;
export const TEXT_MODULES: readonly TextModule[] = keysOf(BY_MODULE);

export type CommonText = keyof typeof COMMON_TEXTS;
/** Texts of pages with tools. */
export type BrowserText = CommonText | keyof typeof TOOL_TEXTS;
export type SiteText = keyof typeof SITE_TEXTS;

export function textsOf(module: TextModule, locale: Locale): Record<string, string> {
  const texts: Readonly<Record<string, Record<Locale, string>>> = BY_MODULE[module];
  return fromKeys(keysOf(texts), (key) => texts[key][locale]);
}

export function siteText(key: SiteText, locale: Locale): string {
  return SITE_TEXTS[key][locale];
}
