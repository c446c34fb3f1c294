/** The impact of a load on kept runs of single instruments, some of which have read what it has revised. */
import { backtestSpecOf, flatBody, fromFlat } from '../../../api/backtests/request.ts';
import { bumpDataVersion, selectDataVersion } from '../../../db/market/data-versions.ts';
import { selectSessionLedgers } from '../../../db/market/loaded-sessions.ts';
import { type Pool, transaction } from '../../../db/pool.ts';
import { insertSyncJob } from '../../../db/queue/sync-jobs.ts';
import { selectLoadImpacts } from '../../../db/runs/impacts.ts';
import { insertKeptRun } from '../../../db/runs/kept-runs.ts';
import { required } from '../../../engine/util/values.ts';
import { computeImpacts } from '../../../jobs/impact/run.ts';
import { readHistory } from '../../../jobs/runs/history.ts';
import { testJobContext } from '../../support/job-context.ts';
import { backtestResult } from '../../support/results.ts';
import { BENCH_NOW, type Bench, ensureLoaded, marketFacts, replaceCallers } from './market.ts';
import { figure, IS_QUICK, timed } from './measure.ts';

const RUNS = IS_QUICK ? 200 : 10_000;
/** One of this many has read what is revised. */
const HIT_EVERY = 20;
const DAY = '2025-06-02';

/** Keeps runs of as many instruments, of which those are computed that will be hit. Returns the instruments of these. */
async function keepRuns(pool: Pool, userId: number): Promise<number[]> {
  const facts = await marketFacts(pool);
  const { spliced } = await selectSessionLedgers(pool);
  const computation = { dataVersion: await selectDataVersion(pool), at: new Date(BENCH_NOW) };
  const hit: number[] = [];
  const { rows } = await pool.query<{ id: number }>(
    'select instrument_id as id from daily_bars where basis = 1 and day = $1',
    [DAY],
  );
  const trading = new Set(rows.map(({ id }) => id));
  const items = facts.directory.items.filter(({ id }) => trading.has(id));
  let summary = '';
  for (let i = 0; i < RUNS; i++) {
    const { id, qualified } = items[i % items.length];
    const spec = backtestSpecOf(fromFlat(flatBody.parse({ symbol: qualified, strategy: 'sma_cross' })), facts);
    if (i % HIT_EVERY === 0) {
      const history = await readHistory(pool, spec.instrumentId, spec.asOf);
      summary = required(backtestResult(spec, history, spliced, computation)).summary;
      hit.push(id);
    }
    const run = {
      userId,
      kind: 'backtest',
      createdAt: new Date(BENCH_NOW),
      isCached: false,
      selection: null,
      line: null,
    } as const;
    await transaction(pool, (connection) => insertKeptRun(connection, { ...run, summary, spec }));
  }
  return hit;
}

/** Corrects a bar of some instruments, or takes that back, as a load does. */
async function correct(pool: Pool, instrumentIds: readonly number[], factor: number): Promise<number> {
  const job = { jobType: 'daily_bars', request: {}, requestedBy: 'bench', requestId: null } as const;
  const load = required(await insertSyncJob(pool, { ...job, queueJobId: crypto.randomUUID() }));
  const barOf = (close: string) =>
    `jsonb_build_object('open', open, 'high', high, 'low', low, 'close', ${close}, 'volume', volume)`;
  await transaction(pool, async (connection) => {
    const given = [instrumentIds, DAY, factor];
    await connection.query(
      `insert into revisions (instrument_id, basis, day, was, became, sync_job_id, recorded_at)
       select instrument_id, basis, day, ${barOf('close')}, ${barOf('close * $3::float8')}, $4, now()
       from daily_bars where instrument_id = any($1) and basis = 1 and day = $2`,
      [...given, load],
    );
    await connection.query(
      'update daily_bars set close = close * $3 where instrument_id = any($1) and basis = 1 and day = $2',
      given,
    );
    await connection.query(
      'update bar_blocks set data = null where instrument_id = any($1) and basis = 1 and year = 2025',
      [instrumentIds],
    );
    await bumpDataVersion(connection, 'bars');
    await connection.query(
      `update sync_jobs set status = 'ok', started_at = now(), finished_at = now() where id = $1`,
      [load],
    );
  });
  return load;
}

const benchImpact: Bench = async (market) => {
  await ensureLoaded(market);
  const { pool } = market;
  await pool.query('truncate revisions, load_impacts, impacts, impact_mails, kept_reads');
  const [{ userId }] = await replaceCallers(pool, 1);
  const hit = await keepRuns(pool, userId);
  const load = await correct(pool, hit, 1.25);
  const seconds = (await timed(() => computeImpacts(testJobContext({ pool, now: () => BENCH_NOW })))) / 1_000;
  const [impact] = await selectLoadImpacts(pool, [load]);
  await correct(pool, hit, 0.8);
  await pool.query('truncate revisions, load_impacts, impacts, impact_mails, kept_reads');
  await replaceCallers(pool, 1);
  await ensureLoaded(market);
  return figure(seconds, `${RUNS} kept runs, ${impact.hit} hit, ${impact.changed} changed`);
};

export const IMPACT_BENCH = { 'impact.s': benchImpact };
