/** Statistics in words, in the caller's language: what is shown first, then one sentence for each figure that is defined. */

import type { Sentence as Told } from '../../engine/tear-sheet/sentence.ts';
import { choiceOf, type JudgedSkill, searchSentence, skillSentence } from '../../engine/tear-sheet/skill-sentences.ts';
import type {
  ReportedSearchStatistics,
  ReportedSelection,
  ReportedSkill,
  ReportedStatistics,
} from '../../jobs/runs/statistics.ts';
import { type LabelKey, labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';
import { decimal, verdictText } from './verdict-texts.ts';

interface Judged {
  readonly statistics: ReportedStatistics | ReportedSearchStatistics;
  readonly selection: ReportedSelection | null;
}

type Details = Readonly<Record<string, string>>;
type Sentence = readonly [key: LabelKey, details: Details];

/** A probability as a number of 100 cases. */
const ofHundred = (share: number) => String(Math.round(100 * share));
/** Digits in groups, which is the same in the three languages. */
const grouped = (count: number) => count.toLocaleString('en-US');

function judgedSkill({ shown, ...skill }: ReportedSkill): JudgedSkill {
  const { ex_ante: exAnte, alpha_pct: alphaPct, beta } = skill;
  return {
    beta: beta ?? 0,
    alphaPct: alphaPct ?? 0,
    alphaT: skill.alpha_t,
    appraisal: skill.appraisal,
    psr: skill.psr,
    exAnte: exAnte && { ...exAnte, t: exAnte.t ?? 0 },
    shown: shown === true,
  };
}

/** The sentences on what is shown: of a search by the reality check, otherwise by the skill of the run. Results of earlier versions had none. */
function shownSentences({ statistics, selection }: Judged): Told[] {
  const { skill, returns } = statistics;
  if (skill === undefined) return [];
  const choice = selection === null ? [] : choiceOf(selection);
  if (!('spa' in statistics)) return [skillSentence(skill && judgedSkill(skill), returns), ...choice];
  return statistics.spa === null ? choice : [searchSentence(statistics.spa.consistent), ...choice];
}

/** Intervals are not told of what a search chose: they leave out that it was chosen. */
function runSentences({ statistics }: Judged): Sentence[] {
  const { psr, skill, annualized_interval } = statistics;
  const found: Sentence[] = [];
  const isChosen = 'spa' in statistics;
  if (!isChosen && annualized_interval !== null) {
    const [low, high] = annualized_interval.map((value) => decimal(value, 1));
    found.push(['statistics.interval', { low, high }]);
  }
  if (!isChosen && skill?.alpha_interval_pct) {
    const [low, high] = skill.alpha_interval_pct.map((value) => decimal(value, 1));
    found.push(['statistics.alpha_interval', { low, high }]);
  }
  if (psr !== null) found.push(['statistics.drift', { psr: psr.toFixed(2) }]);
  return found;
}

/** Results of earlier versions lack these figures. */
function testSentences({ columns, step_m, cpcv, haircut }: Partial<ReportedSearchStatistics>): Sentence[] {
  const found: Sentence[] = [];
  if (step_m) found.push(['statistics.step_m', { count: grouped(step_m.count), columns: grouped(columns ?? 0) }]);
  if (cpcv) {
    const below = cpcv.sharpes.filter((sharpe) => sharpe < 0).length;
    found.push(['statistics.cpcv', { paths: String(cpcv.sharpes.length), below: String(below) }]);
  }
  if (haircut) {
    const [bonferroni, holm, bhy] = [haircut.bonferroni, haircut.holm, haircut.bhy].map(({ sharpe }) =>
      sharpe.toFixed(2),
    );
    found.push(['statistics.haircut', { tests: grouped(haircut.tests), bonferroni, holm, bhy }]);
  }
  return found;
}

function splitSentences({ statistics }: Judged): Sentence[] {
  if (!('pbo' in statistics)) return [];
  const { pbo, columns } = statistics;
  const found: Sentence[] =
    pbo === null ? [] : [['statistics.pbo', { columns: String(columns), cases: ofHundred(pbo) }]];
  return [...found, ...testSentences(statistics)];
}

export function sentencesOf(judged: Judged, locale: Locale): string[] {
  return [
    ...shownSentences(judged).map((sentence) => verdictText(sentence, locale)),
    ...[...runSentences(judged), ...splitSentences(judged)].map(([key, details]) => labelText(key, locale, details)),
  ];
}
