/** Rules as the signals of a backtest. */
import type { IndicatorSet } from '../indicators/indicator-set.ts';
import type { HeldScan, Scan } from '../indicators/scans.ts';
import { isBelow } from '../indicators/ties.ts';
import type { Signals } from '../strategies/strategy.ts';
import { substitute } from './canonical.ts';
import { HistoryColumns, PositionColumns } from './columns.ts';
import { compileCondition, compileValue } from './compile.ts';
import type { Condition, Value } from './program.ts';
import type { Rules } from './rules.ts';

/** `values`: of every parameter that the rules name. */
export function ruleSignals(
  { entry, exit, stop, trail }: Rules,
  indicators: IndicatorSet,
  values: Readonly<Record<string, unknown>>,
): Signals {
  const columns = new HistoryColumns(indicators);
  const condition = (expression: Rules['entry']) => compileCondition(substitute(expression, values));
  const value = (expression: Rules['entry']) => compileValue(substitute(expression, values));
  return {
    entry: maskScan(columns.mask(condition(entry))),
    stop: stop === null ? null : heldScan(columns, condition(['>', stop, ['close']])),
    trail: trail === null ? null : ratchetScan(columns, value(trail)),
    exit: exit === null ? null : heldScan(columns, condition(exit)),
  };
}

function maskScan(mask: Uint8Array): Scan {
  return (from, to) => {
    for (let t = from; t < to; t++) if (mask[t] === 1) return t;
    return to;
  };
}

/** The first bar of a position at which a condition holds. */
function heldScan(columns: HistoryColumns, condition: Condition): HeldScan {
  if (!condition.isOfPosition) return maskScan(columns.mask(condition));
  return (from, to, entryPrice) =>
    searchHeld(from, to, (end) => {
      const mask = new PositionColumns(columns, { from, entryPrice }, end).mask(condition);
      const found = mask.indexOf(1);
      return found < 0 ? null : from + found;
    });
}

/** The first bar of a position that closes below a stop which only rises; where the stop is undefined it stays. */
function ratchetScan(columns: HistoryColumns, value: Value): HeldScan {
  const { close } = columns.indicators.series;
  const firstBelow = (stops: Float64Array, from: number) => {
    let level = Number.NaN;
    for (let i = 0; i < stops.length; i++) {
      if (stops[i] > level || Number.isNaN(level)) level = stops[i];
      if (isBelow(close[from + i], level)) return from + i;
    }
    return null;
  };
  if (!value.isOfPosition) {
    const stops = columns.carried(value);
    return (from, to) => firstBelow(stops.subarray(from, to), from) ?? to;
  }
  return (from, to, entryPrice) =>
    searchHeld(from, to, (end) =>
      firstBelow(new PositionColumns(columns, { from, entryPrice }, end).carried(value), from),
    );
}

const FIRST_BARS = 32;
const GROWTH = 4;

/**
 * How long a position is held is not known in advance, so growing lengths are searched: a third of the work at most is done
 * twice.
 */
function searchHeld(from: number, to: number, findUpTo: (end: number) => number | null): number {
  for (let bars = FIRST_BARS; from < to; bars *= GROWTH) {
    const end = Math.min(to, from + bars);
    const found = findUpTo(end);
    if (found !== null) return found;
    if (end === to) break;
  }
  return to;
}
