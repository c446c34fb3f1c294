/** Rules as the signals of a backtest. */
import type { IndicatorSet } from '../indicators/indicator-set.ts';
import type { HeldScan, Scan } from '../indicators/scans.ts';
import { isBelow } from '../indicators/ties.ts';
import type { Signals } from '../strategies/strategy.ts';
import { substitute } from './canonical.ts';
import { HistoryColumns, PositionColumns, type Surroundings } from './columns.ts';
import { compileCondition, compileValue } from './compile.ts';
import type { Condition, Value } from './program.ts';
import type { Rules } from './rules.ts';
import type { Expression } from './syntax.ts';

/** `values`: of every parameter that the rules name. */
export function ruleSignals(
  { entry, exit, stop, trail }: Rules,
  indicators: IndicatorSet,
  values: Readonly<Record<string, unknown>>,
  surroundings?: Surroundings,
): Signals {
  const columns = new HistoryColumns(indicators, surroundings);
  const condition = (expression: Expression) => compileCondition(substitute(expression, values));
  const withValues = (expression: Expression | null) => expression && substitute(expression, values);
  return {
    entry: maskScan(columns.mask(condition(entry))),
    exit: exit === null ? null : heldScan(columns, condition(exit)),
    ...stopScans({ stop: withValues(stop), trail: withValues(trail) }, columns),
  };
}

/** Rules without parameters. `ignored` is 1 at each bar at whose close a position is not sold. */
export function exitScans(
  rules: Pick<Rules, 'stop' | 'trail'>,
  indicators: IndicatorSet,
  ignored: Uint8Array,
  surroundings?: Surroundings,
): Pick<Signals, 'stop' | 'trail'> {
  return stopScans(rules, new HistoryColumns(indicators, surroundings), ignored);
}

function stopScans({ stop, trail }: Pick<Rules, 'stop' | 'trail'>, columns: HistoryColumns, ignored?: Uint8Array) {
  return {
    stop: stop === null ? null : heldScan(columns, compileCondition(['>', stop, ['close']]), ignored),
    trail: trail === null ? null : ratchetScan(columns, compileValue(trail), ignored),
  };
}

function maskScan(mask: Uint8Array): Scan {
  return (from, to) => {
    for (let t = from; t < to; t++) if (mask[t] === 1) return t;
    return to;
  };
}

/** The first bar of a position at which a condition holds. */
function heldScan(columns: HistoryColumns, condition: Condition, ignored?: Uint8Array): HeldScan {
  if (!condition.isOfPosition) {
    const mask = columns.mask(condition);
    return maskScan(ignored === undefined ? mask : mask.map((one, t) => one & ~ignored[t]));
  }
  return (from, to, entryPrice) =>
    searchHeld(from, to, (end) => {
      const mask = new PositionColumns(columns, { from, entryPrice }, end).mask(condition);
      const found = mask.findIndex((one, i) => one === 1 && ignored?.[from + i] !== 1);
      return found < 0 ? null : from + found;
    });
}

/** The first bar of a position that closes below a stop which only rises; where the stop is undefined it stays. */
function ratchetScan(columns: HistoryColumns, value: Value, ignored?: Uint8Array): HeldScan {
  const { close } = columns.indicators.series;
  const firstBelow = (stops: Float64Array, from: number) => {
    let level = Number.NaN;
    for (let i = 0; i < stops.length; i++) {
      if (stops[i] > level || Number.isNaN(level)) level = stops[i];
      if (isBelow(close[from + i], level) && ignored?.[from + i] !== 1) return from + i;
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

const FIRST_BARS = 64;
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
