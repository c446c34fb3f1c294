/** The bars of exports: an instrument has the same share count on every venue basis. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readTransaction } from '../../../db/pool.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import type { ExportSpec } from '../../../jobs/contracts/export.ts';
import { readMarket } from '../../../jobs/export/csv-lines.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { BARS_HEADER, createMarketFolder, loadEverything, type MarketFolder } from '../../support/market-folder.ts';

let database: TestDatabase;
let folder: MarketFolder;

/** LATE splits 4:1 after the last primary-session bar; GONE has no consolidated bar; SOON splits after its newest bar. */
beforeAll(async () => {
  folder = createMarketFolder({
    'symbols.csv': 'symbol,delisted_on\nLATE,\nGONE,2024-06-27\nSOON,\n',
    'adjustments.csv':
      'symbol,ex_date,kind,factor\nLATE,2024-08-01,split,0.25\nLATE,2024-09-03,cash_dividend,0.9\n' +
      'GONE,2024-06-26,reverse_split,10\nSOON,2024-08-05,split,0.5\n',
    'daily/primary_session/all.csv':
      `${BARS_HEADER}LATE,2024-06-28,100,104,96,100,1000\nGONE,2024-06-25,1,1,1,1,500\nGONE,2024-06-26,10,10,10,10,50\n` +
      'SOON,2024-06-28,20,20,20,20,10\n',
    'daily/consolidated/all.csv': `${BARS_HEADER}LATE,2024-07-01,100,104,96,100,4000\nLATE,2024-08-02,25,26,24,25,8000\nSOON,2024-07-01,20,20,20,20,10\n`,
  });
  database = await createTestDatabase();
  await loadEverything(database.pool, folder.provider());
});
afterAll(async () => {
  await database.drop();
  folder.remove();
});

async function closes(venue_mode: ExportSpec['venue_mode'], through: string): Promise<Record<string, number[]>> {
  const request: ExportSpec = {
    start: '2024-06-01',
    end: '2024-12-31',
    venue_mode,
    adjust: 'qfq',
    format: 'csv',
  };
  const found: Record<string, number[]> = {};
  await readTransaction(database.pool, async (connection) => {
    const rows = readMarket(connection, request, requireDay(through), async () => {});
    for await (const chunk of rows) for (const { symbol, bars } of chunk) found[symbol] = [...bars.close];
  });
  return found;
}

describe('qfq bars of an export', () => {
  it('are on the share count of the newest consolidated bar, on the primary-session venue basis too', async () => {
    expect(await closes('primary_session', '2024-12-31')).toEqual({
      'GONE.US': [10, 10],
      'LATE.US': [25],
      'SOON.US': [20],
    });
    expect(await closes('consolidated', '2024-12-31')).toEqual({ 'LATE.US': [25, 25], 'SOON.US': [20] });
  });

  it('continue from one venue basis to the other without a jump', async () => {
    const before = (await closes('primary_session', '2024-12-31'))['LATE.US'].at(-1);
    expect((await closes('consolidated', '2024-12-31'))['LATE.US'][0]).toBe(before);
  });

  it('ignore a split that may not be distributed yet', async () => {
    expect(await closes('primary_session', formatDay(requireDay('2024-07-31')))).toMatchObject({
      'LATE.US': [100],
    });
  });
});
