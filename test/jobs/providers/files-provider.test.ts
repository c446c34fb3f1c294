import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import type { VenueBasis } from '../../../engine/market/venue-basis.ts';
import { AccountBook } from '../../../jobs/providers/file-account.ts';
import { readFileLines } from '../../../jobs/providers/files/open-file.ts';
import { type BarBatch, NO_DAY, type UnreadableRow } from '../../../jobs/providers/provider.ts';
import { eventually } from '../../support/eventually.ts';
import { BARS_HEADER, createMarketFolder, type MarketFolder } from '../../support/market-folder.ts';

const folders: MarketFolder[] = [];
const folderOf = (files: Parameters<typeof createMarketFolder>[0]) => {
  const folder = createMarketFolder(files);
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

const day = requireDay;
const signal = new AbortController().signal;

async function readBars(folder: MarketFolder, venueBasis: VenueBasis = 'consolidated') {
  const provider = folder.provider();
  const rows: string[] = [];
  const unreadable: UnreadableRow[] = [];
  for (const unit of await provider.planUnits(venueBasis, day('1990-01-01'), day('2030-01-01'))) {
    for await (const batch of provider.dailyBars(venueBasis, unit, signal)) {
      unreadable.push(...batch.unreadable);
      for (let i = 0; i < batch.count; i++) rows.push(describeRow(batch, i));
    }
  }
  return { rows, unreadable };
}

function describeRow(b: BarBatch, i: number): string {
  const date = b.day[i] === NO_DAY ? 'no day' : formatDay(b.day[i]);
  return [b.ticker[i], date, b.open[i], b.high[i], b.low[i], b.close[i], b.volume[i]].join(' ');
}

/** How often this process has a file open. */
function opened(disk: string): number {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return null; // Closed meanwhile.
    }
  });
  return targets.filter((target) => target === disk).length;
}

describe('a folder of files', () => {
  it('reads columns by name, in any order, plain and gzipped, quoted and with a byte-order mark', async () => {
    const folder = folderOf({
      'daily/consolidated/2024.csv': `\uFEFFvolume,close,low,high,open,date,symbol,extra\r\n5,4,1,6,2,2024-07-01,"AAA",x\r\n`,
      'daily/consolidated/deep/er/b.csv.gz': `${BARS_HEADER}BBB,2024-07-02,1,2,1,2,7\n\n`,
    });
    expect((await readBars(folder)).rows).toEqual(['AAA 2024-07-01 2 6 1 4 5', 'BBB 2024-07-02 1 2 1 2 7']);
  });

  it('closes a packed file of which only the beginning is read', async () => {
    // So random that it is long when it is packed.
    const lines = Array.from({ length: 200_000 }, () => `AAA,2024-07-01,${Math.random()}`).join('\n');
    const folder = folderOf({ 'daily/consolidated/long.csv.gz': lines });
    const disk = realpathSync(join(folder.path, 'daily/consolidated/long.csv.gz'));
    const { size: bytes } = statSync(disk);
    expect(bytes).toBeGreaterThan(1_500_000);
    const chunks = readFileLines({ disk, path: 'long.csv.gz', bytes }, 'gzip');
    expect((await chunks.next()).done).toBe(false);
    expect(opened(disk)).toBe(1);
    await chunks.return(undefined);
    await eventually(
      () => Promise.resolve(opened(disk)),
      (count) => count === 0,
    );
  });

  it('reads each line by itself: quotes, line ends, and what is missing', async () => {
    const rowOf = (i: number, ticker = 'AAA') => `${ticker};2024-07-01;1;2;1;2;${i}`;
    const lines = Array.from({ length: 9_000 }, (_, i) => rowOf(i));
    lines[5_000] = rowOf(5_000, '"A;""A"');
    lines[6_000] = 'AAA;2024-07-01';
    lines[7_000] = 'AAA;2024-02-30;1;;x;2;';
    lines[8_000] = `${rowOf(8_000)}\r`;
    const folder = folderOf({
      'daily/consolidated/x.csv': `${BARS_HEADER.replaceAll(',', ';')}${lines.join('\n')}\n`,
    });
    const { rows, unreadable } = await readBars(folder);
    expect(unreadable).toEqual([
      { source: 'daily/consolidated/x.csv:6002', content: 'AAA;2024-07-01', reason: 'unreadable' },
    ]);
    expect([4_999, 5_000, 6_999, 7_999, 8_998].map((i) => rows[i])).toEqual([
      'AAA 2024-07-01 1 2 1 2 4999',
      'A;"A 2024-07-01 1 2 1 2 5000',
      'AAA no day 1 NaN NaN 2 NaN',
      'AAA 2024-07-01 1 2 1 2 8000',
      'AAA 2024-07-01 1 2 1 2 8999',
    ]);
  });

  it('puts files with overlapping days into one unit, and a file named after a day into its own', async () => {
    const folder = folderOf({
      'daily/consolidated/2024.csv': `${BARS_HEADER}AAA,2024-07-01,1,2,1,2,7\nAAA,2024-07-08,1,2,1,2,7\n`,
      'daily/consolidated/more.csv': `${BARS_HEADER}BBB,2024-07-08,1,2,1,2,7\nBBB,2024-07-10,1,2,1,2,7\n`,
      'daily/consolidated/2024-07-11.csv': `${BARS_HEADER}BBB,2024-07-11,1,2,1,2,7\nBBB,2024-07-12,1,2,1,2,7\n`,
    });
    const units = await folder.provider().planUnits('consolidated', day('2024-07-02'), day('2024-12-31'));
    expect(units.map(({ key, start, end, parts }) => [key, formatDay(start), formatDay(end), parts.length])).toEqual([
      ['2024-07-01..2024-07-10', '2024-07-02', '2024-07-10', 2],
      ['2024-07-11..2024-07-11', '2024-07-11', '2024-07-11', 1],
    ]);
    const { rows } = await readBars(folder);
    expect(rows.some((row) => row.includes('2024-07-12'))).toBe(false);
    expect(await folder.provider().publishedSessions('consolidated')).toEqual({
      first: day('2024-07-01'),
      newest: day('2024-07-11'),
    });
    expect(await folder.provider().publishedSessions('single_venue')).toBeNull();
  });

  it('counts a file named after a session as its bars though it cannot be read, so that its load tells it', async () => {
    const provider = folderOf({
      'symbols.csv': 'symbol\nAAA\n',
      'daily/consolidated/2024-07-01.csv': `${BARS_HEADER}AAA,2024-07-01,1,2,1,2,7\n`,
      'daily/consolidated/2024-07-02.csv.gz': Buffer.from('no gzip'),
    }).provider();
    const newest = (await provider.publishedSessions('consolidated'))?.newest;
    expect(newest).toBe(day('2024-07-02'));
    const [, unit] = await provider.planUnits('consolidated', day('2024-07-01'), day('2024-07-02'));
    const book = new AccountBook();
    await Array.fromAsync(provider.dailyBars('consolidated', unit, signal, undefined, book));
    expect(book.all().map(({ file, reason, isBroken }) => [file.path, reason, isBroken])).toEqual([
      ['daily/consolidated/2024-07-02.csv.gz', 'its first line is the header of no known layout', true],
    ]);
  });

  it('notices that a file has changed', async () => {
    const folder = folderOf({ 'daily/consolidated/a.csv': `${BARS_HEADER}AAA,2024-07-01,1,2,1,2,7\n` });
    const provider = folder.provider();
    expect((await provider.publishedSessions('consolidated'))?.newest).toBe(day('2024-07-01'));
    folder.write('daily/consolidated/a.csv', `${BARS_HEADER}AAA,2024-07-01,1,2,1,2,7\nAAA,2024-07-02,1,2,1,2,7\n`);
    expect((await provider.publishedSessions('consolidated'))?.newest).toBe(day('2024-07-02'));
  });

  it('reports a missing folder', async () => {
    const folder = folderOf({});
    folder.remove();
    await expect(folder.provider().publishedSessions('consolidated')).rejects.toThrow(
      /the provider folder .* cannot be read/,
    );
  });

  it('reads instruments with their renames, and rejects bad rows', async () => {
    const folder = folderOf({
      'symbols.csv':
        'symbol,name,asset_type,listed_on,previous_symbols\n' +
        'meta.US,"Meta, Inc.",stock,2012-05-18,FB:2022-06-08|FBOLD:2015-01-02\n' +
        'BAD,x,stock,2012-31-18,\nBAD2,x,stock,,nonsense\nPLAIN,,,,\nPLAIN,,,,\n',
    });
    const rejected: UnreadableRow[] = [];
    const instruments = await Array.fromAsync(folder.provider().instruments((row) => rejected.push(row)));
    expect(
      instruments.map(({ key, ticker, name, previousTickers }) => [key, ticker, name, previousTickers.length]),
    ).toEqual([
      ['FBOLD@2012-05-18', 'META', 'Meta, Inc.', 2],
      ['PLAIN@', 'PLAIN', 'PLAIN', 0],
    ]);
    expect(rejected.map((row) => row.reason)).toEqual(['bad_date', 'bad_previous_symbols']);
  });
});
