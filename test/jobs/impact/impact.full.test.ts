/** The impact of loads against computing every kept run anew after each of a thousand random corrections. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { updateUserAccess } from '../../../db/accounts/users.ts';
import { type AdjustmentRow, replaceAdjustments } from '../../../db/market/adjustments.ts';
import { selectDataVersion } from '../../../db/market/data-versions.ts';
import { selectImpacts, selectLoadImpacts } from '../../../db/runs/impacts.ts';
import { selectKeptById } from '../../../db/runs/verdicts.ts';
import { ADJUSTMENT_KINDS } from '../../../engine/market/adjust.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { withKind } from '../../../jobs/evidence/kinds.ts';
import { computeImpacts } from '../../../jobs/impact/run.ts';
import { resultDigest } from '../../../jobs/runs/receipt.ts';
import { recompute } from '../../../jobs/runs/recompute.ts';
import { type KeptSummary, keptSummary } from '../../../jobs/runs/summary.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { correct, loadBar } from '../../support/corrections.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { cases } from '../../support/extent.ts';
import { testJobContext } from '../../support/job-context.ts';
import { type MadeUpMarket, madeUpMarket } from '../../support/made-up-market.ts';
import { loadEverything, NOON_2026_06_01, runSyncJob } from '../../support/market-folder.ts';
import { runNow } from '../../support/run-jobs.ts';
import { lehmer } from '../../support/series.ts';

const TICKERS = ['ALFA', 'BETA', 'GAMA', 'DELT', 'EPSI', 'ZETA'];
const [START, END] = ['2025-07-01', '2026-05-29'];
const SESSIONS = sessionsBetween(requireDay(START), requireDay(END));
const CORRECTIONS = cases(200, 1_000);
const now = () => NOON_2026_06_01;

let database: TestDatabase;
let market: MadeUpMarket;
let api: TestApi;
let storage: ObjectStorage;
let directory: string;
let person: Person;
let ids: ReadonlyMap<string, number>;

beforeAll(async () => {
  database = await createTestDatabase();
  market = madeUpMarket(TICKERS, START, END);
  market.events.push('ALFA,2025-10-01,cash_dividend,0.99', 'BETA,2025-11-03,split,0.5');
  market.write();
  directory = mkdtempSync(join(tmpdir(), 'market-impact-'));
  storage = openStorage({ folder: directory });
  const provider = market.folder.provider();
  await loadEverything(database.pool, provider);
  await runSyncJob(database.pool, provider, 'adjustments', { through: END });
  await database.pool.query(
    `update instruments set delisted_on = $1, delisting_return_pct = -30 where symbol = 'ZETA'`,
    [END],
  );
  const { rows } = await database.pool.query<{ id: number; symbol: string }>('select id, symbol from instruments');
  ids = new Map(rows.map(({ id, symbol }) => [symbol, id]));
  api = await openTestApi({ database, provider, storage, now, realCallers: true });
  person = await addPerson(api);
  await updateUserAccess(database.pool, person.id, { plan: 'enterprise' });
}, deadline(120_000));
afterAll(async () => {
  await api.close();
  await database.drop();
  market.folder.remove();
  rmSync(directory, { recursive: true });
});

const CROSS = { strategy: 'sma_cross', params: { fast_period: 3, slow_period: 9 }, include_statistics: false };
const rules = (entry: string, exit: string) => ({ strategy: 'rules', params: undefined, rules: { entry, exit } });

const ROTATION = {
  strategy: undefined,
  params: undefined,
  start: '2025-09-02',
  rotation: { score: 'roc(5)', hold: { top: 2 }, every: 'month' },
};

async function keep(body: object, path = '/v1/backtest'): Promise<number> {
  const { body: answer } = await runNow(
    api,
    { storage },
    { path, body: { ...CROSS, ...body }, headers: person.program },
  );
  return required(answer.data.result?.id, JSON.stringify(answer));
}

/** Runs of every form of what is read: ranges, adjustments, others, dividends, a delisted instrument with bars after the end, many. */
const keepAll = () =>
  Promise.all([
    keep({ symbol: 'ALFA', time_range: 'MAX', adjust: 'total' }),
    keep({ symbol: 'ALFA', time_range: 'MAX', adjust: 'none' }),
    keep({ symbol: 'ALFA', time_range: '6M', adjust: 'split' }),
    keep({ symbol: 'BETA', start: '2025-09-02', end: '2025-12-31', adjust: 'split' }),
    keep({ symbol: 'BETA', start: '2025-08-01', end: '2026-02-27', adjust: 'total' }),
    keep({ symbol: 'ALFA', time_range: 'MAX', ...rules('dividend > 0', 'close > sma(4)') }),
    keep({
      symbol: 'GAMA',
      time_range: 'MAX',
      ...rules(`close > sma(5) and of('DELT', close > sma(5))`, 'close < sma(5)'),
    }),
    keep({ symbol: 'ZETA', start: '2025-08-01', end: '2026-05-27', strategy: 'buy_hold', params: {} }),
    keep({ universe: { all: true }, ...ROTATION, end: '2026-03-31' }, '/v1/portfolio'),
    keep({ universe: { symbols: ['ALFA', 'GAMA', 'DELT'] }, ...ROTATION }, '/v1/portfolio'),
    keep({ symbols: ['BETA', 'GAMA'], benchmark: 'EPSI', time_range: 'MAX', adjust: 'total' }, '/v1/portfolio'),
  ]);

type Figures = Readonly<Record<string, unknown>>;
type Known = ReadonlyMap<number, { readonly digest: string; readonly told: Figures | null }>;

/** The figures of every kept run on the data of now. */
async function computeAll(runs: readonly number[]): Promise<Known> {
  const { pool } = database;
  const computation = { dataVersion: await selectDataVersion(pool), at: new Date(now()) };
  const known = new Map<number, { digest: string; told: Figures | null }>();
  for (const id of runs) {
    const saved = required(await selectKeptById(pool, id));
    const { result, figures } = await withKind(saved, async (kind) => ({
      ...(await recompute(testJobContext({ pool, storage }), kind, saved, computation)),
      figures: kind.figures,
    }));
    const summary: KeptSummary | null = result && keptSummary(JSON.parse(result.summary));
    const metrics = figures(summary ?? {});
    const told = summary && { total_pnl_pct: summary.total_pnl_pct, sharpe: summary.sharpe, verdict: null };
    known.set(id, { digest: resultDigest({ metrics, dates: [summary?.start_date, summary?.end_date] }), told });
  }
  return known;
}

it(
  `tells of every run whose figures change, and of no other, over ${CORRECTIONS} random corrections`,
  async () => {
    const { pool } = database;
    const runs = await keepAll();
    const random = lehmer(7);
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)];
    // Half of all corrections are among the last sessions and the ends of runs, where most can go wrong.
    const anyDay = () =>
      pick(random() < 0.3 ? [...SESSIONS.slice(-4), requireDay('2025-12-31'), requireDay('2026-01-02')] : SESSIONS);
    const events = new Map<string, AdjustmentRow>();
    const anyEvent = (): AdjustmentRow => ({
      instrumentId: required(ids.get(pick(TICKERS))),
      eventKey: `made-up ${pick([1, 2])}`,
      exDay: anyDay(),
      kind: pick(ADJUSTMENT_KINDS),
      factor: pick([0.5, 0.9, 0.99]),
    });
    const told: string[] = [];
    const counts = { hit: 0, changed: 0 };
    let known = await computeAll(runs);
    for (let i = 0; i < CORRECTIONS; i++) {
      const load = await correct(pool, async (connection, id) => {
        const origin = { syncJobId: id, at: new Date(now()) };
        if (random() < 0.3) {
          const event = anyEvent();
          const key = `${event.instrumentId} ${event.eventKey}`;
          if (events.has(key) && random() < 0.4) events.delete(key);
          else events.set(key, event);
          await replaceAdjustments(connection, [...events.values()], origin);
          return;
        }
        const close = random() < 0.15 ? null : 40 + Math.round(8_000 * random()) / 100;
        const basis = random() < 0.1 ? 'primary_session' : 'consolidated';
        await loadBar(connection, origin, { id: required(ids.get(pick(TICKERS))), day: anyDay(), close, basis });
      });
      await computeImpacts(testJobContext({ pool, storage, now }));
      const present = await computeAll(runs);
      const { items } = await selectImpacts(pool, { loads: [load] }, { page: 1, size: 100 });
      const changed = runs.filter((id) => known.get(id)?.digest !== present.get(id)?.digest);
      const expected = changed.map((id) => ({ id, before: known.get(id)?.told, after: present.get(id)?.told }));
      const found = items.map(({ id, before, after }) => ({ id, before, after }));
      const byId = (a: { id: unknown }, b: { id: unknown }) => Number(a.id) - Number(b.id);
      if (JSON.stringify(found.sort(byId)) !== JSON.stringify(expected.sort(byId))) {
        const { rows } = await pool.query('select * from revisions where sync_job_id = $1', [load]);
        told.push(JSON.stringify({ i, rows, found, expected }));
        if (told.length > 2) break;
      }
      const [impact] = await selectLoadImpacts(pool, [load]);
      counts.hit += impact?.hit ?? 0;
      counts.changed += changed.length;
      known = present;
    }
    expect(told).toEqual([]);
    // The proof leaves most runs untouched, and what it does not is mostly hit.
    expect(counts.changed).toBeGreaterThan(CORRECTIONS / 2);
    expect(counts.hit).toBeLessThan(0.4 * CORRECTIONS * runs.length);
  },
  deadline(1_200_000),
);
