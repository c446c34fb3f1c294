/** Statistics in words, in the caller's language: one sentence for each figure that is defined. */
import type {
  ReportedSearchStatistics,
  ReportedSelection,
  ReportedStatistics,
} from '../../jobs/backtest/statistics.ts';
import { type LabelKey, labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';

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

function runSentences({ psr, min_track_record_bars: needed, annualized_interval, returns }: ReportedStatistics) {
  const found: Sentence[] = [];
  if (psr !== null) found.push(['statistics.psr', { cases: ofHundred(psr) }]);
  if (annualized_interval !== null) {
    const [low, high] = annualized_interval.map((value) => value.toFixed(1));
    found.push(['statistics.interval', { low, high }]);
  }
  if (needed !== null) {
    const key = returns < needed ? 'statistics.record_short' : 'statistics.record_long';
    found.push([key, { bars: grouped(returns), needed: grouped(needed) }]);
  }
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

function choiceSentences({ statistics, selection }: Judged): Sentence[] {
  const found: Sentence[] = [];
  if (selection?.dsr !== undefined && selection.dsr !== null) {
    found.push(['statistics.luck', { trials: grouped(selection.trials), cases: ofHundred(1 - selection.dsr) }]);
  } else if (selection && selection.trials > 1 && selection.min_backtest_years !== null) {
    const years = selection.min_backtest_years.toFixed(1);
    found.push(['statistics.trials', { trials: grouped(selection.trials), years }]);
  }
  if ('pbo' in statistics && statistics.pbo !== null) {
    const details = { columns: String(statistics.columns), cases: ofHundred(statistics.pbo) };
    found.push(['statistics.pbo', details]);
  }
  if ('spa' in statistics && statistics.spa !== null) {
    found.push(['statistics.spa', { cases: ofHundred(statistics.spa.consistent) }]);
  }
  return [...found, ...('cpcv' in statistics ? testSentences(statistics) : [])];
}

export function sentencesOf(judged: Judged, locale: Locale): string[] {
  return [...runSentences(judged.statistics), ...choiceSentences(judged)].map(([key, details]) =>
    labelText(key, locale, details),
  );
}
