/** The trials that an assistant may still make: each distinct specification, and each combination of a grid, is one. */
import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { selectTrialBudget, spendTrials, type Trial } from '../../db/accounts/trial-budgets.ts';
import type { Pool } from '../../db/pool.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { required } from '../../engine/util/values.ts';
import type { Caller } from '../access/caller.ts';
import type { TriedWork } from '../access/request-context.ts';
import { type Data, isData, without } from './data.ts';

/** Kinds whose runs look for something that pays. */
const TRYING: ReadonlySet<string> = new Set(['backtest', 'portfolio', 'optimize', 'outcomes', 'sweep', 'factors']);
/** Members of specifications that change no figure. */
const SHOWN = ['tearSheet', 'includeStatistics', 'objective', 'heatmap', 'walkForward', 'isOfNeighbors'];
const KEY_BYTES = 16;

function keyOf(spec: object): Buffer {
  return hash('sha256', required(canonicalize(spec)), 'buffer').subarray(0, KEY_BYTES);
}

/** Every combination of a grid: the grid {a: [1, 2]} has {a: 1} and {a: 2}. */
function combinationsIn(grid: Data): Data[] {
  return Object.entries(grid).reduce<Data[]>(
    (combinations, [name, values]) =>
      combinations.flatMap((one) => (Array.isArray(values) ? values : []).map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

/** A combination of a search is the same trial as its run alone. */
function trialsOf({ kind, spec, trials }: TriedWork): Trial[] {
  if (!TRYING.has(kind)) return [];
  const all: Data = { ...spec };
  if (trials !== undefined) return [{ spec: keyOf({ kind, ...all }), trials }];
  const { grid } = all;
  const base = [all.backtest, all.portfolio, all.rotation].find(isData);
  if (!isData(grid) || base === undefined) return [{ spec: keyOf(without(all, ...SHOWN)), trials: 1 }];
  const fixed = isData(base.params) ? base.params : {};
  return combinationsIn(grid).map((combination) => ({
    spec: keyOf({ ...without(base, ...SHOWN), params: { ...fixed, ...combination } }),
    trials: 1,
  }));
}

/** A function that takes trials from the budget of a caller's key; null for callers without a key. */
export function spenderOf(pool: Pool, caller: Caller): ((work: TriedWork) => Promise<void>) | null {
  if (caller.kind !== 'key') return null;
  return async (work) => {
    const lacking = await spendTrials(pool, caller.apiKeyId, trialsOf(work));
    if (lacking > 0) throw new ServiceError('trial_budget_spent', { lacking });
  };
}

/** The budget as every answer has it; null for callers without a key. */
export async function budgetView(pool: Pool, caller: Caller): Promise<Data | null> {
  const budget = caller.kind === 'key' ? await selectTrialBudget(pool, caller.apiKeyId) : null;
  return budget && { ...budget, left: Math.max(0, budget.limit - budget.used) };
}
