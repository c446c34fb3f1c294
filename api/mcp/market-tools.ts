/** Tools for instruments, candles, and screens. */
import type { DailyBar } from '../../engine/market/minute-bars.ts';
import { COMPARISONS } from '../../engine/screener/comparisons.ts';
import { FIELDS } from '../../engine/screener/fields.ts';
import { PRESETS } from '../../engine/screener/presets.ts';
import { z } from '../http/input/fields.ts';
import { defineTool, pick, type Tool, type ToolContext } from './operations.ts';

const MAX_ROWS = 60;
const MAX_SYMBOLS = 20;
/** Periods from fine to coarse. */
const PERIODS = ['day', 'week', 'month'] as const;
const DECIMALS = 2;

export const symbolInput = z.string().max(64).describe('Ticker; search_symbols finds it');
const day = z.string().max(10).optional();

type Bar = DailyBar & { readonly ts: string };

interface Candles {
  readonly symbol: string;
  readonly name: string;
  readonly as_of: string;
  readonly bars: readonly Bar[];
}

const searchSymbols = defineTool({
  name: 'search_symbols',
  description:
    'Finds instruments by the start of a ticker (former ones too) or part of the name; without a query, popular ones.',
  inputSchema: z.object({
    query: z.string().max(100).optional(),
    limit: z.number().int().min(1).max(MAX_SYMBOLS).default(10),
  }),
  isReadOnly: true,
  run: async ({ query, limit }, { call, link }) => {
    const { total, items } = await call('searchSymbols', { query: { q: query, limit } });
    const rows = items.map((item: Record<string, unknown>) =>
      pick(item, 'symbol', 'name', 'asset_type', 'listed_on', ...(item.is_delisted ? ['delisted_on'] : [])),
    );
    return { total, items: rows, chart: link('/s/{symbol}') };
  },
});

const getBars = defineTool({
  name: 'get_bars',
  description:
    `Candles of one instrument: a summary of the range and at most ${MAX_ROWS} rows (date,open,high,low,close,volume). ` +
    'A longer range comes in longer periods or, with `period`, cut to its newest rows. Default: the last 60 sessions, as traded.',
  inputSchema: z.object({
    symbol: symbolInput,
    start: day.describe('YYYY-MM-DD'),
    end: day,
    period: z.enum(PERIODS).optional(),
    adjust: z
      .enum(['none', 'qfq', 'split', 'total'])
      .optional()
      .describe('qfq, split: for splits; total: dividends too'),
    rows: z.number().int().min(1).max(MAX_ROWS).default(MAX_ROWS),
  }),
  isReadOnly: true,
  run: async ({ symbol, start, end, period, adjust, rows }, { call, link }) => {
    const query = { start, end, adjust, days: start === undefined ? rows : undefined };
    const first = PERIODS.indexOf(period ?? 'day');
    let candles: Candles = await call('getKline', { path: { symbol }, query: { ...query, period: PERIODS[first] } });
    const { bars } = candles;
    let served = first;
    const isFixed = period !== undefined;
    while (!isFixed && candles.bars.length > rows && served < PERIODS.length - 1) {
      served++;
      candles = await call('getKline', { path: { symbol }, query: { ...query, period: PERIODS[served] } });
    }
    return {
      ...pick({ ...candles }, 'symbol', 'name', 'as_of'),
      summary: summaryOf(bars),
      period: PERIODS[served],
      rows: candles.bars.slice(-rows).map((bar) => [bar.ts, bar.open, bar.high, bar.low, bar.close, bar.volume].join()),
      chart: link(`/s/${candles.symbol}`),
    };
  },
});

/** Summary of a range: prices per share, change in percent. */
function summaryOf(bars: readonly Bar[]): object | null {
  const [first] = bars;
  const last = bars.at(-1);
  if (!last) return null;
  const [highest, lowest] = [Math.max(...bars.map(({ high }) => high)), Math.min(...bars.map(({ low }) => low))];
  const volume = bars.reduce((sum, bar) => sum + bar.volume, 0) / bars.length;
  return {
    from: first.ts,
    to: last.ts,
    count: bars.length,
    first_close: first.close,
    last_close: last.close,
    change_pct: Number((100 * (last.close / first.close - 1)).toFixed(DECIMALS)),
    highest,
    lowest,
    mean_volume: Math.round(volume),
  };
}

const condition = z.object({
  field: z.enum(FIELDS.map(({ code }) => code)),
  op: z.enum(COMPARISONS.map(({ code }) => code)),
  value: z.number().optional(),
  value2: z.number().optional().describe('For between'),
  period: z.number().int().optional(),
});

const screen = defineTool({
  name: 'screen',
  description:
    'Screens the market on the newest daily bar: by a preset, by conditions that all hold, or by a rule ' +
    '(`where`, such as `close > highest(55) and volume > 2 * sma_of(volume, 50)`). Needs an account.',
  inputSchema: z.object({
    preset: z.enum(PRESETS.map(({ code }) => code)).optional(),
    conditions: z.array(condition).max(MAX_SYMBOLS).optional(),
    where: z.string().max(2_000).optional(),
    sort: z.object({ field: z.string().max(64), order: z.enum(['asc', 'desc']) }).optional(),
    limit: z.number().int().min(1).max(MAX_SYMBOLS).default(10),
  }),
  isReadOnly: true,
  run: async (body, { call, link }) => {
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const { total, scanned, items, data_freshness } = await call('runScreener', { body: given });
    return {
      as_of: data_freshness.as_of,
      scanned,
      total,
      items: items.map(({ values, ...item }: Record<string, object>) => ({
        ...pick(item, 'symbol', 'name', 'close', 'change_pct', 'dollar_volume'),
        ...values,
      })),
      page: link('/screener', {
        ...pick(body, 'preset', 'where'),
        conditions: body.conditions && JSON.stringify(body.conditions),
      }),
      chart: link('/s/{symbol}'),
    };
  },
});

/** Symbols that a caller who misspelled one may have meant. */
export async function similarSymbols({ call }: ToolContext, symbol: string): Promise<readonly string[]> {
  const { items } = await call('searchSymbols', { query: { q: symbol.slice(0, 2), limit: 3 } });
  return items.map((item: { readonly symbol: string }) => item.symbol);
}

export const MARKET_TOOLS: readonly Tool[] = [searchSymbols, getBars, screen];
