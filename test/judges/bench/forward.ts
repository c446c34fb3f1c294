/** A thousand forward records of single instruments, brought forward by one thread; and how often growth stays inside its band. */
import { join } from 'node:path';
import { createPool, type Pool } from '../../../db/pool.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { appendToRecords } from '../../../jobs/forward/run.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { sealSpec } from '../../support/forward-records.ts';
import { testJobContext } from '../../support/job-context.ts';
import { loadEverything } from '../../support/market-folder.ts';
import { CALIBRATION_RECORDS, insideBands } from '../calibration/forward.ts';
import { BENCH_NOW, type Bench, benchDatabase } from './market.ts';
import { figure, IS_QUICK, timed } from './measure.ts';

const RECORDS = IS_QUICK ? 20 : 1_000;
const CALIBRATED = IS_QUICK ? 20 : CALIBRATION_RECORDS;
const SEALED_ON = '2026-05-28';
const now = () => BENCH_NOW;

/** Seals one run, and the same on every instrument. */
async function sealAll(pool: Pool): Promise<void> {
  const { rows: users } = await pool.query(
    `insert into users (email, name, language, plan, created_at)
     values ('bench@example.com', 'bench', 'en', 'enterprise', now()) returning id`,
  );
  const { rows: instruments } = await pool.query('select id, symbol from instruments order by id limit 1');
  const [{ id: instrumentId, symbol }] = instruments;
  const cost = { commissionRate: 0.0005, minCommission: 0, slippageBps: 5 };
  const spec = {
    instrumentId,
    symbol: `${symbol}.US`,
    listedOn: null,
    delistedOn: null,
    strategy: 'sma_cross',
    params: { fast_period: 10, slow_period: 30, stop_loss_pct: 0, take_profit_pct: 0, max_bars: 0 },
    timeRange: '5Y',
    start: requireDay('2021-06-01'),
    adjust: 'split',
    execution: { executeOn: 'next_open', ...cost, initialCapital: 100_000 },
    isCostless: false,
    distributionMode: 'eod_only',
    includeStatistics: true,
  };
  const id = await sealSpec(spec, { pool, userId: users[0].id, sealedOn: SEALED_ON });
  await pool.query(
    `insert into forward_records (user_id, name, kind, spec, seal, seal_sha256, head, sealed_at, sealed_day, days, returns, market,
       bands, lowered, sealed)
     select r.user_id, i.symbol, r.kind, jsonb_set(r.spec::jsonb, '{instrumentId}', to_jsonb(i.id)), r.seal, r.seal_sha256, r.head,
       r.sealed_at, r.sealed_day, r.days, r.returns, r.market, r.bands, r.lowered, r.sealed
     from forward_records r, (select * from instruments order by id offset 1 limit $2) i where r.id = $1`,
    [id, RECORDS - 1],
  );
}

const benchAppend: Bench = async ({ serverUrl, directory }) => {
  const url = await benchDatabase(serverUrl, 'bench_forward', true);
  const pool = createPool({ url, max: 3, applicationName: 'bench' });
  await loadEverything(pool, new SampleProvider({ symbols: RECORDS, now }));
  const storage = openStorage({ folder: join(directory, 'forward-objects') });
  await buildSnapshot(testJobContext({ pool, storage, now }));
  await sealAll(pool);
  const ms = await timed(() => appendToRecords(testJobContext({ pool, now })));
  const { rows } = await pool.query('select sum(sessions)::int as sessions from forward_records');
  await pool.end();
  return figure(ms / 1_000, `${required(rows[0].sessions)} sessions of ${RECORDS} records over five years, one thread`);
};

/** Goals: 0.87 to 0.92. */
const benchInside: Bench = async () => {
  const { none, drift } = insideBands(CALIBRATED);
  const note = `share of ${CALIBRATED} records of rules without skill after 250 sessions`;
  return new Map([
    ['forward.inside_none', figure(none, note)],
    ['forward.inside_drift', figure(drift, note)],
  ]);
};

export const FORWARD_BENCH = { 'forward.append_s': benchAppend, 'forward.inside': benchInside };
