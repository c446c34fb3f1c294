import { path } from '../api.ts';
import { post } from '../session.ts';

/** Lets the screener take in a session that is held. */
export function releaseSession(date: string): Promise<unknown> {
  return post(path('/api/admin/data/calendar/{date}/release', { date }), {});
}
