/** The look-back of rules: the bars that one needs at the last bar, and the longest period that it names. */
import type { WholePeriod } from '../market/period-bars.ts';
import { RULE_PARTS } from '../strategies/strategy.ts';
import { substitute } from './canonical.ts';
import { findFunction } from './functions/catalogue.ts';
import type { IndicatorFunction } from './functions/function.ts';
import type { Condition, Value } from './program.ts';
import type { Rules } from './rules.ts';
import { argumentsOf, type Expression, isParameter, isText } from './syntax.ts';

/** Periods of exponential means that are carried over. */
export interface CarriedPeriods {
  readonly max: number;
}

/**
 * Bars that a value needs at the last bar, the last included, if exponential means are carried over from earlier bars.
 * Infinity: more than any number of bars.
 */
export function barsNeeded(node: Value, carried: CarriedPeriods): number {
  const { program } = node;
  switch (program.kind) {
    case 'constant':
      return 1;
    case 'bar':
      return program.fn.isOfHistory ? Number.POSITIVE_INFINITY : 1;
    case 'choice': {
      const { isTrue, isFalse, x, y } = program;
      const conditions = [isTrue, isFalse].map((part) => barsNeededBy(part, carried));
      return Math.max(...conditions, barsNeeded(x, carried), barsNeeded(y, carried));
    }
    case 'count':
      return barsNeededBy(program.part, carried) + program.n - 1;
    case 'period':
    case 'position':
    case 'across':
    case 'pair':
    case 'other':
    case 'own':
      return Number.POSITIVE_INFINITY;
    case 'indicator':
      return barsOfIndicator(program.fn, program.args, carried);
    case 'pointwise':
      return Math.max(...program.parts.map((part) => barsNeeded(part, carried)));
    case 'window':
      return barsNeeded(program.a, carried) + program.fn.barsBefore(program.n);
  }
}

function barsOfIndicator(
  { bars, window }: IndicatorFunction,
  args: readonly number[],
  { max }: CarriedPeriods,
): number {
  if (window === 'look-back') return bars(args);
  if ('none' in window) return Number.POSITIVE_INFINITY;
  return window.carried(args).every((period) => period <= max) ? window.bars(args) : Number.POSITIVE_INFINITY;
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
    case 'flag':
    case 'other':
      return Number.POSITIVE_INFINITY;
  }
}

/** The longest period of any function in the rules, bars; 1 where none has one. */
export function longestPeriodOf(rules: Rules, values: Readonly<Record<string, unknown>>): number {
  const periods = RULE_PARTS.flatMap((part) => {
    const expression = rules[part];
    return expression === null ? [] : periodsOf(substitute(expression, values));
  });
  return Math.max(1, ...periods);
}

/** The most bars of a day in one of a period. */
const BARS: Readonly<Record<WholePeriod, number>> = { week: 5, month: 23 };

function periodsOf(expression: Expression): number[] {
  if (typeof expression === 'number' || isParameter(expression) || isText(expression)) return [];
  const fn = findFunction(expression[0]);
  // The constant of a value across the market is no period.
  const known = fn?.kind === 'across' ? [] : (fn?.args ?? []);
  const periods = argumentsOf(expression).flatMap((argument, i) =>
    known[i]?.kind === 'integer' && typeof argument === 'number' ? [argument] : periodsOf(argument),
  );
  return fn?.kind === 'period' ? [1, ...periods].map((bars) => bars * BARS[fn.period]) : periods;
}
