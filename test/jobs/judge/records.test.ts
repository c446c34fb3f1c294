/** The account of every line of a record, and what becomes of the good ones, in each format. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Float64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import { OverQuota } from '../../../jobs/columns/bounds.ts';
import { FileRefused } from '../../../jobs/columns/line-reader.ts';
import type { JudgeSpec } from '../../../jobs/contracts/judge.ts';
import { type ReadRecord, readRecord } from '../../../jobs/judge/read-record.ts';
import { lehmer } from '../../support/series.ts';

const folder = mkdtempSync(join(tmpdir(), 'records-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(content: string | Uint8Array, form: JudgeSpec['form'] = 'returns', values = 100_000) {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  return readRecord({ path, report: async () => {} }, { form, quota: { plan: 'pro', values, hasSeveral: true } });
}

type Row = readonly [date: string, fund: string, other: string];
const NAMES = ['Date', 'fund', 'other'] as const;
const csvOf = (rows: readonly Row[]) => [NAMES.join(','), ...rows.map((row) => row.join(','))].join('\n');
const recordOf = (row: Row) => Object.fromEntries(NAMES.map((name, i) => [name, row[i]]));
const arrowOf = (rows: readonly Row[]) =>
  tableToIPC(
    new Table(
      Object.fromEntries(
        NAMES.map((name, i) => [
          name,
          vectorFromArray(
            rows.map((row) => row[i]),
            new Utf8(),
          ),
        ]),
      ),
    ),
    'stream',
  );

const FORMATS: readonly (readonly [string, number, (rows: readonly Row[]) => string | Uint8Array])[] = [
  ['csv', 1, csvOf],
  ['csv.gz', 1, (rows) => gzipSync(csvOf(rows))],
  ['ndjson', 0, (rows) => rows.map((row) => JSON.stringify(recordOf(row))).join('\n')],
  ['arrow', 0, arrowOf],
];

const DIRT: readonly (readonly [reason: string, row: Row])[] = [
  ['bad_date', ['2024-02-30', '0.01', '0.02']],
  ['bad_date', ['', '0.01', '0.02']],
  ['bad_value', ['2024-03-01', 'much', '0.02']],
  ['bad_value', ['2024-03-01', '1.2%', '']],
  ['no_value', ['2024-03-01', '', 'n/a']],
  ['before_1962', ['1950-03-01', '0.01', '0.02']],
];

const sumOf = ({ account: { header, blank, loaded, repeated, rejected, left_out } }: ReadRecord) =>
  header + blank + loaded + repeated + rejected + left_out;

describe.each(FORMATS)('a record of %s', (_, header, write) => {
  it.each([1, 2])('has every line accounted for, wherever its dirt is, and its rows by day (seed %i)', async (seed) => {
    const next = lehmer(seed);
    const good = Array.from({ length: 1_500 }, (_, i): Row => {
      return [formatDay(requireDay('2015-01-01') + i), i % 7 === 0 ? '' : String(next() - 0.5), String(next() - 0.5)];
    });
    const rows = [...good];
    const counts: Record<string, number> = {};
    for (let n = 0; n < 14; n++) {
      const [reason, row] = DIRT[Math.floor(next() * DIRT.length)];
      counts[reason] = (counts[reason] ?? 0) + 1;
      rows.splice(Math.floor(next() * rows.length), 0, row);
    }
    rows.push(good[3], [good[4][0], '0.123', '0.456']);
    counts.conflict = 1;
    const found = await read(write(rows));
    expect(found.account).toMatchObject({ header, loaded: 1_500, repeated: 1, by_reason: counts });
    expect(sumOf(found)).toBe(found.account.lines);
    expect(found.days).toEqual(Int32Array.from(good, ([date]) => requireDay(date)));
    expect(found.columns.map(({ name }) => name)).toEqual(['fund', 'other']);
    expect(found.columns[0].values).toEqual(
      Float64Array.from(good, ([, fund]) => (fund === '' ? Number.NaN : Number(fund))),
    );
    expect(found.notes).toEqual([{ code: 'duplicates', details: { rows: 2, conflicts: 1 } }]);
    expect(found.account.rejected_lines.at(-1)).toMatchObject({ line: rows.length + header, reason: 'conflict' });
  });
});

describe('a record', () => {
  it('is sorted, and may be a data frame with numbers', async () => {
    const frame = new Table({
      date: vectorFromArray(['2024-01-03', '2024-01-02'], new Utf8()),
      fund: vectorFromArray([0.01, -0.02], new Float64()),
    });
    const { days, columns } = await read(tableToIPC(frame, 'stream'));
    expect([...days].map(formatDay)).toEqual(['2024-01-02', '2024-01-03']);
    expect(columns).toEqual([{ name: 'fund', values: Float64Array.of(-0.02, 0.01) }]);
  });

  it('tells which names the first line of NDJSON does not have', async () => {
    const { columns, account } = await read('{"date":"2024-01-02","a":1}\n{"date":"2024-01-03","a":2,"b":3}\n');
    expect(columns.map(({ name }) => name)).toEqual(['a']);
    expect(account.told).toEqual(['values of b are left out: the first line does not have it']);
  });

  it.each([
    ['fund,other\n0.1,0.2\n', /date is missing/],
    ['date\n2024-01-02\n', /no column/],
    ['date,a,a\n2024-01-02,1,2\n', /two columns are called a/],
    ['date,a,\n2024-01-02,1,2\n', /column 3 has no name/],
    ['date,a\n', /no line of 0/],
    ['', /empty/],
    [`date,a\n${'2024-01-02,x\n'.repeat(20)}`, /20 of 20 lines.*line 2 \(bad_value\): 2024-01-02,x/],
  ])('is refused with the place: %j', async (content, problem) => {
    const refused = await read(content).catch((error) => error);
    expect(refused).toBeInstanceOf(FileRefused);
    expect(refused.message).toMatch(problem);
  });

  it('has no more values than the plan, and no equity below 0', async () => {
    const content = 'date,a,b\n2024-01-02,1,2\n2024-01-03,1,\n';
    expect((await read(content, 'returns', 3)).account.loaded).toBe(2);
    const over = await read(content, 'returns', 2).catch((error) => error);
    expect(over).toBeInstanceOf(OverQuota);
    expect(over.failure('free')).toEqual({
      code: 'quota_exceeded',
      details: { plan: 'free', quota: 'judge_values_max', max: 2, count: 3 },
    });
    const { account } = await read('date,a\n2024-01-02,100\n2024-01-03,-1\n', 'equity');
    expect(account.by_reason).toEqual({ bad_value: 1 });
  });
});

describe('trades', () => {
  const header = 'seq,entry_date,exit_date,pnl\n';

  it('are an equity curve of what was realized, on every session', async () => {
    // The exit on a Saturday counts on Monday.
    const found = await read(
      `${header}1,2024-01-03,2024-01-05,1000\n2,2024-01-04,2024-01-06,-500\n3,2024-01-04,2024-01-08,200\n`,
      'trades',
    );
    expect([...found.days].map(formatDay)).toEqual([
      '2024-01-02',
      '2024-01-03',
      '2024-01-04',
      '2024-01-05',
      '2024-01-08',
    ]);
    expect(found.columns).toEqual([
      { name: 'trades', values: Float64Array.of(100_000, 100_000, 100_000, 101_000, 100_700) },
    ]);
    expect(found.notes.map(({ code }) => code)).toEqual(['realized_only', 'no_session']);
  });

  it('have figures of their own where each line has its return', async () => {
    const named = 'symbol,entry_date,exit_date,pnl,pnl_pct,exit_reason\n';
    const lines = [
      'A,2024-01-08,2024-01-09,200,2,signal',
      'B,2024-01-04,2024-01-08,-500,-4,stop',
      'A,2024-01-03,2024-01-05,1000,10,signal',
    ];
    const { trades } = await read(named + lines.join('\n'), 'trades');
    const group = { win_rate_pct: 100, pnl: 1_200, mean_pct: 6, trades: 2 };
    expect(trades).toMatchObject({
      count: 3,
      wins: 2,
      losses: 1,
      payoff: 1.5,
      profit_factor: 2.4,
      holding_bars: { mean: 5 / 3, median: 2, longest: 2 },
      longest_win_streak: 1,
      sqn: null,
      kelly: null,
      distributions: { pnl_pct: expect.any(Object), mae_pct: null },
      by_exit_reason: [
        { exit_reason: 'signal', ...group },
        { exit_reason: 'stop', trades: 1 },
      ],
      by_symbol: [
        { symbol: 'A', ...group },
        { symbol: 'B', trades: 1 },
      ],
    });
    expect(trades?.expectancy_pct).toBeCloseTo(8 / 3, 12);
    const ofOne = await read(named + lines.map((line) => line.replace('B', 'A')).join('\n'), 'trades');
    // Mean 8/3, deviation √(148/3) of a sample of three.
    expect(ofOne.trades?.sqn).toBeCloseTo((Math.sqrt(3) * (8 / 3)) / Math.sqrt(148 / 3), 12);
    expect(ofOne.trades?.kelly).toBeCloseTo(2 / 3 - 1 / 3 / 1.5, 12);
    expect((await read(`${named}${lines[0]}\nA,2024-01-09,2024-01-10,5,,signal\n`, 'trades')).trades).toBeNull();
    expect((await read(`${header}1,2024-01-03,2024-01-05,5\n`, 'trades')).trades).toBeNull();
  });

  it('are refused where they lose more than there was, or lack a column', async () => {
    await expect(read(`${header}1,2024-01-03,2024-01-05,-200000\n`, 'trades')).rejects.toThrow(/2024-01-05/);
    await expect(read('exit_date,profit\n2024-01-03,5\n', 'trades')).rejects.toThrow(/pnl is missing/);
    const { account } = await read(
      `${header}1,2024-01-03,2024-01-05,5\n2,2024-02-03,2024-01-05,5\n3,2024-01-03,2024-01-05,much\n`,
      'trades',
    );
    expect(account.by_reason).toEqual({ ends_before_it_begins: 1, bad_value: 1 });
  });
});
