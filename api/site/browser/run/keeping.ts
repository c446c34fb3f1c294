/** A plan may keep so many runs: the oldest goes when there is one more. Asks before that ends a link that was shared. */
import type { AccountPlan } from '../account-types.ts';
import { ask } from '../elements/ask.ts';
import { get } from '../session.ts';
import { day, t } from '../text.ts';
import type { History } from '../types.ts';

/** Runs on a page of the list. */
const LISTED = 100;

/** Whether the reader wants to keep another run, with what that costs. */
export async function mayKeepAnother(signal: AbortSignal): Promise<boolean> {
  const { quotas } = await get<AccountPlan>('/api/account/plan', { signal });
  const most = quotas.backtest_history_max;
  if (most === null) return true;
  const lost = (await oldestOf(most, signal)).filter(({ shared }) => shared);
  if (lost.length === 0) return true;
  const runs = lost.map(nameOf).join('; ');
  return ask({ title: t('keep.full'), text: t('keep.full.text', { most, runs }), action: t('keep.anyway') });
}

/** The runs that go when one more is kept: the list has the newest first. */
async function oldestOf(most: number, signal: AbortSignal): Promise<History['items']> {
  const page = 1 + Math.floor((most - 1) / LISTED);
  const { items } = await get<History>('/v1/backtests', { query: { kind: 'all', page, page_size: LISTED }, signal });
  return items.slice((most - 1) % LISTED);
}

function nameOf(item: History['items'][number]): string {
  const subject = item.kind === 'portfolio' ? t('portfolio.count', { count: item.symbols_count }) : item.symbol;
  return `${subject} · ${item.strategy} · ${day(item.start_date)} – ${day(item.end_date)}`;
}
