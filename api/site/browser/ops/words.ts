/** How the on-call page writes moments, durations, and advice. */
import { path } from '../api.ts';
import { post } from '../session.ts';
import { number, t, textOr } from '../text.ts';

/** `16:05:03`, of a moment in UTC. */
export const clock = (iso: string): string => iso.slice(11, 19);

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const;

/** `3 min`, from seconds: the largest unit that fits. */
export function duration(seconds: number | null): string {
  if (seconds === null) return '–';
  const unit = UNITS.find(([size]) => seconds >= size);
  return unit ? `${number(Math.floor(seconds / unit[0]))} ${unit[1]}` : `${number(Math.floor(seconds))} s`;
}

/** The steps of the runbook, from the address of their section: `ops/docs/RUNBOOK.md#loads`. */
export function advice(runbook: string): string {
  const section = runbook.slice(runbook.indexOf('#') + 1);
  return textOr(`ops.advice.${section}`, t('ops.advice.other', { section: runbook }));
}

/** Lets the screener take in a session that is held. */
export function releaseSession(date: string): Promise<unknown> {
  return post(path('/api/admin/data/calendar/{date}/release', { date }), {});
}
