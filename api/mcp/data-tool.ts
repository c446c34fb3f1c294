/** The tool for candles, screens, and SQL. */
import { z } from '../http/input/fields.ts';
import { type Data, given, isData, pick } from './data.ts';
import { awaitedState, defineTool, type OperationInput, type ToolContext } from './operations.ts';
import { untrusted } from './untrusted.ts';

const MAX_ROWS = 60;
const MAX_SYMBOLS = 10;
const PERIODS = ['day', 'week', 'month'] as const;
const DIGITS = 12;

interface Bar {
  readonly ts: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

interface Candles extends Data {
  readonly bars: readonly Bar[];
  readonly data_range: Data;
  readonly missing_sessions: Data & { readonly count: number };
  readonly notes: readonly { readonly message: string }[];
}

const figure = (value: number) => Number(value.toPrecision(DIGITS));

/** Summary of daily bars: prices per share of the last bar's basis, changes in percent. */
function summaryOf(bars: readonly Bar[]): Data | null {
  const [first] = bars;
  const last = bars.at(-1);
  if (!last) return null;
  let [peak, drawdown] = [0, 0];
  for (const { close } of bars) {
    peak = Math.max(peak, close);
    drawdown = Math.max(drawdown, 1 - close / peak);
  }
  return {
    from: first.ts,
    to: last.ts,
    count: bars.length,
    first_close: first.close,
    last_close: last.close,
    change_pct: figure(100 * (last.close / first.close - 1)),
    highest: Math.max(...bars.map(({ high }) => high)),
    lowest: Math.min(...bars.map(({ low }) => low)),
    max_drawdown_pct: figure(100 * drawdown),
    mean_volume: Math.round(bars.reduce((sum, { volume }) => sum + volume, 0) / bars.length),
  };
}

/** Says which part of the range is missing, and why. */
function lacks({ data_range: range, missing_sessions: missing, notes, limited_by_plan: isLimited }: Candles): Data {
  return {
    ...(missing.count > 0 ? { missing_sessions: missing } : {}),
    ...(Array.isArray(range.reason_codes) && range.reason_codes.length > 0
      ? { begins_later: pick(range, 'requested_start', 'actual_start', 'reason_codes') }
      : {}),
    ...(isLimited === true ? { limited_by_plan: true } : {}),
    ...(notes.length > 0 ? { notes: notes.map(({ message }) => message) } : {}),
  };
}

const candlesInput = z.object({
  symbols: z.array(z.string().max(64)).min(1).max(MAX_SYMBOLS).describe('One: rows too'),
  start: z.string().max(10).optional(),
  end: z.string().max(10).optional(),
  period: z.enum(PERIODS).optional(),
  adjust: z.enum(['split', 'total', 'none']).default('split').describe('total: with dividends'),
  rows: z.number().int().min(0).max(MAX_ROWS).default(20),
});
type CandlesInput = z.output<typeof candlesInput>;

const read = (call: ToolContext['call'], symbol: string, query: OperationInput['query']): Promise<Candles> =>
  call('getKline', { path: { symbol }, query });

/** Summaries are never of prices as traded, which a split makes meaningless. */
async function candlesOf(symbol: string, input: CandlesInput, rows: number, { call, link }: ToolContext) {
  const { start, end, period, adjust } = input;
  const query = { start, end, days: start === undefined ? MAX_ROWS : undefined };
  const basis = adjust === 'none' ? 'split' : adjust;
  const daily = await read(call, symbol, { ...query, adjust: basis });
  const head = { ...pick(daily, 'symbol', 'name', 'as_of'), basis, summary: summaryOf(daily.bars), ...lacks(daily) };
  if (rows === 0) return head;
  let served = period ?? 'day';
  let shown =
    served === 'day' && adjust === basis ? daily : await read(call, symbol, { ...query, period: served, adjust });
  for (const coarser of period === undefined ? PERIODS.slice(1) : []) {
    if (shown.bars.length <= MAX_ROWS) break;
    served = coarser;
    shown = await read(call, symbol, { ...query, period: served, adjust });
  }
  return {
    ...head,
    period: served,
    ...(adjust === basis ? {} : { rows_basis: 'as traded' }),
    columns: 'date,open,high,low,close,volume',
    total_rows: shown.bars.length,
    rows: shown.bars.slice(-rows).map((bar) => [bar.ts, bar.open, bar.high, bar.low, bar.close, bar.volume].join()),
    chart: link(`/s/${String(daily.symbol)}`),
  };
}

async function candles(input: CandlesInput, context: ToolContext): Promise<Data> {
  const [symbol, ...others] = input.symbols;
  if (others.length === 0) return candlesOf(symbol, input, input.rows, context);
  return { items: await Promise.all(input.symbols.map((one) => candlesOf(one, input, 0, context))) };
}

const screenInput = z.object({
  where: z.string().max(2_000).optional().describe('A condition'),
  preset: z.string().max(64).optional(),
  conditions: z.array(z.record(z.string(), z.unknown())).max(20).optional(),
  columns: z.record(z.string().max(64), z.string().max(2_000)).optional().describe('Name → value'),
  symbols: z.array(z.string().max(64)).max(500).optional(),
  sort: z.record(z.string(), z.unknown()).optional().describe('{field or by, order}'),
  as_of: z.string().max(10).optional(),
  limit: z.number().int().min(1).max(50).default(10),
});

async function screen(input: z.output<typeof screenInput>, { call, link }: ToolContext): Promise<Data> {
  const answered = await call('runScreener', { body: given(input) });
  const found = await ended('getScreenerJob', answered, call);
  if (found.items === undefined) return found;
  const { total, scanned, items, data_freshness: freshness, notes } = found;
  return {
    ...(isData(freshness) ? pick(freshness, 'as_of') : {}),
    scanned,
    total,
    items: (Array.isArray(items) ? items : []).filter(isData).map(({ values, columns, ...item }) => ({
      ...pick(item, 'symbol', 'name', 'close', 'change_pct'),
      ...(isData(values) ? values : {}),
      ...(isData(columns) ? columns : {}),
    })),
    ...(Array.isArray(notes) && notes.length > 0 ? { notes } : {}),
    page: link('/screener', pick(input, 'preset', 'where')),
  };
}

/** The result of a query or a screen, which the answer has, or its job. */
async function ended(stateOperation: string, answered: Data, call: ToolContext['call']): Promise<Data> {
  const { job_id: id } = answered;
  if (typeof id !== 'string') return answered;
  const state: Data = await awaitedState(
    (wait) => call(stateOperation, { path: { job_id: id }, query: { wait } }),
    ({ result, error }) => result !== null || error !== null,
  );
  return isData(state.result) ? state.result : pick(state, 'status', 'error');
}

const sqlInput = z.object({
  query: z.string().min(1).max(20_000).describe('One SELECT of DuckDB'),
  limit: z.number().int().min(1).max(1_000).default(50),
  as_of_load: z.string().max(200).optional(),
});

/** Rows as CSV, because they may have texts of companies. */
async function sql(input: z.output<typeof sqlInput>, { call }: ToolContext): Promise<Data> {
  const found = await ended('getQueryJob', await call('runQuery', { body: given(input) }), call);
  const { columns, rows } = found;
  if (!Array.isArray(rows) || !Array.isArray(columns)) return found;
  const lines = rows.map((row: readonly unknown[]) => row.map(cell).join());
  return {
    ...pick(found, 'as_of', 'data_version', 'truncated'),
    columns: columns.filter(isData).map(({ name, type }) => `${String(name)} ${String(type)}`),
    total_rows: lines.length,
    rows: lines.map(untrusted),
  };
}

/** A value as CSV. */
function cell(value: unknown): string {
  const text = value === null ? '' : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const rowsOutput = z.array(z.unknown()).optional();

export const data = defineTool({
  name: 'data',
  description:
    'One of: `candles` (summary on the split basis, and what is missing; the rows of long ranges are weeks or months), `screen` ' +
    '(newest bar or `as_of`; `where` such as `close > highest(55) and rsi(14) < 70`), `sql` over bars, bars_adjusted, symbols, events, ' +
    'sessions, screener_daily, my_columns. Screens need an account, SQL such a plan.',
  inputSchema: z.object({
    candles: candlesInput.optional(),
    screen: screenInput.optional(),
    sql: sqlInput.optional(),
  }),
  outputSchema: z.looseObject({
    as_of: z.string().optional(),
    summary: z.looseObject({}).nullable().optional(),
    items: rowsOutput,
    rows: rowsOutput,
  }),
  isReadOnly: true,
  run: async (input, context) => {
    if (input.candles !== undefined) return candles(input.candles, context);
    if (input.screen !== undefined) return screen(input.screen, context);
    if (input.sql !== undefined) return sql(input.sql, context);
    return { error: 'Give one of candles, screen, sql' };
  },
});
