/** The kept runs of an account, newest first. */
import type { Pool } from '../../db/pool.ts';
import { type KeptKind, type KeptRun, selectKeptRuns, updateLabels } from '../../db/runs/kept-runs.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { found } from '../../engine/util/errors.ts';
import { longestOf, outcomesSummary } from '../../jobs/outcomes/summary.ts';
import { portfolioSummary } from '../../jobs/portfolio/summary.ts';
import { backtestSummary, keptSummary } from '../../jobs/runs/summary.ts';
import { localeOf } from '../access/request-context.ts';
import {
  assertTimeRange,
  localeField,
  momentFilter,
  queryInteger,
  symbolField,
  text,
  z,
} from '../http/input/fields.ts';
import { type Directory, readSymbol, symbolError } from '../market/directory.ts';
import { strategyWord } from '../rules/fields.ts';
import type { Kept } from './keep.ts';
import { HISTORY_KINDS, type historyItemSchema, type historySchema } from './schemas.ts';
import { searchWords, wordsField } from './search-words.ts';
import type { AccountCall } from './services.ts';
import { lastVerdict } from './view.ts';

export const historyQuery = z.object({
  symbol: symbolField.optional().meta({ description: 'Only backtests of this symbol' }),
  strategy: strategyWord.optional().meta({ description: 'Only backtests of this strategy' }),
  kind: z.enum(HISTORY_KINDS).default('backtest').meta({ description: 'The kind of results to list' }),
  q: wordsField.meta({
    description:
      'Words that a run has, all of them, in its name, a tag, a symbol, the strategy, the idea, or the range; `strategy:rsi` and `tag:idea` ' +
      'look there only, `kind:portfolio` at the kind, `>0` and `<-10` at the total return in percent, `2026-05` at the day of its creation; `best` puts the highest return first',
    example: 'strategy:rsi >0',
  }),
  start: momentFilter('from').optional().meta({ description: 'Created at or after; a date or an ISO time' }),
  end: momentFilter('to').optional().meta({ description: 'Created at or before; a date includes the whole day (UTC)' }),
  page: queryInteger(1, 1_000_000).prefault(1).meta({ description: 'The page; the first is 1' }),
  page_size: queryInteger(1, 100).prefault(20).meta({ description: 'Items per page' }),
  locale: localeField,
});

export async function history(
  { services, context, caller }: AccountCall,
  query: z.output<typeof historyQuery>,
): Promise<z.input<typeof historySchema>> {
  const { kind, symbol, strategy, q, start, end, page, page_size } = query;
  localeOf(query, context);
  assertTimeRange(start, end);
  const symbols = symbol === undefined ? undefined : possibleSymbols(services.market.directory, symbol);
  const filter = {
    kind: kind === 'all' ? undefined : kind,
    symbols,
    strategy,
    words: searchWords(q ?? ''),
    start,
    end,
  };
  const { userId } = caller.account;
  const { total, items } = await selectKeptRuns(services.pool, userId, filter, { page, size: page_size });
  return { total, page, page_size, items: items.map(historyItem) };
}

export const labelBody = z.strictObject({
  name: text(1, 100).nullable().optional().meta({ description: 'Null removes it' }),
  tags: z.array(text(1, 32)).max(20).optional().meta({ description: 'Instead of those it has' }),
});

/** Names and tags a kept run, and returns it as in the history. */
export async function labelKept(
  pool: Pool,
  userId: number,
  { kind, id }: Kept,
  { name, tags }: z.output<typeof labelBody>,
): Promise<z.input<typeof historyItemSchema>> {
  const labels = { name, tags: tags && [...new Set(tags)] };
  return historyItem(found(await updateLabels(pool, { kind, userId, id }, labels)));
}

/** The symbols under which backtests of the instrument may be kept: the one that was sent, and the current one. */
function possibleSymbols(directory: Directory, text: string): string[] {
  const parsed = readSymbol(directory, text);
  if (!parsed.ok) throw symbolError(parsed, text);
  const current = directory.bySymbol.get(parsed.ticker)?.qualified;
  return [qualifiedSymbol(parsed.ticker), ...(current === undefined ? [] : [current])];
}

/** Names the instruments of a kept run, by its kind. */
const SUBJECTS = {
  backtest: ({ summary }) => ({ kind: 'backtest' as const, symbol: backtestSummary(summary).symbol }),
  portfolio: ({ summary }) => ({ kind: 'portfolio' as const, symbols_count: portfolioSummary(summary).symbols.length }),
} satisfies Readonly<Record<Exclude<KeptKind, 'outcomes'>, (saved: KeptRun) => object>>;

/** The rule of a run that its owner has written. */
const ideaOf = ({ summary }: KeptRun) =>
  keptSummary(summary).rules?.entry ?? portfolioSummary(summary).rotation?.score ?? null;

const DECIMALS = 6;

/** A kept run in the history. */
export function historyItem(saved: KeptRun): z.input<typeof historyItemSchema> {
  const { id, kind, name, tags, createdAt, isShared: shared, slug } = saved;
  const verification = lastVerdict(saved);
  const listed = { id, name, tags: [...tags], created_at: createdAt.toISOString(), shared, slug, verification };
  if (kind === 'outcomes') return { ...listed, ...outcomesItem(saved) };
  const figures = keptSummary(saved.summary);
  const skill = figures.statistics?.skill?.psr ?? null;
  return {
    ...listed,
    ...SUBJECTS[kind](saved),
    line: saved.line?.map((point) => Number(point.toPrecision(5))) ?? null,
    strategy: figures.strategy,
    idea: ideaOf(saved),
    luck: skill === null ? null : Number((1 - skill).toFixed(DECIMALS)),
    time_range: figures.time_range,
    start_date: figures.start_date,
    end_date: figures.end_date,
    engine_version: figures.engine_version,
    num_trades: figures.num_trades,
    win_rate: figures.win_rate,
    total_pnl_pct: figures.total_pnl_pct,
    annualized_pct: figures.annualized_pct,
    max_drawdown_pct: figures.max_drawdown_pct,
    sharpe: figures.sharpe,
    profit_factor: figures.profit_factor,
    buy_hold_pnl_pct: figures.buy_hold_pnl_pct,
    excess_return_pct: figures.excess_return_pct,
  };
}

/** Figures of outcomes at the longest horizon. */
function outcomesItem({ summary }: KeptRun) {
  const { question, time_range, receipt, first, last, hits, days, instruments, horizons } = outcomesSummary(summary);
  const { horizon, mean, excess } = longestOf(horizons);
  return {
    kind: 'outcomes' as const,
    idea: question.condition,
    time_range,
    start_date: first,
    end_date: last,
    engine_version: receipt.engine_version,
    hits,
    days,
    instruments,
    horizon,
    mean,
    excess: excess?.mean ?? null,
  };
}
