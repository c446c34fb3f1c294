/** Trials of a key: the distinct specifications that assistants have run with it. */
import { type Pool, type Queryable, transaction } from '../pool.ts';

export interface TrialBudget {
  readonly limit: number;
  readonly used: number;
}

/** A specification, and how many combinations it tries. */
export interface Trial {
  /** 16 bytes that identify it. */
  readonly spec: Buffer;
  readonly trials: number;
}

const BUDGET = `select k.trial_limit as "limit",
  (select coalesce(sum(t.trials), 0)::int from key_trials t where t.api_key_id = k.id) as used
  from api_keys k where k.id = $1`;

/** Null: the key is gone. */
export async function selectTrialBudget(db: Queryable, apiKeyId: number): Promise<TrialBudget | null> {
  const { rows } = await db.query<TrialBudget>({ name: 'trial_budget', text: BUDGET, values: [apiKeyId] });
  return rows[0] ?? null;
}

/** Records what is new of the trials, all of it or nothing. Returns how many more the budget would have to have; 0: it was enough. */
export function spendTrials(pool: Pool, apiKeyId: number, given: readonly Trial[]): Promise<number> {
  return transaction(pool, async (connection) => {
    await connection.query('select from api_keys where id = $1 for update', [apiKeyId]);
    const { rows: known } = await connection.query<{ spec: Buffer }>(
      'select spec from key_trials where api_key_id = $1 and spec = any($2::bytea[])',
      [apiKeyId, given.map(({ spec }) => spec)],
    );
    const knownSpecs = new Set(known.map(({ spec }) => spec.toString('hex')));
    const added = new Map(
      given.map((trial) => [trial.spec.toString('hex'), trial] as const).filter(([key]) => !knownSpecs.has(key)),
    );
    const trials = [...added.values()];
    const budget = await selectTrialBudget(connection, apiKeyId);
    if (budget === null || trials.length === 0) return 0;
    const lacking = trials.reduce((sum, one) => sum + one.trials, budget.used) - budget.limit;
    if (lacking > 0) return lacking;
    await connection.query(
      'insert into key_trials (api_key_id, spec, trials) select $1, unnest($2::bytea[]), unnest($3::int[])',
      [apiKeyId, trials.map(({ spec }) => spec), trials.map((one) => one.trials)],
    );
    return 0;
  });
}
