/** Section 4 of a tear sheet: what the trades were like. */
import { isWin, PERCENT_DECIMALS } from '../backtest/metrics.ts';
import type { Day } from '../market/dates.ts';
import { roundTo } from '../market/series.ts';
import { deviationOf, meanOf, ratioOf, sumOf } from './figures.ts';
import { monthName } from './periods.ts';

/** The input of the figures of this section: a closed trade, or a position of a portfolio. */
export interface SheetPosition {
  /** As it is served. */
  readonly symbol: string;
  readonly entryDay: Day;
  /** The session of the run in which it began. */
  readonly entrySession: number;
  readonly barsHeld: number;
  readonly pnl: number;
  readonly pnlPct: number;
  readonly maePct: number;
  readonly mfePct: number;
  readonly exitReason: string;
}

/** A closed trade, or the part of a position that a sale closed. */
export interface SheetTrade extends SheetPosition {
  /** With slippage. */
  readonly entryPrice: number;
  readonly exitPrice: number;
  readonly shares: number;
  readonly commission: number;
  /** Money that both fills lost to slippage. */
  readonly slippage: number;
}

/** Shares × what the fills of a trade differ from their prices before slippage. */
export function slippageOf(
  { shares, entryPrice, exitPrice }: Pick<SheetTrade, 'shares' | 'entryPrice' | 'exitPrice'>,
  slippageBps: number,
): number {
  const share = slippageBps / 10_000;
  const paid = (entryPrice * share) / (1 + share);
  // A sale at a slippage of 100 % brings nothing, and its price before slippage is lost.
  const lost = share < 1 ? (exitPrice * share) / (1 - share) : 0;
  return shares * (paid + lost);
}

interface Distribution {
  readonly width_pct: number;
  /** Lower edge of the first bin; every bin has its lower edge. */
  readonly from_pct: number;
  readonly counts: readonly number[];
}

interface Group {
  readonly trades: number;
  readonly win_rate_pct: number;
  readonly pnl: number;
  readonly mean_pct: number;
}

/** Positions of a portfolio, each from its first purchase until nothing is left. */
export interface PositionSummary {
  readonly closed: number;
  readonly won: number;
  readonly win_rate_pct: number | null;
  readonly payoff: number | null;
  readonly profit_factor: number | null;
  readonly expectancy_pct: number | null;
  readonly expectancy: number | null;
  readonly holding_bars: TradeFigures['holding_bars'];
  /** Sales of a part. */
  readonly trims: number;
}

export interface TradeFigures {
  readonly count: number;
  readonly wins: number;
  readonly losses: number;
  readonly win_rate_pct: number | null;
  readonly payoff: number | null;
  readonly profit_factor: number | null;
  readonly expectancy_pct: number | null;
  readonly expectancy: number | null;
  readonly sqn: number | null;
  readonly kelly: number | null;
  readonly holding_bars: {
    readonly mean: number | null;
    readonly median: number | null;
    readonly longest: number | null;
    readonly mean_wins: number | null;
    readonly mean_losses: number | null;
  };
  readonly longest_win_streak: number;
  readonly longest_loss_streak: number;
  readonly distributions: {
    readonly pnl_pct: Distribution | null;
    readonly mae_pct: Distribution | null;
    readonly mfe_pct: Distribution | null;
  };
  /** Null: the run has one instrument, whose trades are its positions. */
  readonly position_summary: PositionSummary | null;
  readonly by_exit_reason: readonly (Group & { readonly exit_reason: string })[];
  readonly by_symbol: readonly (Group & { readonly symbol: string })[];
  readonly by_entry_month: readonly (Group & { readonly month: string })[];
}

const MAX_BINS = 20;
/** Percentages are counted in these units, in which the edges of bins are whole numbers. */
const UNITS = 10 ** PERCENT_DECIMALS;

/** Widths of 0.1, 0.2, 0.5, 1, 2, 5 … percent, in units. */
function* binWidths(): Generator<number> {
  for (let tenth = UNITS / 10; ; tenth *= 10) yield* [tenth, 2 * tenth, 5 * tenth];
}

function distributionOf(percents: readonly number[]): Distribution | null {
  const units = percents.map((percent) => Math.round(percent * UNITS)).filter(Number.isFinite);
  if (units.length === 0) return null;
  const [least, most] = [units.reduce((a, b) => Math.min(a, b)), units.reduce((a, b) => Math.max(a, b))];
  for (const width of binWidths()) {
    const first = Math.floor(least / width);
    const bins = Math.floor(most / width) - first + 1;
    if (bins > MAX_BINS) continue;
    const counts = Array<number>(bins).fill(0);
    for (const unit of units) counts[Math.floor(unit / width) - first]++;
    return { width_pct: width / UNITS, from_pct: (first * width) / UNITS, counts };
  }
  throw new RangeError('a percentage is not finite');
}

function groupsOf(trades: readonly SheetPosition[], keyOf: (trade: SheetPosition) => string): [string, Group][] {
  return [...Map.groupBy(trades, keyOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, some]) => [
      key,
      {
        trades: some.length,
        win_rate_pct: (100 * some.filter(isWin).length) / some.length,
        pnl: sumOf(some.map(({ pnl }) => pnl)),
        mean_pct: sumOf(some.map(({ pnlPct }) => pnlPct)) / some.length,
      },
    ]);
}

function median(figures: readonly number[]): number | null {
  if (figures.length === 0) return null;
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}

/** The input of figures that count. */
type Closed = Pick<SheetPosition, 'pnl' | 'pnlPct' | 'barsHeld'>;

function longestStreak(trades: readonly SheetPosition[], isWanted: (trade: SheetPosition) => boolean): number {
  let [longest, streak] = [0, 0];
  for (const trade of trades) {
    streak = isWanted(trade) ? streak + 1 : 0;
    longest = Math.max(longest, streak);
  }
  return longest;
}

function profitFactorOf(trades: readonly Closed[]): number | null {
  const gains = sumOf(trades.map(({ pnl }) => Math.max(pnl, 0)));
  const losses = -sumOf(trades.map(({ pnl }) => Math.min(pnl, 0)));
  return ratioOf(gains, losses);
}

function holdingBars(trades: readonly Closed[], wins: readonly Closed[], losses: readonly Closed[]) {
  const bars = (some: readonly Closed[]) => some.map(({ barsHeld }) => barsHeld);
  const all = bars(trades);
  return {
    mean: meanOf(all),
    median: median(all),
    longest: all.length === 0 ? null : all.reduce((a, b) => Math.max(a, b)),
    mean_wins: meanOf(bars(wins)),
    mean_losses: meanOf(bars(losses)),
  };
}

function closedFigures(trades: readonly Closed[]) {
  const wins = trades.filter(isWin);
  const losses = trades.filter((trade) => !isWin(trade));
  const share = ratioOf(wins.length, trades.length);
  const lost = meanOf(losses.map(({ pnlPct }) => pnlPct));
  return {
    count: trades.length,
    wins: wins.length,
    losses: losses.length,
    win_rate_pct: share && 100 * share,
    payoff: ratioOf(meanOf(wins.map(({ pnlPct }) => pnlPct)), lost && Math.abs(lost)),
    profit_factor: profitFactorOf(trades),
    expectancy_pct: meanOf(trades.map(({ pnlPct }) => pnlPct)),
    expectancy: meanOf(trades.map(({ pnl }) => pnl)),
    holding_bars: holdingBars(trades, wins, losses),
  };
}

/** `trims`: sales of a part of them. */
export function positionSummary(positions: readonly Closed[], trims: number): PositionSummary {
  const { count: closed, wins: won, losses: _losses, ...figures } = closedFigures(positions);
  return { closed, won, ...figures, trims };
}

/** System quality number and Kelly's share: of trades that each stake the whole of one purse. */
function stakeFigures(
  trades: readonly SheetPosition[],
  { win_rate_pct: rate, payoff }: ReturnType<typeof closedFigures>,
) {
  const percents = trades.map(({ pnlPct }) => pnlPct);
  const perDeviation = ratioOf(meanOf(percents), deviationOf(percents));
  const share = rate && rate / 100;
  return {
    sqn: perDeviation && Math.sqrt(trades.length) * perDeviation,
    kelly: payoff === null || share === null ? null : share - (1 - share) / payoff,
  };
}

/** `trades`: in the order in which they ended. `trims`: sales of a part of them, where they are positions of a portfolio, else null. */
export function tradeFigures(trades: readonly SheetPosition[], trims: number | null): TradeFigures {
  const rounded = (figure: 'pnlPct' | 'maePct' | 'mfePct') =>
    distributionOf(trades.map((trade) => roundTo(trade[figure], PERCENT_DECIMALS)));
  const figures = closedFigures(trades);
  return {
    ...figures,
    ...(trims === null ? stakeFigures(trades, figures) : { sqn: null, kelly: null }),
    longest_win_streak: longestStreak(trades, isWin),
    longest_loss_streak: longestStreak(trades, (trade) => !isWin(trade)),
    distributions: { pnl_pct: rounded('pnlPct'), mae_pct: rounded('maePct'), mfe_pct: rounded('mfePct') },
    position_summary: trims === null ? null : positionSummary(trades, trims),
    by_exit_reason: groupsOf(trades, ({ exitReason }) => exitReason).map(([key, group]) => ({
      exit_reason: key,
      ...group,
    })),
    by_symbol: groupsOf(trades, ({ symbol }) => symbol).map(([symbol, group]) => ({ symbol, ...group })),
    by_entry_month: groupsOf(trades, ({ entryDay }) => monthName(entryDay)).map(([month, group]) => ({
      month,
      ...group,
    })),
  };
}
