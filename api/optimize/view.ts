/** Results of optimizations in the caller's language. */
import { type ReportedSearchStatistics, storedSelection } from '../../jobs/runs/statistics.ts';
import type { BacktestSummary } from '../../jobs/runs/summary.ts';
import type { Locale } from '../http/language/locale.ts';
import { type Described, describeRange } from '../runs/described-range.ts';
import type { DoneRun } from '../runs/state.ts';
import { sentencesOf } from '../runs/statistics-view.ts';
import { storedSheet, withoutTime } from '../runs/view.ts';
import type { ScreenCall, Services } from '../screener/services.ts';

/** The result with the tear sheet of its walk forward, if it asked for one. */
export function searchResult({ services }: ScreenCall, run: DoneRun, locale: Locale): object {
  const result: object & Pick<StoredSearch, 'walk_forward'> = inLanguage(run, services, locale);
  const sheet = storedSheet(run, locale);
  if (sheet === null) return result;
  return { ...result, walk_forward: { ...result.walk_forward, tear_sheet: JSON.parse(sheet.text) } };
}

type StoredSearch = Partial<Described & Pick<BacktestSummary, 'selection_basis' | 'receipt'>> & {
  readonly statistics?: ReportedSearchStatistics;
  readonly walk_forward?: object | null;
};

/** A stored result with its texts in the caller's language. */
function inLanguage(run: DoneRun, services: Services, locale: Locale) {
  const stored: StoredSearch = JSON.parse(run.result.summary);
  const { note_codes, note_details, data_range, statistics, selection_basis: _basis, receipt, ...figures } = stored;
  // The result of an older version.
  if (!note_codes || !data_range) return figures;
  const selection = storedSelection(run);
  return {
    ...figures,
    receipt: receipt && withoutTime(receipt),
    ...describeRange({ ...figures, note_codes, note_details, data_range }, locale, services.market),
    statistics: statistics && { ...statistics, sentences: sentencesOf({ statistics, selection }, locale) },
    selection: selection ?? undefined,
  };
}
