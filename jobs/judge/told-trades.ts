/** The trades of a record as a tear sheet tells of them: each with its return, and with what else its file has. */
import type { Day } from '../../engine/market/dates.ts';
import { sessionsUpTo } from '../../engine/market/session-index.ts';
import { type SheetPosition, type TradeFigures, tradeFigures } from '../../engine/tear-sheet/trades.ts';
import { readNumber } from '../providers/files/values.ts';

/** Beyond so many, they would fill the memory. */
const MAX_TOLD = 100_000;
const OPTIONAL = ['pnl_pct', 'bars_held', 'mae_pct', 'mfe_pct', 'exit_reason', 'symbol'] as const;

interface Realized {
  readonly entry: Day;
  readonly exit: Day;
  readonly pnl: number;
}

export class ToldTrades {
  private readonly at: Readonly<Record<(typeof OPTIONAL)[number], number>>;
  /** Null: a line lacks its return, or there are too many. */
  private trades: { readonly exit: Day; readonly position: SheetPosition }[] | null;

  constructor(names: readonly string[]) {
    const [pnl_pct, bars_held, mae_pct, mfe_pct, exit_reason, symbol] = OPTIONAL.map((name) => names.indexOf(name));
    this.at = { pnl_pct, bars_held, mae_pct, mfe_pct, exit_reason, symbol };
    this.trades = names.includes('entry_date') && pnl_pct >= 0 ? [] : null;
  }

  add(fields: readonly string[], { entry, exit, pnl }: Realized): void {
    const { at, trades } = this;
    const number = (place: number) => (place < 0 ? Number.NaN : readNumber(fields[place]));
    const text = (place: number) => (place < 0 ? '' : fields[place].trim());
    const [pnlPct, bars] = [number(at.pnl_pct), number(at.bars_held)];
    if (trades === null || !Number.isFinite(pnlPct) || trades.length === MAX_TOLD) {
      this.trades = null;
      return;
    }
    const entrySession = sessionsUpTo(entry);
    const position = {
      symbol: text(at.symbol),
      entryDay: entry,
      entrySession,
      barsHeld: Number.isFinite(bars) ? bars : sessionsUpTo(exit) - entrySession,
      pnl,
      pnlPct,
      maePct: number(at.mae_pct),
      mfePct: number(at.mfe_pct),
      exitReason: text(at.exit_reason),
    };
    trades.push({ exit, position });
  }

  /** Those of several instruments share one purse, so that no stake is known. */
  figures(): TradeFigures | null {
    if (this.trades === null) return null;
    const ended = this.trades.toSorted((a, b) => a.exit - b.exit).map(({ position }) => position);
    const { sqn, kelly, ...figures } = tradeFigures(ended, null);
    const areOfOne = figures.by_symbol.length === 1;
    return {
      ...figures,
      sqn: areOfOne ? sqn : null,
      kelly: areOfOne ? kelly : null,
      by_exit_reason: figures.by_exit_reason.filter(({ exit_reason: reason }) => reason !== ''),
      by_symbol: figures.by_symbol.filter(({ symbol }) => symbol !== ''),
    };
  }
}
