/** The state that callers have left, once nothing is to be done any more. */
import { backtestKey } from '../../../storage/keys.ts';
import { type Cluster, numberOf } from '../cluster.ts';
import { eventually } from '../eventually.ts';
import type { Callers } from './callers.ts';
import type { Effect, FinalState } from './check-history.ts';

const UNDER_WAY = `
  select 'run ' || id as left from runs where status in ('queued', 'running')
  union all select 'job ' || name from pgboss.job where state < 'completed' and name in ('backtest', 'optimize', 'screen', 'export', 'storage.remove')
  union all select 'export ' || id from exports where finished_at is null
  union all select 'delivery ' || id from webhook_deliveries where status = 'pending'
  union all select 'claim ' || queue from job_claims`;
/** A delivery that a dead worker had begun is due again after a minute. */
const IDLE_MS = 180_000;

interface CostOfRun {
  readonly cost: { readonly commission_rate: number };
}

/** Waits until nothing is under way, and reads all that is left. */
export async function finalState(cluster: Cluster, { deliveries, keysUserId }: Callers): Promise<FinalState> {
  const { pool } = cluster;
  await eventually(
    async () => (await pool.query(UNDER_WAY)).rows,
    (left) => left.length === 0,
    IDLE_MS,
  );
  const { rows: keys } = await pool.query<{ id: string }>('select id::text from api_keys where user_id = $1', [
    keysUserId,
  ]);
  return {
    effects: [...(await keptRuns(cluster)), ...(await runs(cluster)), ...(await exported(cluster))],
    deliveries,
    apiKeys: keys.map(({ id }) => id),
  };
}

async function keptRuns({ pool, s3, userId }: Cluster): Promise<Effect[]> {
  const { rows } = await pool.query<{ id: number; summary: CostOfRun }>('select id, summary from backtests');
  return rows.map(({ id, summary }) => ({
    kind: 'keep',
    id: String(id),
    key: String(numberOf(summary)),
    isDone: true,
    missing: ['klines', 'trades', 'equity'].filter((part) => !s3.objects.has(backtestKey(userId, id, part))),
  }));
}

/** A canceled run, whose caller went away before it began, had no effect. */
async function runs({ pool }: Cluster): Promise<Effect[]> {
  const { rows } = await pool.query<{ id: string; kind: string; number: number; isDone: boolean }>(
    `select r.id, r.kind, round(substring(r.spec::text from '"commissionRate": ?([0-9.e-]+)')::float8 * 1e7)::int - 1 as number,
       r.status = 'done' and coalesce(j.state = 'completed', true) as "isDone"
     from runs r left join pgboss.job j on j.id = r.id and j.name = r.kind
     where r.kind in ('backtest', 'optimize') and r.status <> 'cancelled'`,
  );
  return rows.map(({ id, kind, number, isDone }) => ({
    kind: kind === 'optimize' ? 'search' : 'queue',
    id,
    key: String(number),
    isDone,
    missing: [],
  }));
}

async function exported({ pool, s3 }: Cluster): Promise<Effect[]> {
  const { rows } = await pool.query<{ id: string; start: string; status: string; object: string | null }>(
    `select id::text, request ->> 'start' as start, status, object_key as object from exports`,
  );
  return rows.map(({ id, start, status, object }) => ({
    kind: 'export',
    id,
    key: start,
    isDone: status === 'done',
    missing: object !== null && s3.objects.has(object) ? [] : ['its file'],
  }));
}
