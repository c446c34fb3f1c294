/** Inputs as people have them: what is right is loaded, and every other line is named with its reason. */
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { required } from '../../../../engine/util/values.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { emptyMarket, loadFolder } from '../../../support/folder-load.ts';
import { BARS_HEADER, createMarketFolder, type MarketFolder } from '../../../support/market-folder.ts';

const DAYS = ['2024-07-08', '2024-07-09', '2024-07-10', '2024-07-11', '2024-07-12'];
const LIST = 'symbol,name\nAAA,First\nBBB,Second\nCCC,Third\n';
const B = 'daily/consolidated';
/** Bars of a symbol whose prices grow by the day. */
const bars = (symbol: string, days = DAYS, price = 10) =>
  days.map((day, i) => [symbol, day, price + i, price + i + 2, price + i - 1, price + i + 1, 1000 + i].join(','));
const three = () => ['AAA', 'BBB', 'CCC'].flatMap((symbol) => bars(symbol));
const file = (lines: readonly string[], header = BARS_HEADER, end = '\n') =>
  header + lines.map((line) => line + end).join('');

let database: TestDatabase;
let folder: MarketFolder;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await emptyMarket(database.pool);
  folder = createMarketFolder();
});
afterEach(() => folder.remove());

async function load(files: Readonly<Record<string, string | Buffer>>, list: string | null = LIST) {
  if (list !== null) folder.write('symbols.csv', list);
  for (const [name, content] of Object.entries(files)) folder.write(name, content);
  return loadFolder(database.pool, folder.provider(Date.UTC(2026, 7, 21, 12)));
}
const select = async (sql: string) => (await database.pool.query(sql)).rows;
const countBars = async () => Number((await select('select count(*) as n from daily_bars'))[0].n);

describe('prices of two forms', () => {
  it('make no series of an instrument: none of its bars is loaded, and the others are', async () => {
    const yahoo = DAYS.map((day) => `${day},1,1,1,1,1,10\n`).join('');
    const { files, bars: job } = await load({
      [`${B}/a.csv`]: file(three()),
      'AAA.csv': `Date,Open,High,Low,Close,Adj Close,Volume\n${yahoo}`,
    });
    expect(job).toMatchObject({ status: 'ok', rows_written: 10 });
    for (const [name, loaded] of [
      [`${B}/a.csv`, 10],
      ['AAA.csv', 0],
    ] as const) {
      expect(files.get(name)).toMatchObject({ loaded, leftOut: 5, byReason: { two_price_forms: 5 } });
      expect(files.get(name)?.told.join()).toContain('the prices of AAA in two forms');
    }
  });
});

describe('split-adjusted prices are brought back to as traded', () => {
  const [before, , , ex] = DAYS;
  const TRADED = [
    { day: before, open: 100.04, close: 100.4, volume: 100 },
    { day: ex, open: 25.5, close: 25, volume: 400 },
  ];
  const traded = async () => [
    await select('select day, open, close, volume from daily_bars order by day'),
    await select(`select kind, factor from adjustments where kind = 'split'`),
    await select('select prices from instruments'),
  ];
  const EXPECTED = [TRADED, [{ kind: 'split', factor: 0.25 }], [{ prices: 'as_traded' }]];
  const adjusted = (line: (day: string, open: number, close: number, volume: number, split: number) => string) =>
    [line(before, 25.01, 25.1, 400, 0), line(ex, 25.5, 25, 400, 4)].join('');

  it('by the columns of the file', async () => {
    const header = 'Date,Open,High,Low,Close,Adj Close,Volume,Dividends,Stock Splits\n';
    const lines = adjusted((day, open, close, volume, split) =>
      [day, open, 26, 20, close, close, volume, 0, `${split}\n`].join(','),
    );
    await load({ 'AAA.csv': header + lines }, null);
    expect(await traded()).toEqual(EXPECTED);
  });

  it('by adjustments.csv', async () => {
    const lines = adjusted((day, open, close, volume) => [day, open, 26, 20, close, close, `${volume}\n`].join(','));
    const events = `symbol,ex_date,kind,ratio\nAAA,${ex},split,4:1\n`;
    await load({ 'AAA.csv': `Date,Open,High,Low,Close,Adj Close,Volume\n${lines}`, 'adjustments.csv': events }, null);
    expect(await traded()).toEqual(EXPECTED);
  });

  it('by the close as traded beside them', async () => {
    const header = 'ticker,date,open,high,low,close,volume,closeadj,closeunadj,lastupdated\n';
    const lines = adjusted((day, open, close, volume, split) =>
      ['AAA', day, open, 26, 20, close, volume, close, split === 0 ? close * 4 : close, `${ex}\n`].join(','),
    );
    const actions = `date,action,ticker,name,value,contraticker,contraname\n${ex},split,AAA,A,4,,\n`;
    await load({ 'SHARADAR_SEP.csv': header + lines, 'SHARADAR_ACTIONS.csv': actions }, null);
    expect(await traded()).toEqual(EXPECTED);
  });
});

it('consolidated bars before the first day that counts are told as unused', async () => {
  const old = ['2024-06-27', '2024-06-28', ...DAYS];
  const primary = { 'daily/primary_session/old.csv': file(bars('AAA', old.slice(0, 2))) };
  const consolidated = { [`${B}/a.csv`]: file(bars('AAA', old)) };
  const told = async (files: Readonly<Record<string, string>>) => (await load(files)).files.get(`${B}/a.csv`)?.told;
  expect(await told(consolidated)).toEqual([]);
  await emptyMarket(database.pool);
  expect(await told({ ...consolidated, ...primary })).toEqual([
    'its bars before 2024-07-01 are unused: consolidated bars count from then on',
  ]);
});

describe('two vintages of adjusted prices', () => {
  const ALL = ['2024-07-03', '2024-07-05', ...DAYS, '2024-07-15'];
  const line = (day: string, factor: number) =>
    [day, ...[10, 40, 9, 10 + ALL.indexOf(day)].map((price) => price * factor), 1, '100\n'].join(',');
  const yahoo = (days: readonly string[], factor: number) =>
    `Date,Open,High,Low,Close,Adj Close,Volume\n${days.map((day) => line(day, factor)).join('')}`;
  const older = yahoo(ALL.slice(0, -1), 1);
  const newer = yahoo(ALL.slice(1), 0.5);

  it('are one series on the basis of the newer one', async () => {
    const { files, bars: job } = await load({ 'AAA.csv': newer, 'old/AAA.csv': older }, null);
    expect(job).toMatchObject({ status: 'ok', rows_rejected: 0 });
    expect(files.get('old/AAA.csv')).toMatchObject({ loaded: 1, leftOut: 6, byReason: { older_vintage: 6 } });
    expect(files.get('old/AAA.csv')?.told).toContain('AAA.csv is newer; the other days of AAA are put on its basis');
    expect(await select('select day, open, high, close from daily_bars order by day limit 2')).toEqual([
      { day: '2024-07-03', open: 5, high: 20, close: 5 },
      { day: '2024-07-05', open: 5, high: 20, close: 5.5 },
    ]);
  });

  it('are none where one day differs by another ratio: the shared days conflict', async () => {
    const { files } = await load(
      { 'AAA.csv': newer.replace(line('2024-07-10', 0.5), line('2024-07-10', 0.6)), 'old/AAA.csv': older },
      null,
    );
    for (const name of ['AAA.csv', 'old/AAA.csv']) expect(files.get(name)?.byReason).toMatchObject({ conflict: 6 });
  });
});

describe('amounts of dividends', () => {
  const factors = () =>
    select(`select symbol, ex_date, kind, round(factor::numeric, 9)::float8 as factor from adjustments
      join instruments i on i.id = instrument_id order by 1, 2`);

  it('become factors by the closes before, or are rejected where there is none, or a lower one', async () => {
    const { files } = await load({
      [`${B}/a.csv`]: file(three()),
      'adjustments.csv':
        'symbol,ex_date,kind,factor,ratio,amount\nAAA,2024-07-10,cash_dividend,,,0.24\nBBB,2024-07-08,cash_dividend,,,1\n' +
        'CCC,2024-07-10,cash_dividend,,,99\nBBB,2024-07-10,split,,4:1,\n',
    });
    expect(await factors()).toEqual([
      { symbol: 'AAA', ex_date: '2024-07-10', kind: 'cash_dividend', factor: 0.98 },
      { symbol: 'BBB', ex_date: '2024-07-10', kind: 'split', factor: 0.25 },
    ]);
    expect(files.get('adjustments.csv')).toMatchObject({
      loaded: 2,
      rejected: 2,
      byReason: { no_close_before: 1, amount_above_price: 1 },
    });
  });

  it('of EODHD are on the share count of the newest day', async () => {
    const eodhd = bars('AAA').map((line) => line.slice(4).replace(/,(\d+),(\d+)$/, ',$1,$1,$2'));
    await load(
      {
        'AAA.US.csv': file(eodhd, 'Date,Open,High,Low,Close,Adjusted_close,Volume\n'),
        'AAA.US.div.csv': 'Date,Dividends\n2024-07-10,0.06\n',
        'AAA.US.splits.csv': 'Date,Stock Splits\n2024-07-11,4.000000/1.000000\n',
      },
      null,
    );
    expect(await factors()).toEqual([
      { symbol: 'AAA', ex_date: '2024-07-10', kind: 'cash_dividend', factor: 0.98 },
      { symbol: 'AAA', ex_date: '2024-07-11', kind: 'split', factor: 0.25 },
    ]);
  });
});

describe('lines of a file', () => {
  it('with a stray quote are rejected one by one, as they stand in the file', async () => {
    const lines = three().map((line) => `${line},Corp`);
    lines[4] = lines[4].replace('Corp', '"Big" Corp');
    lines[9] = lines[9].replace('Corp', '"open');
    const { bars: job, files } = await load({ [`${B}/a.csv`]: file(lines, BARS_HEADER.replace('\n', ',label\n')) });
    expect(job).toMatchObject({ status: 'ok', rows_written: 13, rows_rejected: 2 });
    expect(files.get(`${B}/a.csv`)).toMatchObject({
      layout: 'own',
      lines: 16,
      header: 1,
      loaded: 13,
      rejected: 2,
      byReason: { unreadable: 2 },
      rejectedLines: [
        { line: 6, text: lines[4], reason: 'unreadable' },
        { line: 11, text: lines[9], reason: 'unreadable' },
      ],
    });
    expect(await countBars()).toBe(13);
  });

  it('may end in any way, in bars, lists, and events', async () => {
    const mixed = three()
      .map((line, i) => line + ['\r\n', '\n', '\r'][i % 3])
      .join('');
    const { files, symbols, adjustments } = await load(
      {
        [`${B}/a.csv`]: BARS_HEADER.replace('\n', '\r\n') + mixed,
        'adjustments.csv':
          'symbol,ex_date,kind,factor,note\r\nAAA,2024-07-10,split,0.5,x\nBBB,2024-07-10,split,0.5,x\rCCC,2024-07-10,split,0.5,x',
      },
      LIST.replace('\n', '\r\n'),
    );
    expect(files.get(`${B}/a.csv`)).toMatchObject({ lines: 16, loaded: 15, rejected: 0 });
    expect(files.get('symbols.csv')).toMatchObject({ lines: 4, loaded: 3 });
    expect(files.get('adjustments.csv')).toMatchObject({ lines: 4, loaded: 3, told: ['unknown columns: note'] });
    expect([symbols.rows_written, adjustments.rows_written]).toEqual([3, 3]);
  });

  it('are trimmed, volumes are rounded, and errors of floating-point numbers are undone', async () => {
    const lines = three().map((line) => line.replace(/^(...),/, '$1 , ').replace(/$/, '.75'));
    lines[0] = 'AAA , 2024-07-08,50.09,50.0899999999998,49,50, 7645391.25';
    const { files } = await load({ [`${B}/a.csv`]: file(lines) });
    expect(files.get(`${B}/a.csv`)).toMatchObject({ loaded: 15, rejected: 0 });
    expect(await select("select high, volume from daily_bars where day = '2024-07-08' and open = 50.09")).toEqual([
      { high: 50.09, volume: 7645391 },
    ]);
  });

  it('without prices and with future days are left out; days before 1970 are loaded, older ones than the calendar are not', async () => {
    const lines = [
      ...bars('AAA', ['1962-01-02', '1962-01-03', '1969-12-31', '1961-12-29']),
      ...bars('BBB', ['2026-08-24']),
      'CCC,2024-07-08,null,null,null,null,null',
      'CCC,2024-07-09,,,,,',
      ',,,,,,',
    ];
    const { files } = await load({ 'daily/primary_session/old.csv': file(lines) });
    expect(files.get('daily/primary_session/old.csv')).toMatchObject({
      loaded: 3,
      leftOut: 5,
      byReason: { before_1962: 1, not_yet: 1, no_price: 3 },
    });
    expect(await select('select day from daily_bars order by 1')).toEqual(
      ['1962-01-02', '1962-01-03', '1969-12-31'].map((day) => ({ day })),
    );
  });

  it('that are equal are repeated, in one file or two; other figures of a bar conflict', async () => {
    const update = bars('AAA', DAYS).slice(2);
    const { files } = await load({
      [`${B}/full.csv`]: file(three()),
      [`${B}/update.csv`]: file([...update, update[0]]),
    });
    expect(files.get(`${B}/update.csv`)).toMatchObject({ loaded: 0, repeated: 4, rejected: 0 });
    await emptyMarket(database.pool);
    update[1] = update[1].replace(/\d+$/, '77');
    const changed = await load({ [`${B}/full.csv`]: file(three()), [`${B}/update.csv`]: file(update) });
    expect(changed.files.get(`${B}/full.csv`)).toMatchObject({ loaded: 14, rejected: 1, byReason: { conflict: 1 } });
    expect(changed.files.get(`${B}/update.csv`)).toMatchObject({ loaded: 0, repeated: 2, rejected: 1 });
    expect(changed.files.get(`${B}/update.csv`)?.told.join()).toContain(
      `${B}/update.csv:3 differs from ${B}/full.csv:5`,
    );
    expect(await countBars()).toBe(14);
    expect(changed.bars.rows_rejected_by_reason).toEqual({ conflict: 2 });
  });

  it('of the newest file count where market.json says so', async () => {
    const update = bars('AAA', DAYS, 20);
    const { files } = await load({
      'market.json': '{"conflicts": "newest_file"}',
      [`${B}/a.csv`]: file(three()),
      [`${B}/z.csv`]: file(update),
    });
    expect(files.get(`${B}/z.csv`)).toMatchObject({ loaded: 5, rejected: 0 });
    expect(files.get(`${B}/a.csv`)).toMatchObject({ loaded: 10, leftOut: 5, byReason: { replaced_by_newer_file: 5 } });
    expect(await countBars()).toBe(15);
    expect(Number((await select('select max(open) as n from daily_bars'))[0].n)).toBe(24);
  });
});

describe('a file', () => {
  it('with more than 1 % malformed lines, and at least ten, is not loaded; no other one suffers', async () => {
    const broken = [...bars('BBB'), ...Array.from({ length: 10 }, () => 'AAA,2024-07-08,1,2')];
    const { bars: job, files } = await load({ [`${B}/a.csv`]: file(bars('AAA')), [`${B}/b.csv`]: file(broken) });
    expect(files.get(`${B}/b.csv`)).toMatchObject({ loaded: 0, rejected: 10, leftOut: 5, lines: 16 });
    expect(files.get(`${B}/b.csv`)?.reason).toMatch(/10 of 15 lines are malformed/);
    expect(files.get(`${B}/a.csv`)).toMatchObject({ loaded: 5, reason: null });
    expect(await countBars()).toBe(5);
    expect(job).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('b.csv: 10 of 15 lines are malformed'),
    });
  });

  it('that cannot be read costs itself alone, and is told', async () => {
    const long = file(Array.from({ length: 9_000 }, (_, i) => bars('CCC')[i % 5]));
    const { files } = await load({
      [`${B}/a.csv`]: file(bars('AAA')),
      [`${B}/half.csv.gz`]: gzipSync(long).subarray(0, 300),
      [`${B}/latin.csv`]: Buffer.concat([
        Buffer.from(BARS_HEADER),
        Buffer.from('BBB,2024-07-08,1,1,1,1,\xe9\n', 'latin1'),
      ]),
      [`${B}/empty.csv`]: '',
      'notes.md': '# My data\n',
      '.hidden': 'x',
    });
    expect([...files].filter(([, { reason }]) => reason !== null).map(([path, { reason }]) => [path, reason])).toEqual([
      ['2 hidden', 'hidden'],
      [`${B}/empty.csv`, 'it is empty'],
      [`${B}/half.csv.gz`, expect.stringMatching(/half\.csv\.gz:\d+: .*unexpected end of file/)],
      [`${B}/latin.csv`, expect.stringMatching(/latin\.csv:\d+: .*not valid/)],
      ['notes.md', 'its first line is the header of no known layout'],
    ]);
    expect(files.get('notes.md')?.firstLine).toBe('# My data');
    expect(await countBars()).toBe(5);
  });

  it('of weeks or of minutes is left out as such, of one symbol or many; our own layout may have gaps', async () => {
    const fridays = Array.from({ length: 11 }, (_, i) =>
      new Date(Date.UTC(2024, 0, 5 + 7 * i)).toISOString().slice(0, 10),
    );
    const plain = (days: readonly string[]) => days.map((day) => `${day},1,1,1,1,5`);
    const named = fridays.flatMap((day) => ['AAA', 'BBB'].map((symbol) => `${symbol},${day},1,1,1,1,5`));
    const minutes = Array.from({ length: 10 }, (_, i) => `2024-07-08 09:3${i}:00`);
    const header = 'date,open,high,low,close,volume\n';
    const { files } = await load({
      'AAA.csv': file(plain(fridays), header),
      'BBB.csv': file(plain(fridays.slice(1)), header),
      'CCC.csv': file(plain([...DAYS, ...minutes]), header),
      'many.csv': file(named),
      [`${B}/own.csv`]: file(fridays.map((day) => `CCC,${day},1,1,1,1,5`)),
    });
    const reasonOf = (name: string) => files.get(name)?.reason;
    expect([reasonOf('AAA.csv'), reasonOf('many.csv')]).toEqual(Array(2).fill('its bars are weekly or monthly'));
    expect(reasonOf('CCC.csv')).toBe('its lines are bars within a day: minutes');
    expect([reasonOf('BBB.csv'), reasonOf(`${B}/own.csv`)]).toEqual([null, null]);
  });

  it('whose name lies is read by its content, in capitals too, and in UTF-16', async () => {
    const { files } = await load({
      [`${B}/x.csv.gz`]: Buffer.from(file(bars('AAA'))),
      [`${B}/y.csv`]: gzipSync(file(bars('BBB'))),
      [`${B}/Z.CSV`]: Buffer.from(`\uFEFF${file(bars('CCC'))}`, 'utf16le'),
    });
    expect(await countBars()).toBe(15);
    expect(files.get(`${B}/x.csv.gz`)?.told).toEqual([
      'the name says gzip, the content is plain; it was read by its content',
    ]);
    expect(files.get(`${B}/y.csv`)?.told).toEqual([
      'the name says plain, the content is gzip; it was read by its content',
    ]);
  });

  it('has its days in the column of dates alone', async () => {
    const lines = three().map((line) => `${line},2026-08-14`);
    await load({ [`${B}/a.csv`]: file(lines, BARS_HEADER.replace('\n', ',lastupdated\n')) });
    expect(await select('select newest_session::text as n from provider_ranges')).toEqual([{ n: '2024-07-12' }]);
  });
});

describe('a session', () => {
  it('with ten malformed lines and more than 1 % is held; its good instruments are served', async () => {
    const symbols = Array.from({ length: 1_200 }, (_, i) => `S${i}`);
    const lines = symbols.flatMap((symbol) => bars(symbol, DAYS.slice(0, 2)));
    for (let i = 0; i < 13; i++) lines[2 * i] = lines[2 * i].replace(/,12,9,/, ',9,9,');
    const { bars: job } = await load({ [`${B}/a.csv`]: file(lines) }, `symbol\n${symbols.join('\n')}\n`);
    expect(job).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('held: 2024-07-08 (13 of 1200 rows are malformed'),
    });
    expect(await countBars()).toBe(2_387);
  });
});

describe('events', () => {
  it('that contradict themselves are rejected, and the same event again is repeated', async () => {
    const lines = [
      'AAA,2024-07-10,split,4',
      'BBB,2024-07-10,cash_dividend,0.25',
      'BBB,2024-07-11,cash_dividend,1.25',
      'CCC,2024-07-10,split,0.25',
      'CCC,2024-07-10,split,0.25',
    ];
    const { files } = await load({
      [`${B}/a.csv`]: file(three()),
      'adjustments.csv': file(lines, 'symbol,ex_date,kind,factor\n'),
    });
    expect(files.get('adjustments.csv')).toMatchObject({
      loaded: 1,
      repeated: 1,
      rejected: 3,
      byReason: { factor_above_one: 1, amount_as_factor: 2 },
    });
    expect(await select('select kind, factor from adjustments')).toEqual([{ kind: 'split', factor: 0.25 }]);
  });

  it('of one day with other factors conflict: neither counts', async () => {
    const lines = [
      'AAA,2024-07-10,split,0.5',
      'AAA,2024-07-10,split,0.25',
      'BBB,2024-07-10,cash_dividend,0.99',
      'BBB,2024-07-10,cash_dividend,0.97',
    ];
    const { files } = await load({
      [`${B}/a.csv`]: file(three()),
      'adjustments.csv': file(lines, 'symbol,ex_date,kind,factor\n'),
    });
    expect(files.get('adjustments.csv')).toMatchObject({ loaded: 2, rejected: 2, byReason: { conflict: 2 } });
  });

  it('stay when they vanish from their file, and so do bars', async () => {
    const header = 'symbol,ex_date,kind,ratio\n';
    await load({ [`${B}/a.csv`]: file(three()), 'adjustments.csv': file(['AAA,2024-07-10,split,4:1'], header) });
    const second = await load({ [`${B}/a.csv`]: file(bars('AAA')), 'adjustments.csv': header });
    expect(second.files.get(`${B}/a.csv`)).toMatchObject({ loaded: 5 });
    expect(await countBars()).toBe(15);
    expect(await select('select factor from adjustments')).toEqual([{ factor: 0.25 }]);
  });
});

describe('a list', () => {
  it('that was joined twice has its rows once; two holders of a ticker are two instruments', async () => {
    const { files } = await load({ [`${B}/a.csv`]: file(bars('DUPN')) }, 'symbol,name\nDUPN,Dup\nDUPN,Dup\n');
    expect(files.get('symbols.csv')).toMatchObject({ loaded: 1, repeated: 1 });
    expect(await select('select symbol from instruments')).toEqual([{ symbol: 'DUPN' }]);
  });

  it('of Alpha Vantage has types, listings, and delistings', async () => {
    const rows = [
      'XAA,First Inc,NYSE,Stock,1999-11-18,null,Active',
      'XBB,Second Fund,NYSE ARCA,ETF,2010-05-04,null,Active',
      'XCC,Old Corp,NASDAQ,Stock,2012-05-18,2024-08-30,Delisted',
      'XCC,New Fund,NASDAQ,ETF,2024-10-01,null,Active',
    ];
    const header = 'symbol,name,exchange,assetType,ipoDate,delistingDate,status\n';
    const { files } = await load({ 'listing_status.csv': file(rows, header), 'XAA.csv': file(bars('XAA')) }, null);
    expect(files.get('listing_status.csv')).toMatchObject({ layout: 'alpha_vantage', loaded: 4 });
    expect(await select('select symbol, asset_type, delisted_on::text as gone from instruments order by 1')).toEqual([
      { symbol: 'XAA', asset_type: 'stock', gone: null },
      { symbol: 'XBB', asset_type: 'etf', gone: null },
      { symbol: 'XCC', asset_type: 'etf', gone: null },
      { symbol: 'XCC-202408', asset_type: 'stock', gone: '2024-08-30' },
    ]);
  });
});

describe('minutes', () => {
  const minutes = file(
    ['15:58:00,100.5', '15:59:00,100', '16:30:00,104', '19:59:00,105'].map((line) => {
      const [time, price] = line.split(',');
      return `2024-03-11 ${time},${price},${price},${price},${price},100`;
    }),
    'ts,open,high,low,close,volume\n',
  );
  it('without an offset are refused, unless market.json names the zone', async () => {
    const path = 'minute/2024-03-11/AAA.csv';
    const first = await load({ [path]: minutes, [`${B}/a.csv`]: file(three()) });
    expect(required(first.files.get(path))).toMatchObject({
      loaded: 0,
      leftOut: 4,
      reason: expect.stringContaining('no offset'),
    });
    const second = await load({ 'market.json': '{"timezone": "America/New_York"}' });
    expect(second.files.get(path)).toMatchObject({ loaded: 4, reason: null });
    expect(await select("select open, high, low, close, volume from daily_bars where day = '2024-03-11'")).toEqual([
      { open: 100.5, high: 105, low: 100, close: 100, volume: 400 },
    ]);
  });
});
