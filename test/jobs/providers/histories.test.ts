/** Tiingo and EODHD against a local server: the same market as through files in our own layout, every record accounted for. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { requireDay } from '../../../engine/market/dates.ts';
import { eodhd } from '../../../jobs/providers/eodhd.ts';
import { MirrorProvider } from '../../../jobs/providers/mirror.ts';
import { tiingo } from '../../../jobs/providers/tiingo.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { emptyMarket, loadFolder } from '../../support/folder-load.ts';
import { HistoryServer, VENDOR_KEY } from '../../support/history-server.ts';
import { createMarketFolder } from '../../support/market-folder.ts';
import { ownFiles, VENDOR_MARKET } from '../../support/vendor-market.ts';

const NOW = Date.parse('2024-08-19T16:00:00Z');
const VENDORS = { tiingo, eodhd } as const;

let vendor: HistoryServer;
let database: TestDatabase;
let cacheDir: string;

beforeAll(async () => {
  [vendor, database] = await Promise.all([HistoryServer.start(), createTestDatabase()]);
});
afterAll(async () => {
  vendor.stop();
  await database.drop();
});
beforeEach(async () => {
  vendor.reset();
  vendor.market = VENDOR_MARKET;
  cacheDir = mkdtempSync(join(tmpdir(), 'market-test-'));
  await emptyMarket(database.pool);
});
afterEach(() => rmSync(cacheDir, { recursive: true }));

const open = (id: keyof typeof VENDORS, more: object = {}) =>
  new MirrorProvider(VENDORS[id]({ baseUrl: vendor.baseUrl, apiKey: VENDOR_KEY, retryMs: 1 }), {
    from: requireDay('2024-07-08'),
    cacheDir,
    now: () => NOW,
    ...more,
  });

/** Everything that the database holds. */
async function storedMarket() {
  const rows = async (sql: string) => (await database.pool.query(sql)).rows;
  return {
    instruments: await rows(
      `select symbol, name, asset_type, primary_venue, currency, listed_on, delisted_on from instruments order by symbol`,
    ),
    events: await rows(
      `select i.symbol, a.ex_date, a.kind, a.factor from adjustments a join instruments i on i.id = a.instrument_id
       order by 1, 2, 3`,
    ),
    bars: await rows(
      `select i.symbol, d.day, d.open, d.high, d.low, d.close, d.volume
       from daily_bars d join instruments i on i.id = d.instrument_id order by 1, 2`,
    ),
  };
}

describe.each(['tiingo', 'eodhd'] as const)('a market from %s', (id) => {
  it('has the same instruments, events, and bars as in our own layout', async () => {
    const folder = createMarketFolder(ownFiles());
    const own = await loadFolder(database.pool, folder.provider(NOW));
    expect([own.symbols.error, own.adjustments.error, own.bars.error]).toEqual([null, null, null]);
    const expected = await storedMarket();
    folder.remove();
    expect(expected.events).toHaveLength(4);
    await emptyMarket(database.pool);
    const loaded = await loadFolder(database.pool, open(id));
    expect([loaded.symbols.error, loaded.adjustments.error, loaded.bars.error]).toEqual([null, null, null]);
    const names =
      id === 'tiingo' ? expected.instruments.map((one) => ({ ...one, name: one.symbol })) : expected.instruments;
    expect(await storedMarket()).toEqual({ ...expected, instruments: names });
  });
});
