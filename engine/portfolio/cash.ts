/** Cash and positions, and the trades that turn one into the other. */
import {
  affordableNotional,
  type ExitSignal,
  earlierExit,
  isForced,
  ownExit,
  priceExit,
  purchaseCommission,
  purchasePrice,
  saleCommission,
  salePrice,
} from '../backtest/execution.ts';
import { isAtLeast, isBelow } from '../indicators/ties.ts';
import type { Day } from '../market/dates.ts';
import type {
  PortfolioExitReason,
  PortfolioOrder,
  PortfolioTrade,
  TradedInstrument,
  TradingInput,
} from './portfolio.ts';

/** A purchase that cash reduces to less than this share of its target is not made. */
const SMALLEST_SHARE = 0.01;

export interface Position {
  readonly instrument: number;
  /** Bar of the first purchase. */
  readonly entryIndex: number;
  /** First bar that counts as held. */
  readonly heldFrom: number;
  shares: number;
  /** Mean price of the purchases by shares, before slippage. */
  meanFill: number;
  /** The total paid for the remaining shares, and the commissions included in it. */
  cost: number;
  commission: number;
  /** Exit by the strategy or the time stop, counted from the first purchase. */
  readonly ownExit: ExitSignal;
  /** The earliest exit of all rules. */
  exit: ExitSignal;
  isExitOrdered: boolean;
  /** Lowest low and highest high of the bars from `heldFrom` to `seenTo` (excluded). */
  worst: number;
  best: number;
  seenTo: number;
}

/** Bar and price of a fill, before slippage. */
export interface Fill {
  readonly index: number;
  readonly day: Day;
  readonly price: number;
  readonly isAtClose: boolean;
}

export class Cash {
  readonly trades: PortfolioTrade[] = [];
  readonly orders: PortfolioOrder[] = [];
  balance: number;
  /** Sums of notionals. */
  purchases = 0;
  sales = 0;
  /** Interest so far. */
  earned = 0;
  /** Positions by symbol. */
  readonly held: Position[] = [];
  private readonly positions: (Position | null)[];
  private readonly input: TradingInput;

  constructor(input: TradingInput) {
    this.input = input;
    this.balance = input.execution.initialCapital;
    this.positions = input.instruments.map(() => null);
  }

  positionOf(instrument: number): Position | null {
    return this.positions[instrument];
  }

  /** Adds the interest of the night before a session. */
  earn(session: number): void {
    if (this.input.interest === undefined) return;
    const interest = this.balance * this.input.interest[session];
    this.balance += interest;
    this.earned += interest;
  }

  /** Buys for `amount`, or for what the cash allows; false when that is less than `SMALLEST_SHARE` of it. */
  buy(instrument: number, amount: number, fill: Fill): boolean {
    const { execution } = this.input;
    const affordable = affordableNotional(this.balance, execution);
    const notional = Math.min(amount, affordable);
    if (notional <= 0 || isBelow(notional, SMALLEST_SHARE * amount)) return false;
    const commission = purchaseCommission(notional, execution);
    // Spending all the cash leaves exactly 0: subtracting its parts would leave a rounding error.
    const cost = notional === affordable ? this.balance : notional + commission;
    const shares = notional / purchasePrice(fill.price, execution);
    this.balance = notional === affordable ? 0 : this.balance - cost;
    this.purchases += notional;
    this.keep({ instrument, index: fill.index, amount: notional });
    const position = this.positions[instrument];
    if (position === null) this.open(instrument, fill, { shares, cost, commission });
    else this.extend(position, fill, { shares, cost, commission });
    return true;
  }

  private keep(order: PortfolioOrder): void {
    if (this.input.keepsOrders) this.orders.push(order);
  }

  private open(instrument: number, { index, price, isAtClose }: Fill, paid: Bought): void {
    const plan = this.input.instruments[instrument];
    const heldFrom = isAtClose ? index + 1 : index;
    const own = ownExit(plan, price, heldFrom, plan.to);
    const byPrice = firstPriceExit(plan, price, heldFrom);
    const position: Position = {
      instrument,
      heldFrom,
      ownExit: own,
      entryIndex: index,
      shares: paid.shares,
      meanFill: price,
      cost: paid.cost,
      commission: paid.commission,
      exit: earlierExit(byPrice, own),
      isExitOrdered: false,
      worst: Number.POSITIVE_INFINITY,
      best: Number.NEGATIVE_INFINITY,
      seenTo: heldFrom,
    };
    this.positions[instrument] = position;
    let at = this.held.length;
    while (at > 0 && this.held[at - 1].instrument > instrument) at--;
    this.held.splice(at, 0, position);
  }

  private extend(position: Position, { index, price, isAtClose }: Fill, paid: Bought): void {
    const shares = position.shares + paid.shares;
    position.meanFill = (position.meanFill * position.shares + price * paid.shares) / shares;
    position.shares = shares;
    position.cost += paid.cost;
    position.commission += paid.commission;
    const plan = this.input.instruments[position.instrument];
    const byPrice = firstPriceExit(plan, position.meanFill, isAtClose ? index + 1 : index);
    position.exit = earlierExit(byPrice, position.ownExit);
  }

  sellAll(position: Position, fill: Fill, reason: PortfolioExitReason): void {
    this.sell(position, position.shares, fill, reason);
  }

  /** Sells for `amount`, at most all. */
  sellFor(position: Position, amount: number, fill: Fill, reason: PortfolioExitReason = 'rebalance'): void {
    const shares = amount / salePrice(fill.price, this.input.execution);
    this.sell(position, isAtLeast(shares, position.shares) ? position.shares : shares, fill, reason);
  }

  private sell(position: Position, shares: number, fill: Fill, exitReason: PortfolioExitReason): void {
    const { execution } = this.input;
    const { instrument, entryIndex, meanFill } = position;
    const exitPrice = salePrice(fill.price, execution);
    const notional = shares * exitPrice;
    const saleCosts = saleCommission(notional, execution);
    const part = shares / position.shares;
    const cost = part * position.cost;
    const commission = part * position.commission;
    const pnl = notional - saleCosts - cost;
    this.updateExtremes(position, fill.isAtClose ? fill.index + 1 : fill.index);
    this.trades.push({
      instrument,
      shares,
      pnl,
      cost,
      isLast: shares === position.shares,
      exitPrice,
      exitReason,
      entryIndex,
      exitIndex: fill.index,
      exitDay: fill.day,
      entryPrice: purchasePrice(meanFill, execution),
      pnlPct: (100 * pnl) / cost,
      commission: saleCosts + commission,
      maePct: 100 * (Math.min(meanFill, fill.price, position.worst) / meanFill - 1),
      mfePct: 100 * (Math.max(meanFill, fill.price, position.best) / meanFill - 1),
    });
    this.balance += notional - saleCosts;
    this.sales += notional;
    if (!isForced(exitReason)) this.keep({ instrument, index: fill.index, amount: notional });
    position.shares -= shares;
    position.cost -= cost;
    position.commission -= commission;
    if (position.shares === 0) this.remove(position);
  }

  private remove(position: Position): void {
    this.positions[position.instrument] = null;
    this.held.splice(this.held.indexOf(position), 1);
  }

  /** Extends the extremes of a position by the bars before `to`. */
  private updateExtremes(position: Position, to: number): void {
    const { high, low } = this.input.instruments[position.instrument].series;
    for (let index = position.seenTo; index < to; index++) {
      if (low[index] < position.worst) position.worst = low[index];
      if (high[index] > position.best) position.best = high[index];
    }
    position.seenTo = Math.max(position.seenTo, to);
  }
}

/** The first exit by price from bar `from` on, at a bar at which exits are looked at. */
function firstPriceExit(
  { series, overlays, to, withoutExits }: TradedInstrument,
  price: number,
  from: number,
): ExitSignal {
  let exit = priceExit(series.close, overlays, price, from, to);
  while (exit.index < to && withoutExits?.[exit.index] === 1) {
    exit = priceExit(series.close, overlays, price, exit.index + 1, to);
  }
  return exit;
}

interface Bought {
  readonly shares: number;
  readonly cost: number;
  readonly commission: number;
}
