import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import type { VenueBasis } from '../../../engine/market/venue-basis.ts';
import type { BarBatch, UnreadableRow } from '../../../jobs/providers/provider.ts';
import { BARS_HEADER, createMarketFolder, type MarketFolder } from '../../support/market-folder.ts';

const folders: MarketFolder[] = [];
const folderOf = (files: Record<string, string>) => {
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
  const date = b.day[i] === -1 ? 'no day' : formatDay(b.day[i]);
  return [b.ticker[i], date, b.open[i], b.high[i], b.low[i], b.close[i], b.volume[i]].join(' ');
}

describe('a folder of files', () => {
  it('reads columns by name, in any order, plain and gzipped, quoted and with a byte-order mark', async () => {
    const folder = folderOf({
      'daily/consolidated/2024.csv': `\uFEFFvolume,close,low,high,open,date,symbol,extra\r\n5,4,1,6,2,2024-07-01,"AAA",x\r\n`,
      'daily/consolidated/deep/er/b.csv.gz': `${BARS_HEADER}BBB,2024-07-02,1,2,1,2,7\n\n`,
    });
    expect((await readBars(folder)).rows).toEqual(['AAA 2024-07-01 2 6 1 4 5', 'BBB 2024-07-02 1 2 1 2 7']);
  });

  it('uses the delimiter of the first lines, and accepts quotes and other line ends later', async () => {
    const rowOf = (i: number, ticker = 'AAA') => `${ticker};2024-07-01;1;2;1;2;${i}`;
    const lines = Array.from({ length: 9_000 }, (_, i) => rowOf(i));
    lines[5_000] = rowOf(5_000, '"A;""A"');
    lines[8_000] = `${rowOf(8_000)}\r`;
    const folder = folderOf({
      'daily/consolidated/x.csv': `${BARS_HEADER.replaceAll(',', ';')}${lines.join('\n')}\n`,
    });
    const { rows, unreadable } = await readBars(folder);
    expect([rows.length, unreadable]).toEqual([lines.length, []]);
    expect([4_999, 5_000, 8_000, 8_999].map((i) => rows[i])).toEqual([
      'AAA 2024-07-01 1 2 1 2 4999',
      'A;"A 2024-07-01 1 2 1 2 5000',
      'AAA 2024-07-01 1 2 1 2 8000',
      'AAA 2024-07-01 1 2 1 2 8999',
    ]);
  });

  it('reports rows that are not bars with file and line, and reads empty figures as missing', async () => {
    const folder = folderOf({
      'daily/consolidated/x.csv': `${BARS_HEADER}AAA,2024-07-01,1,2,1,2,7\nAAA,2024-07-02\nAAA,2024-02-30,1,,x,2,\n`,
    });
    const { rows, unreadable } = await readBars(folder);
    expect(rows).toEqual(['AAA 2024-07-01 1 2 1 2 7', 'AAA no day 1 NaN NaN 2 NaN']);
    expect(unreadable).toEqual([
      { source: expect.stringMatching(/x\.csv:3$/), content: 'AAA,2024-07-02', reason: 'unreadable' },
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
    const { unreadable } = await readBars(folder);
    expect(unreadable.map((row) => row.reason)).toEqual(['other_day_than_file']);
    expect(await folder.provider().publishedSessions('consolidated')).toEqual({
      first: day('2024-07-01'),
      newest: day('2024-07-11'),
    });
    expect(await folder.provider().publishedSessions('single_venue')).toBeNull();
  });

  it('notices that a file has changed', async () => {
    const folder = folderOf({ 'daily/consolidated/a.csv': `${BARS_HEADER}AAA,2024-07-01,1,2,1,2,7\n` });
    const provider = folder.provider();
    expect((await provider.publishedSessions('consolidated'))?.newest).toBe(day('2024-07-01'));
    folder.write('daily/consolidated/a.csv', `${BARS_HEADER}AAA,2024-07-01,1,2,1,2,7\nAAA,2024-07-02,1,2,1,2,7\n`);
    expect((await provider.publishedSessions('consolidated'))?.newest).toBe(day('2024-07-02'));
  });

  const long = `${BARS_HEADER}${'AAA,2024-07-01,1,2,1,2,7\n'.repeat(20_000)}`;
  it.each([
    ['a truncated gzip', 'x.csv.gz', gzipSync(long).subarray(0, 400), /x\.csv\.gz:\d+: .*unexpected end of file/],
    ['a file that is no gzip', 'x.csv.gz', Buffer.from('hello'), /x\.csv\.gz:1: .*incorrect header/],
    [
      'bytes that are no UTF-8',
      'x.csv',
      Buffer.concat([Buffer.from(BARS_HEADER), Buffer.from([0xff, 0xfe, 10])]),
      /x\.csv:\d+: .*not valid/,
    ],
    [
      'a wrong header',
      'x.csv',
      Buffer.from('ticker,date\nAAA,2024-07-01\n'),
      /x\.csv:1: the header lacks symbol, open/,
    ],
    ['an empty file', '2024-07-01.csv', Buffer.from(''), /2024-07-01\.csv:1: the header lacks/],
    ['a line without end', 'x.csv', Buffer.from(`${BARS_HEADER}${'x'.repeat(3_000_000)}`), /x\.csv:2: .*does not end/],
  ])('refuses %s with file and line', async (_what, name, content, message) => {
    const folder = folderOf({});
    folder.write(`daily/consolidated/${name}`, content);
    await expect(readBars(folder)).rejects.toThrow(message);
  });

  it('reports a missing folder', async () => {
    const folder = folderOf({});
    folder.remove();
    await expect(folder.provider().publishedSessions('consolidated')).rejects.toThrow(
      /the provider folder .* cannot be read/,
    );
    await expect(async () => {
      for await (const _ of folder.provider().instruments(() => {}));
    }).rejects.toThrow(/symbols\.csv:1/);
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
      ['PLAIN@~', 'PLAIN', 'PLAIN', 0],
    ]);
    expect(rejected.map((row) => row.reason)).toEqual(['bad_date', 'bad_previous_symbols']);
  });
});
