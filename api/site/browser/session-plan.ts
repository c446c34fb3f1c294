/** The plan that a page needs, as the server wrote it into the page, beside that of its reader. */
import { get, signedInAs } from './session.ts';
import type { AccountPlan } from './types.ts';

const PLANS = ['guest', 'free', 'pro', 'enterprise'];

/** Null: the page needs none, or the reader has it. */
export async function planNeeded(): Promise<string | null> {
  const { door = null } = document.documentElement.dataset;
  if (door === null || signedInAs() === null) return door;
  const account = await get<AccountPlan>('/api/account/plan').catch(() => null);
  return account === null || PLANS.indexOf(account.effective_plan) >= PLANS.indexOf(door) ? null : door;
}
