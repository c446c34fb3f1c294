/** The programs that ours is compared with, each in an environment of its own. */
import { fileURLToPath } from 'node:url';
import type { Fill } from './runs.ts';

/** Runs whose trades or returns cannot be made equal. */
export interface Exception {
  /** All, unless some are named. */
  readonly strategies?: readonly string[];
  /** The largest difference of a total return that the reason explains, as a share of the return (of 1 where it is smaller). */
  readonly within: number;
  /** The largest share of trades that it explains as unequal; none, unless it is named. */
  readonly unequalTrades?: number;
  /** A sentence: whose convention differs, and how. */
  readonly reason: string;
}

export interface Peer {
  /** For `--only`. */
  readonly name: string;
  /** When it can fill orders as ours does. */
  readonly fills: readonly Fill[];
  /** Decimals of the prices that it keeps: both sides get the bars rounded so. Without it, prices are kept as they are. */
  readonly priceDecimals?: number;
  /** Whether many runs are one call of it. */
  readonly isVectorized?: boolean;
  readonly exceptions?: readonly Exception[];
  /** How it is configured so that its trades are ours, and what its time consists of. */
  readonly note: string;
  /** Pinned packages, and the script that answers for it, with its arguments. */
  readonly requirements: string;
  readonly script: readonly string[];
}

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

function definePeer(file: string, peer: Omit<Peer, 'requirements' | 'script'>, args: readonly string[] = []): Peer {
  return { ...peer, requirements: pathOf(`${file}.txt`), script: [pathOf(`run_${file}.py`), ...args] };
}

const VECTORBT = {
  fills: ['close', 'next_open'],
  isVectorized: true,
  note:
    'Fills at the next open are signals a bar later, and what is held at the end is sold at the last close. All runs of a sweep are ' +
    'columns of one simulation, whose return, Sharpe ratio, drawdown, trades, and win rate are computed; ours computes all 18 figures ' +
    'of a run. Its time for one run is pandas around the kernels.',
} as const;

export const PEERS: readonly Peer[] = [
  definePeer('backtesting', {
    name: 'backtesting.py',
    fills: ['close', 'next_open'],
    note:
      'Its first decision is at the second bar, and it fills orders on a following bar: its bars begin and end with a flat one. It ' +
      'trades whole units: a unit is a hundred-millionth of a share. Its time is Python for each bar, and statistics in pandas for each run.',
  }),
  definePeer('vectorbt', { name: 'vectorbt', ...VECTORBT }, ['numba']),
  definePeer('vectorbt', { name: 'vectorbt-rust', ...VECTORBT }, ['auto']),
  definePeer('bt', {
    name: 'bt',
    fills: ['close'],
    note:
      'It fills at the prices that it is given, the closes, and holds parts of shares. Its time is Python for each day, and statistics ' +
      'in pandas for each run.',
  }),
  definePeer('nautilus', {
    name: 'nautilus_trader',
    fills: ['close'],
    priceDecimals: 9,
    note:
      'It fills a market order at the last close. Money, sizes, and prices have nine decimals, and bars so much volume that an order ' +
      'takes one price. Its time is that of messages between its parts, four prices for each bar, as in live trading.',
  }),
  definePeer('zipline', {
    name: 'zipline-reloaded',
    fills: ['next_open'],
    priceDecimals: 3,
    exceptions: [{ within: 1e-7, reason: 'It holds whole shares: what the cash does not pay for stays cash.' }],
    note:
      'It fills orders on the next session at prices of its slippage model, here the open; it has no fills at the close of the signal. ' +
      'It keeps prices as thousandths, so both sides get them rounded. Its time is Python for each session, whose metrics it computes ' +
      'again over all sessions before.',
  }),
];
