/** Sentences on chance and skill: made from `shown`, and for searches from the reality check; never from a ratio against 0. */
import type { SkillFigures } from '../statistics/skill.ts';
import type { Sentence, SentenceKey } from './sentence.ts';

/** A statement that chance alone would make at least as often as this is not shown. */
export const ERROR = 0.05;
/** The least that the t of what is shown must reach: 95 of 100 of a normal figure lie below it. */
const LEAST_T = 1.6448536269514722;
/** Fewer sessions cannot show skill. */
const LEAST_SESSIONS = 120;

export type JudgedSkill = Pick<SkillFigures, 'beta' | 'alphaPct' | 'alphaT' | 'appraisal' | 'psr' | 'exAnte' | 'shown'>;

/** In how many of 100 samples chance does it, for the sentences of that name; below ½ it is `rarely`. */
function ofHundred(probability: number): number {
  return Math.round(100 * probability);
}

const isRare = (probability: number) => 100 * probability < 0.5;

/** `skill`: null for a range of fewer than 60 sessions. */
export function skillSentence(skill: JudgedSkill | null, sessions: number): Sentence {
  if (skill === null || sessions < LEAST_SESSIONS) return { key: 'skill_short', figures: { sessions } };
  const { beta, alphaPct, alphaT, appraisal, psr, exAnte } = skill;
  const alpha = { 'statistics.skill.alpha_pct': alphaPct };
  const of = (key: SentenceKey, figures: Sentence['figures'] = alpha) => ({ key, figures });
  if (appraisal === null)
    return beta === 0 ? of('skill_idle', {}) : of('skill_holding', { 'statistics.skill.beta': beta });
  const luck = 1 - Math.min(psr ?? 0, exAnte?.psr ?? 0);
  if (skill.shown)
    return isRare(luck) ? of('skill_shown_rarely') : of('skill_shown', { ...alpha, of_100: ofHundred(luck) });
  if (alphaPct <= 0) return of('skill_none', { 'statistics.skill.alpha_pct': -alphaPct });
  if (alphaT === null) return of('skill_no_market', { 'statistics.skill.beta': beta });
  if (psr === null || psr < 1 - ERROR) return of('skill_chance', { ...alpha, of_100: ofHundred(luck) });
  if (alphaT < LEAST_T) return of('skill_errors', { 'statistics.skill.alpha_t': alphaT });
  return exAnte === null ? of('skill_unknown') : of('skill_ex_ante', { 'statistics.skill.ex_ante.t': exAnte.t });
}

/** The sentence on the test of superior predictive ability of a search: `p` of "no combination is better than the market". */
export function searchSentence(p: number): Sentence {
  const place = 'statistics.spa.consistent';
  if (p > ERROR) return { key: 'search_not_shown', figures: { [place]: p, of_100: ofHundred(p) } };
  if (isRare(p)) return { key: 'search_shown_rarely', figures: { [place]: p } };
  return { key: 'search_shown', figures: { [place]: p, of_100: ofHundred(p) } };
}

/** The tries of the account: no part of the sheet, since it changes with every run. */
export interface Choice {
  readonly trials: number;
  /** Present for a search; absent in results of earlier versions. */
  readonly skill?: { readonly dsr: number | null };
  /** Null for a guest. */
  readonly account?: { readonly runs: number; readonly dsr: number | null } | null;
}

/** The sentences about a run that was chosen among many. */
export function choiceOf({ trials, skill, account }: Choice): Sentence[] {
  const sentences: Sentence[] = [];
  const tried = { 'selection.trials': trials };
  if (trials > 1) {
    const dsr = skill?.dsr ?? null;
    sentences.push(
      dsr === null
        ? { key: 'chosen_among', figures: tried }
        : { key: 'chosen_best', figures: { ...tried, 'selection.skill.dsr': dsr } },
    );
  }
  if (account && account.runs > trials) {
    const computed = { 'selection.account.runs': account.runs };
    sentences.push(
      account.dsr === null
        ? { key: 'one_of_account', figures: computed }
        : { key: 'best_of_account', figures: { ...computed, 'selection.account.dsr': account.dsr } },
    );
  }
  return sentences;
}
