/** Describes a comparison for operators. */
import type { Comparison, ComparisonResult } from '../../db/market/comparisons.ts';

const count = (value: number, one: string, many: string) => `${value.toLocaleString('en')} ${value === 1 ? one : many}`;

/** One line for each finding; the first one is the summary. */
export function describeComparison(comparison: Comparison, result: ComparisonResult): string[] {
  const { id, against, venueBasis, start, end, tolerancePct, volumeTolerancePct } = comparison;
  const { compared, differences, sessions, sessionsOnlyHere, sessionsOnlyThere, unknown, unread, malformed } = result;
  const lines = [
    `comparison ${id} of ${venueBasis} bars with ${against}, ${start} to ${end}: ${differences.differs.toLocaleString('en')} of ` +
      `${count(compared, 'bar differs', 'bars differ')} by more than ${tolerancePct} % (volumes ${volumeTolerancePct} %)`,
    `${count(sessions, 'session', 'sessions')} compared; ${count(differences.only_here, 'bar', 'bars')} only here, ` +
      `${count(differences.only_there, 'bar', 'bars')} only there`,
  ];
  if (sessionsOnlyHere.length > 0) lines.push(`only here: ${described(sessionsOnlyHere)}`);
  if (sessionsOnlyThere.length > 0) lines.push(`only there: ${described(sessionsOnlyThere)}`);
  if (unknown.rows > 0)
    lines.push(`no instrument here: ${count(unknown.rows, 'row', 'rows')} of ${named(unknown.tickers)}`);
  for (const { unit, error } of unread.slice(0, NAMED)) lines.push(`not read: ${unit}: ${error}`);
  if (unread.length > NAMED) lines.push(`not read: ${unread.length - NAMED} more`);
  if (malformed > 0) lines.push(`not valid bars there: ${count(malformed, 'row', 'rows')}`);
  return lines;
}

const NAMED = 5;

function named(all: readonly string[]): string {
  const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : '';
  return `${all.slice(0, NAMED).join(', ')}${more}`;
}

const described = (sessions: readonly string[]) =>
  `${count(sessions.length, 'session', 'sessions')} (${named(sessions)})`;
