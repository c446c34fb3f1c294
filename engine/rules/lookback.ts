/** The number of bars that a rule needs at the last bar, including that bar, if exponential means are carried over from earlier bars. */
import type { Condition, Value } from './program.ts';

/** Periods of exponential means that are carried over. */
export interface CarriedPeriods {
  readonly max: number;
}

/** The largest allowed weight of an unknown start of a mean. */
const FORGOTTEN = 1e-10;

/** Infinity: more than any number of bars. */
export function barsNeeded(node: Value, carried: CarriedPeriods): number {
  const { program } = node;
  switch (program.kind) {
    case 'constant':
    case 'bar':
      return 1;
    case 'position':
      return Number.POSITIVE_INFINITY;
    case 'indicator':
      return barsOfIndicator(program.name, program.args, carried);
    case 'unary':
      return barsNeeded(program.a, carried);
    case 'binary':
      return Math.max(barsNeeded(program.a, carried), barsNeeded(program.b, carried));
    case 'window':
      return barsNeeded(program.a, carried) + (program.name === 'lag' ? program.n : program.n - 1);
  }
}

function barsOfIndicator(name: string, [first, second, third]: readonly number[], { max }: CarriedPeriods): number {
  const carriedOver = (period: number) => (period <= max ? 2 : Number.POSITIVE_INFINITY);
  switch (name) {
    case 'ema':
    case 'rsi':
    case 'atr':
      return carriedOver(first);
    case 'macd':
      return Math.max(carriedOver(first), carriedOver(second));
    case 'macd_signal':
      // Its own mean is not carried over: it forgets its start instead.
      return Math.max(carriedOver(first), carriedOver(second)) + Math.ceil(barsToForget(third));
    case 'sma':
    case 'bollinger_upper':
    case 'bollinger_lower':
      return first;
    default:
      return first + 1;
  }
}

function barsToForget(period: number): number {
  const kept = 1 - 2 / (period + 1);
  return period + (kept === 0 ? 0 : Math.log(FORGOTTEN) / Math.log(kept));
}

export function barsNeededBy(node: Condition, carried: CarriedPeriods): number {
  const { program } = node;
  switch (program.kind) {
    case 'compare': {
      const { a, b } = program;
      return Math.max(barsNeeded(a, carried), barsNeeded(b, carried));
    }
    case 'all':
    case 'any':
      return Math.max(...program.parts.map((part) => barsNeededBy(part, carried)));
    case 'before':
      return barsNeededBy(program.part, carried) + 1;
    case 'forBars':
    case 'withinBars':
      return barsNeededBy(program.part, carried) + program.n - 1;
  }
}
