/** Verdicts on kept backtests, and on strategies. */
import type { Connection, Queryable } from '../pool.ts';
import { type Rows, TABLES } from '../schema/tables.ts';
import { KEPT_RUN, type KeptRun } from './kept-runs.ts';

export const VERDICTS = TABLES.backtests.verdict.values;
export type Verdict = (typeof VERDICTS)[number];

/** A kept backtest of any account; null when it was deleted. */
export async function selectKeptById(db: Queryable, id: number): Promise<KeptRun | null> {
  const { rows } = await db.query<KeptRun>(`select ${KEPT_RUN.sql} from backtests where id = $1`, [id]);
  return rows[0] ?? null;
}

/** Kept backtests after an id, oldest first. */
export async function selectKeptAfter(db: Queryable, id: number, limit: number): Promise<KeptRun[]> {
  const { rows } = await db.query<KeptRun>(`select ${KEPT_RUN.sql} from backtests where id > $1 order by id limit $2`, [
    id,
    limit,
  ]);
  return rows;
}

/** `share` of the kept backtests, at least one, those first that were verified longest ago or never. */
export async function selectVerificationSample(db: Queryable, share: number): Promise<KeptRun[]> {
  const { rows } = await db.query<KeptRun>(
    `select ${KEPT_RUN.sql} from backtests order by verified_at nulls first, id
     limit (select ceil(count(*) * $1::float8) from backtests)`,
    [share],
  );
  return rows;
}

export async function saveVerdict(db: Queryable, id: number, verdict: Verdict, at: Date): Promise<void> {
  await db.query('update backtests set verdict = $2, verified_at = $3 where id = $1', [id, verdict, at]);
}

export async function countUnexplained(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from backtests where verdict = 'unexplained'`,
  );
  return rows[0].count;
}

export interface StrategyProof {
  readonly strategy: string;
  readonly engineVersion: string;
  readonly symbol: string;
  readonly prefixes: number;
  readonly at: Date;
}

/** Stores the result of a proof with the backtest and, if there was no look-ahead, as the newest proof of the strategy. */
export async function saveLookAhead(
  connection: Connection,
  id: number,
  found: object,
  proof: StrategyProof | null,
): Promise<void> {
  await connection.query('update backtests set look_ahead = $2 where id = $1', [id, found]);
  if (proof === null) return;
  await connection.query(
    `insert into strategy_proofs (strategy, engine_version, symbol, prefixes, proved_at) values ($1, $2, $3, $4, $5)
     on conflict (strategy) do update set engine_version = excluded.engine_version, symbol = excluded.symbol,
       prefixes = excluded.prefixes, proved_at = excluded.proved_at`,
    [proof.strategy, proof.engineVersion, proof.symbol, proof.prefixes, proof.at],
  );
}

/** By strategy. */
export async function selectStrategyProofs(db: Queryable): Promise<Map<string, Rows['strategy_proofs']>> {
  const { rows } = await db.query<Rows['strategy_proofs']>('select * from strategy_proofs');
  return new Map(rows.map((row) => [row.strategy, row]));
}
