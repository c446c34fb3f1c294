/** The engine of sweeps as a program for Spark's executors: its cells against single backtests, and what it says to bad input. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DateDay,
  Field,
  Float64,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  tableFromIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { runBacktest } from '../../../engine/backtest/backtest.ts';
import type { Adjustment } from '../../../engine/market/adjust.ts';
import { formatDay, MS_PER_DAY } from '../../../engine/market/dates.ts';
import { type BarSeries, EMPTY_SERIES, sliceSeries } from '../../../engine/market/series.ts';
import { CONSOLIDATED_FROM } from '../../../engine/market/venue-basis.ts';
import { metricsView } from '../../../jobs/runs/report.ts';
import type { Plan } from '../../../ops/deploy/spark/plan.ts';
import { randomSeries } from '../../support/series.ts';

const ENGINE = '.cache/sweep-engine.cjs';

const folder = mkdtempSync(join(tmpdir(), 'sweep-engine-'));
const planFile = join(folder, 'plan.json');
const othersFile = join(folder, 'others.arrow');

beforeAll(() => {
  const { status, stderr } = spawnSync('npm', ['run', '-s', 'build:spark'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
afterAll(() => rmSync(folder, { recursive: true }));

function engine(args: readonly string[], input: string | Uint8Array) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [ENGINE, ...args], { input, maxBuffer: 2 ** 26 });
  return { status, stdout, stderr: stderr.toString().trimEnd() };
}

interface Member {
  readonly symbol: string;
  readonly series: BarSeries;
  readonly events: readonly Adjustment[];
  readonly delistedOn: number | null;
}

/** Until May 2025, so that both venue bases have bars. */
const long = randomSeries(1_400, 7);
const NEWEST = long.day[long.length - 1];
const MEMBERS: readonly Member[] = [
  { symbol: 'AAA.US', series: long, events: [], delistedOn: null },
  {
    symbol: 'BBB.US',
    series: { ...randomSeries(1_390, 8), delisting: { returnPct: -40, venue: '' } },
    events: [
      { exDay: long.day[600], kind: 'split', factor: 0.3 },
      { exDay: long.day[900], kind: 'cash_dividend', factor: 0.97 },
      { exDay: long.day[900], kind: 'stock_dividend', factor: 0.9 },
      { exDay: long.day[900], kind: 'spin_off', factor: 0.83 },
    ],
    delistedOn: long.day[1_389],
  },
  { symbol: 'BRK.B.US', series: EMPTY_SERIES, events: [], delistedOn: null },
  { symbol: 'CCC.US', series: randomSeries(40, 9), events: [], delistedOn: long.day[39] },
];

/** Long before its first bar. */
const LISTED_ON = long.day[0] - 3_000;

const REQUEST = {
  universe: 'all',
  runs: [
    { strategy: 'sma_cross', grid: { fast_period: [5, 10], slow_period: [20, 60] } },
    { strategy: 'chandelier' },
    { strategy: 'rules', rules: { entry: "close > sma($n) and of('BBB', roc(20)) > 0" }, grid: { n: [10, 30] } },
    { strategy: 'rules', rules: { entry: "close > sma($bars) and age + of('BBB', age) > 270" }, grid: { bars: [10] } },
  ],
  time_range: '3Y',
  adjust: 'total',
  execute_on: 'next_open',
  cost: { commission_rate: 0.001, slippage_bps: 5 },
};

const question = (request: unknown = REQUEST, symbols = MEMBERS) =>
  JSON.stringify({
    request,
    newest_session: formatDay(NEWEST),
    symbols: symbols.map(({ symbol, delistedOn }) => ({
      symbol,
      ticker: symbol.replace('.US', ''),
      name: symbol,
      asset_type: 'stock',
      listed_on: formatDay(LISTED_ON),
      delisted_on: delistedOn === null ? null : formatDay(delistedOn),
    })),
  });

interface Row {
  readonly symbol: string;
  readonly part: string;
  readonly date?: number;
  readonly open?: number;
  readonly high?: number;
  readonly low?: number;
  readonly close?: number;
  readonly volume?: number;
  readonly kind?: string;
  readonly factor?: number;
}

/** The rows of an instrument in the order of the table. Each venue basis has bars in the days of the other, too, at other prices. */
function rowsOf({ symbol, series, events }: Member): Row[] {
  const bars = Array.from(series.day, (date, i): Row & { date: number } => {
    const { open, high, low, close, volume } = sliceSeries(series, i, i + 1);
    return { symbol, part: '', date, open: open[0], high: high[0], low: low[0], close: close[0], volume: volume[0] };
  });
  const onBasis = (part: string, isServed: (date: number) => boolean) =>
    bars.map((bar) => (isServed(bar.date) ? { ...bar, part } : { ...bar, part, close: bar.low }));
  return [
    ...onBasis('consolidated', (date) => date >= CONSOLIDATED_FROM),
    ...events.map(({ exDay, kind, factor }) => ({ symbol, part: 'event', date: exDay, kind, factor })),
    { symbol, part: 'instrument', factor: series.delisting?.returnPct ?? 0 },
    ...onBasis('primary_session', (date) => date < CONSOLIDATED_FROM),
  ];
}

const ALL_ROWS = MEMBERS.flatMap(rowsOf);
const NUMBERS = ['open', 'high', 'low', 'close', 'volume', 'factor'] as const;

/** An Arrow stream of the rows, in batches of so many. */
function streamOf(rows: readonly Row[], { batch = 333, without = '' } = {}): Buffer {
  const column = <T extends Utf8 | DateDay | Float64>(name: string, type: T, of: (row: Row) => unknown) => ({
    name,
    type,
    of,
  });
  const columns = [
    column('symbol', new Utf8(), (row) => row.symbol),
    column('part', new Utf8(), (row) => row.part),
    column('date', new DateDay(), ({ date }) => (date === undefined ? null : date * MS_PER_DAY)),
    column('kind', new Utf8(), ({ kind = null }) => kind),
    ...NUMBERS.map((name) => column(name, new Float64(), (row) => row[name] ?? null)),
  ].filter(({ name }) => name !== without);
  const schema = new Schema(columns.map(({ name, type }) => new Field(name, type, true)));
  const writer = new RecordBatchStreamWriter();
  for (let at = 0; at < rows.length; at += batch) {
    const some = rows.slice(at, at + batch);
    const children = columns.map(({ type, of }) => vectorFromArray(some.map(of), type).data[0]);
    writer.write(new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: some.length, children })));
  }
  writer.finish();
  return Buffer.from(writer.toUint8Array(true));
}

const plan = (): Plan => JSON.parse(engine(['plan'], question()).stdout.toString());

function cells(rows: readonly Row[]): Record<string, unknown>[] {
  writeFileSync(planFile, JSON.stringify(plan()));
  writeFileSync(othersFile, streamOf(rowsOf(MEMBERS[1])));
  const { status, stdout, stderr } = engine(['cells', planFile, othersFile], streamOf(rows));
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return tableFromIPC(stdout)
    .toArray()
    .map((row) => row.toJSON());
}

describe('the program', () => {
  it('plans the request of a sweep as the API checks it', () => {
    const { sweep, instruments, others, columns } = plan();
    expect(instruments.map(({ symbol }) => symbol)).toEqual(MEMBERS.map(({ symbol }) => symbol));
    expect(others).toEqual([{ instrumentId: 1, symbol: 'BBB.US', listedOn: LISTED_ON }]);
    expect(sweep).toMatchObject({ adjust: 'total', timeRange: '3Y', asOf: NEWEST, dataAsOf: NEWEST });
    expect(columns).toMatch(/^symbol string, strategy string, params string, bars int, start_date date, .* double$/);
  });

  it('has the figures of the single backtest in every cell, wherever batches end', () => {
    const found = cells(ALL_ROWS);
    const combinations = 4 + 1 + 2 + 1;
    expect(found).toHaveLength(MEMBERS.length * combinations);
    const { sweep } = plan();
    const listed = (series: BarSeries) => ({ ...series, listedOn: LISTED_ON });
    const others = new Map([['BBB', { ...MEMBERS[1], series: listed(MEMBERS[1].series) }]]);
    const wanted = found.map(({ symbol, strategy, params }, i) => {
      const { series, events, delistedOn } = MEMBERS[Math.floor(i / combinations)];
      const given = JSON.parse(String(params));
      const names = Object.keys(given);
      const run = sweep.runs.find(
        ({ rules, strategy: code, grid }) => code === strategy && (!rules || names[0] in grid),
      );
      const settings = { ...sweep, strategy: String(strategy), rules: run?.rules, params: given };
      const lifetime = { listedOn: LISTED_ON, delistedOn };
      const single = runBacktest(settings, { series: listed(series), events, lifetime, asOf: NEWEST, others });
      const dates = single && [single.bars.day[0], single.bars.day[single.bars.length - 1]];
      return {
        symbol,
        strategy,
        params,
        bars: single?.bars.length ?? 0,
        start_date: dates && dates[0] * MS_PER_DAY,
        end_date: dates && dates[1] * MS_PER_DAY,
        ...(single
          ? metricsView(single.metrics)
          : Object.fromEntries(
              Object.keys(found[0])
                .slice(6)
                .map((name) => [name, null]),
            )),
      };
    });
    const plain = found.map((cell) => ({
      ...cell,
      start_date: timeOf(cell.start_date),
      end_date: timeOf(cell.end_date),
    }));
    expect(plain).toEqual(wanted);
    expect(new Set(found.map(({ params }) => params)).size).toBe(combinations);
    expect(wanted.filter(({ bars }) => bars > 0)).toHaveLength(3 * combinations);
    expect(wanted.some((cell) => 'num_trades' in cell && Number(cell.num_trades) > 3)).toBe(true);
  });

  it('computes the instruments of one task as those of all', () => {
    const all = cells(ALL_ROWS);
    expect(cells(rowsOf(MEMBERS[1]))).toEqual(all.filter(({ symbol }) => symbol === 'BBB.US'));
  });
});

const timeOf = (value: unknown) => (value === null ? null : Number(value));

describe('a request', () => {
  it.each<[string, object, string]>([
    ['an unknown strategy', { runs: [{ strategy: 'martingale' }] }, 'martingale'],
    ['an unknown symbol', { universe: { symbols: ['AAA', 'ZZZ'] } }, 'ZZZ.US'],
    ['an unknown field', { strategies: [] }, 'body.strategies'],
    ['a wrong parameter', { runs: [{ strategy: 'sma_cross', params: { fast_period: 0 } }] }, 'fast_period'],
    ['a screen', { universe: { screen: {} } }, 'only the service can screen'],
    ['a saved strategy', { runs: [{ strategy: 'rules', rules: { saved: 1 } }] }, 'only the service knows saved'],
  ])('with %s is refused in one line', (_, more, problem) => {
    const { status, stdout, stderr } = engine(['plan'], question({ ...REQUEST, ...more }));
    expect({ status, lines: stderr.split('\n').length }).toEqual({ status: 2, lines: 1 });
    expect(stderr).toContain(problem);
    expect(stdout).toHaveLength(0);
  });
});

describe('an input of rows', () => {
  const whole = streamOf(ALL_ROWS);
  const betweenBatches = streamOf(ALL_ROWS.slice(0, 333)).subarray(0, -8);

  it.each<[string, Uint8Array | string, string]>([
    ['that is empty', '', 'the input is no whole Arrow stream'],
    ['of text', 'symbol,part,date\nAAA.US,instrument,\n', 'the input is no whole Arrow stream'],
    ['that breaks off in a batch', whole.subarray(0, whole.length >> 1), 'the input is no whole Arrow stream'],
    ['that breaks off between batches', betweenBatches, 'the input is no whole Arrow stream'],
    ['without a column', streamOf(ALL_ROWS, { without: 'factor' }), 'the column factor is missing'],
    ['of an unknown part', streamOf([{ symbol: 'AAA.US', part: 'quote' }]), '"part":"quote"'],
    ['of an unknown event', streamOf([{ symbol: 'AAA.US', part: 'event', date: 1, kind: 'gift', factor: 1 }]), 'gift'],
    ['by no symbol', streamOf(ALL_ROWS.toReversed()), 'not ordered by'],
    ['by no date', streamOf(rowsOf(MEMBERS[0]).toReversed()), 'the bars of AAA.US are not ordered by date'],
    ['of another instrument', streamOf([{ symbol: 'ZZZ.US', part: 'instrument' }]), 'ZZZ.US is no instrument'],
  ])('%s is refused in one line', (_, input, problem) => {
    writeFileSync(planFile, JSON.stringify(plan()));
    const { status, stderr } = engine(['cells', planFile], input);
    expect({ status, lines: stderr.split('\n').length }).toEqual({ status: 2, lines: 1 });
    expect(stderr).toContain(problem);
  });

  it('needs a command', () => {
    expect(engine([], '')).toMatchObject({ status: 2, stderr: 'usage: plan | cells PLAN [OTHERS]' });
  });
});
