/** The note of an answer on the bars behind it. */
import type { ToldFinding } from '../../db/market/findings.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import type { z } from '../http/input/fields.ts';
import { labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';
import type { DirectoryItem } from './directory.ts';
import type { MarketView } from './market-view.ts';
import type { suspectSchema } from './schemas.ts';

/** Bars that an answer is made of. */
export interface BarSpan {
  readonly item: DirectoryItem;
  readonly start: Day;
  readonly end: Day;
}

type SuspectNote = z.input<typeof suspectSchema>;

const MOST_FINDINGS = 20;

/** The note on bars in doubt; none where all seem right. */
export function suspectNotes(
  market: Pick<MarketView, 'findings'>,
  spans: readonly BarSpan[],
  locale: Locale,
): SuspectNote[] {
  const all = spans.flatMap(({ item, start, end }) =>
    market.findings(item, start, end).map((finding) => findingView(item, finding)),
  );
  if (all.length === 0) return [];
  const findings = all.slice(0, MOST_FINDINGS);
  const named = findings.map(({ symbol, kind, date }) => `${symbol} ${date} (${labelText(`finding.${kind}`, locale)})`);
  if (all.length > findings.length) named.push('…');
  const message = labelText('backtest.data_suspect', locale, { findings: named.join(', ') });
  return [{ code: 'data_suspect', level: 'warning', message, details: { findings, count: all.length } }];
}

function findingView({ qualified }: DirectoryItem, { kind, day }: ToldFinding) {
  return { symbol: qualified, kind, date: formatDay(day) };
}
