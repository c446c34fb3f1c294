/** Forward records that were sealed on an earlier day. */
import type { Pool } from '../../db/pool.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { required } from '../../engine/util/values.ts';
import type { JobContext } from '../../jobs/contracts/job-context.ts';
import { linked } from '../../jobs/forward/chain.ts';
import { appendToRecords } from '../../jobs/forward/run.ts';
import { runSealJob } from '../../jobs/forward/seal.ts';
import { testJobContext } from './job-context.ts';

interface Sealing {
  readonly pool: Pool;
  readonly userId: number;
  /** As of which the market is read, and the day of the seal: YYYY-MM-DD. */
  readonly sealedOn: string;
  readonly name?: string;
  /** The hurdle of a search behind the run. */
  readonly hurdle?: number;
  /** As what its run is kept; default: a backtest. */
  readonly kind?: 'backtest' | 'portfolio';
}

/** Seals a specification. Returns the id of the record. */
export async function sealSpec(
  spec: object,
  { pool, userId, sealedOn, name = 'Sealed', hurdle = 0, kind = 'backtest' }: Sealing,
): Promise<number> {
  const day = requireDay(sealedOn) - 1;
  const run = { kind, spec: { ...spec, end: null, asOf: day, dataAsOf: day } };
  const started = {
    spec: JSON.stringify({ run, name, hurdle, max: 10_000, plan: 'enterprise' }),
    dataVersion: 'bars=1',
    userId,
    isKept: false,
    historyMax: null,
    secondsMax: null,
    fingerprint: new Uint8Array(),
    isKnown: false,
  };
  const context = { pool, run: started, endRun: async () => {}, now: () => Date.parse(`${sealedOn}T16:00:00Z`) };
  await runSealJob(testJobContext(context), { runId: '' });
  const { rows } = await pool.query('select max(id)::int as id from forward_records where user_id = $1', [userId]);
  return required(rows[0].id);
}

/** Seals a kept run as on an earlier day. */
export async function sealKept(backtestId: number, sealing: Omit<Sealing, 'userId' | 'kind'>): Promise<number> {
  const { rows } = await sealing.pool.query('select user_id, kind, spec, summary from backtests where id = $1', [
    backtestId,
  ]);
  const [{ user_id: userId, kind, spec, summary }] = rows;
  return sealSpec({ ...spec, start: requireDay(summary.start_date) }, { ...sealing, userId, kind });
}

/** Seals a kept run as on an earlier day, and brings it up to today. Returns the id of the record. */
export async function sealEarlier(
  { pool, now }: Pick<JobContext, 'pool' | 'now'>,
  backtestId: number,
  sealedOn: string,
): Promise<number> {
  const id = await sealKept(backtestId, { pool, sealedOn, name: 'Averages cross', hurdle: 0.05 });
  await appendToRecords(testJobContext({ pool, now }));
  return id;
}

/** Changes an entry of a record, and gives it and those after it digests that hold. */
export async function forgeEntry(pool: Pool, id: number, number: number, change: object): Promise<void> {
  const { rows } = await pool.query('select entry from forward_entries where record_id = $1 order by number', [id]);
  const { rows: seals } = await pool.query('select seal_sha256 from forward_records where id = $1', [id]);
  const entries = linked(
    seals[0].seal_sha256,
    rows.map(({ entry }, i) => (i + 1 === number ? { ...entry, ...change } : entry)),
  );
  const update = 'update forward_entries set entry = $3, sha256 = $4 where record_id = $1 and number = $2';
  for (const [i, { entry, sha256 }] of entries.entries()) await pool.query(update, [id, i + 1, entry, sha256]);
  await pool.query('update forward_records set head = $2 where id = $1', [id, entries[entries.length - 1].sha256]);
}
