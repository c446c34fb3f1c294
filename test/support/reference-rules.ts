/**
 * A second implementation of the language of rules, as close to its definition as possible: random trees, their texts in random
 * spelling, and their values bar by bar in Kleene's logic. It shares with the engine only indicators that other tests compare.
 */

import fc from 'fast-check';
import * as indicators from '../../engine/indicators/indicators.ts';
import { isSession } from '../../engine/market/calendar.ts';
import { civilDate, weekday, weekStart } from '../../engine/market/dates.ts';
import { allocateSeries, type BarSeries } from '../../engine/market/series.ts';
import { required } from '../../engine/util/values.ts';
import { exactMean, exactStdev } from './exact.ts';

export type Tree =
  | { readonly is: 'number'; readonly value: number }
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'indicator'; readonly name: string; readonly args: readonly number[] }
  | { readonly is: 'minus'; readonly a: Tree }
  | { readonly is: 'binary'; readonly sign: string; readonly a: Tree; readonly b: Tree }
  | { readonly is: 'window'; readonly name: string; readonly a: Tree; readonly n: number }
  | { readonly is: 'call'; readonly name: string; readonly args: readonly Tree[] }
  | { readonly is: 'compare'; readonly sign: string; readonly a: Tree; readonly b: Tree }
  | { readonly is: 'join'; readonly word: 'and' | 'or'; readonly a: Tree; readonly b: Tree }
  | { readonly is: 'not'; readonly a: Tree }
  | { readonly is: 'bars'; readonly name: string; readonly a: Tree; readonly n: number }
  | { readonly is: 'count'; readonly name: 'count_of'; readonly a: Tree; readonly n: number }
  | { readonly is: 'choice'; readonly name: 'if'; readonly args: readonly Tree[] }
  | { readonly is: 'period'; readonly name: 'monthly' | 'weekly'; readonly a: Tree };

const BAR_NAMES = [
  ...['open', 'high', 'low', 'close', 'volume', 'dollar_volume', 'day_of_week', 'month'],
  ...['dividend', 'age'],
];
const POSITION_NAMES = ['entry_price', 'bars_held', 'pnl_pct', 'peak', 'trough', 'peak_close', 'trough_close'] as const;

/** Figures that are whole numbers at every bar. */
const WHOLE_NAMES = ['day_of_week', 'month', 'age', 'bars_held'];

const period = fc.integer({ min: 1, max: 12 });
const literal = fc.oneof(
  fc.integer({ min: 0, max: 120 }),
  fc.double({ min: 0, max: 200, noNaN: true }).map((value) => Math.round(value * 100) / 100),
);

const indicator: fc.Arbitrary<Tree> = fc.oneof(
  fc.record({
    is: fc.constant('indicator' as const),
    name: fc.constantFrom('sma', 'ema', 'rsi', 'atr', 'roc', 'volatility', 'highest', 'lowest'),
    args: fc.tuple(period),
  }),
  fc.tuple(period, period, period, fc.boolean()).map(
    ([f, more, g, isLine]): Tree => ({
      is: 'indicator',
      name: isLine ? 'macd' : 'macd_signal',
      args: isLine ? [f, f + more] : [f, f + more, g],
    }),
  ),
  fc.record({
    is: fc.constant('indicator' as const),
    name: fc.constantFrom('bollinger_upper', 'bollinger_lower'),
    args: fc.tuple(period, fc.constantFrom(0, 0.5, 2)),
  }),
);

const nameTree = (name: string): Tree => ({ is: 'name', name });

/** A value that is undefined on one day of the week: a / (day_of_week - day). */
function undefinedOn(day: number, a: Tree): Tree {
  const divisor: Tree = { is: 'binary', sign: '-', a: nameTree('day_of_week'), b: { is: 'number', value: day } };
  return { is: 'binary', sign: '/', a, b: divisor };
}

/** Prices of bars, or of the position, and figures of the same size, which can tie. */
function arbitraryPrices(isHeld: boolean): fc.Arbitrary<Tree> {
  const ofBars = ['open', 'high', 'low', 'close', 'close'];
  const name = fc
    .constantFrom(...ofBars, ...(isHeld ? ['entry_price', 'peak', 'trough', 'peak_close', 'trough_close'] : []))
    .map(nameTree);
  return fc.oneof(
    { weight: 3, arbitrary: name },
    fc.record({
      is: fc.constant('indicator' as const),
      name: fc.constantFrom('sma', 'highest', 'lowest'),
      args: fc.tuple(period),
    }),
    fc.record({
      is: fc.constant('window' as const),
      name: fc.constantFrom('lag', 'sma_of', 'highest_of', 'lowest_of'),
      a: name,
      n: period,
    }),
  );
}

/** Pairs of figures that can tie: prices, and changes in percent with numbers. */
function arbitraryPairs(isHeld: boolean): fc.Arbitrary<readonly [Tree, Tree]> {
  const price = arbitraryPrices(isHeld);
  const roc = period.map((n): Tree => ({ is: 'indicator', name: 'roc', args: [n] }));
  const change = isHeld ? fc.oneof(roc, fc.constant(nameTree('pnl_pct'))) : roc;
  const percent = fc.constantFrom(-20, -10, -4, 0, 4, 5, 10, 25).map((n): Tree => {
    const size: Tree = { is: 'number', value: Math.abs(n) };
    return n < 0 ? { is: 'minus', a: size } : size;
  });
  return fc.oneof(
    { weight: 3, arbitrary: fc.tuple(price, price) },
    fc.tuple(change, percent),
    fc.tuple(percent, change),
  );
}

/** Generates random values and conditions; `isHeld`: including values of the position. */
export function arbitraryTrees(
  isHeld: boolean,
  hasPeriods = true,
): {
  readonly value: fc.Arbitrary<Tree>;
  readonly condition: fc.Arbitrary<Tree>;
} {
  const pairs = arbitraryPairs(isHeld);
  const names = isHeld ? [...BAR_NAMES, ...POSITION_NAMES, ...POSITION_NAMES] : BAR_NAMES;
  const ofPeriods = hasPeriods
    ? [
        fc.record({
          is: fc.constant('period' as const),
          name: fc.constantFrom('monthly' as const, 'weekly' as const),
          a: arbitraryTrees(false, false).value,
        }),
      ]
    : [];
  const { value, condition } = fc.letrec<{ value: Tree; condition: Tree }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      literal.map((value): Tree => ({ is: 'number', value })),
      fc.constantFrom(...names).map(nameTree),
      indicator,
      fc.record({ is: fc.constant('minus' as const), a: tie('value') }),
      fc.record({
        is: fc.constant('binary' as const),
        sign: fc.constantFrom('+', '-', '*', '/'),
        a: tie('value'),
        b: tie('value'),
      }),
      fc.record({
        is: fc.constant('window' as const),
        name: fc.constantFrom('lag', 'sma_of', 'highest_of', 'lowest_of', 'stdev_of'),
        a: tie('value'),
        n: period,
      }),
      fc.record({
        is: fc.constant('window' as const),
        name: fc.constantFrom('slope_of', 'skewness_of'),
        a: tie('value'),
        n: period.map((n) => n + 2),
      }),
      fc.record({
        is: fc.constant('count' as const),
        name: fc.constant('count_of' as const),
        a: tie('condition'),
        n: period,
      }),
      fc.record({
        is: fc.constant('choice' as const),
        name: fc.constant('if' as const),
        args: fc.oneof(
          fc.tuple(tie('condition'), tie('value')),
          fc.tuple(tie('condition'), tie('value'), tie('value')),
        ),
      }),
      ...ofPeriods,
      fc.tuple(tie('value'), fc.integer({ min: 1, max: 5 })).map(([a, day]) => undefinedOn(day, a)),
      fc
        .tuple(fc.constantFrom('abs', 'ln', 'sqrt'), tie('value'))
        .map(([name, a]): Tree => ({ is: 'call', name, args: [a] })),
      fc.record({
        is: fc.constant('call' as const),
        name: fc.constantFrom('min', 'max'),
        args: fc.tuple(tie('value'), tie('value')),
      }),
    ),
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.record({
        is: fc.constant('compare' as const),
        sign: fc.constantFrom('>', '>=', '<', '<='),
        a: tie('value'),
        b: tie('value'),
      }),
      fc
        .tuple(pairs, fc.constantFrom('>', '>=', '<', '<='))
        .map(([[a, b], sign]): Tree => ({ is: 'compare', sign, a, b })),
      fc.record({
        is: fc.constant('call' as const),
        name: fc.constantFrom('crosses_above', 'crosses_below'),
        args: fc.oneof(pairs, fc.tuple(tie('value'), tie('value'))),
      }),
      fc.record({
        is: fc.constant('call' as const),
        name: fc.constant('between'),
        args: fc.tuple(tie('value'), tie('value'), tie('value')),
      }),
      fc.record({
        is: fc.constant('join' as const),
        word: fc.constantFrom('and', 'or'),
        a: tie('condition'),
        b: tie('condition'),
      }),
      fc.record({ is: fc.constant('not' as const), a: tie('condition') }),
      fc.record({
        is: fc.constant('bars' as const),
        name: fc.constantFrom('for_bars', 'within_bars'),
        a: tie('condition'),
        n: period,
      }),
    ),
  }));
  return { value: value.filter(isWithinLimits), condition: condition.filter(isWithinLimits) };
}

/** Names of the functions that a tree uses, those of its parts included. */
export function namesIn(tree: Tree): string[] {
  const own = 'name' in tree ? [tree.name] : [];
  return [...own, ...partsOf(tree).flatMap(namesIn)];
}

/** At most 60 names, numbers, and operators, with room for two functions around it. */
function isWithinLimits(tree: Tree): boolean {
  return countOf(tree) <= 60 && depthOf(tree) <= 10;
}

function countOf(tree: Tree): number {
  const constants = tree.is === 'indicator' ? tree.args.length : 'n' in tree ? 1 : 0;
  return partsOf(tree).reduce((sum, part) => sum + countOf(part), 1 + constants);
}

function depthOf(tree: Tree): number {
  const constants = tree.is === 'indicator' || 'n' in tree ? 1 : 0;
  return 1 + Math.max(constants, ...partsOf(tree).map(depthOf));
}

/** Returns the text of a tree; `random` (0 to 1) chooses among spellings of the same meaning. */
export function textOf(tree: Tree, random: () => number): string {
  const one = (...spellings: string[]) => spellings[Math.floor(random() * spellings.length)];
  const cased = (name: string) => one(name, name, name.toUpperCase(), name[0].toUpperCase() + name.slice(1));
  const call = (name: string, args: readonly (string | number)[]) =>
    `${cased(name)}${one('', ' ')}(${args.join(one(',', ', ', ' , '))})`;
  const inner = (part: Tree) => {
    const text = textOf(part, random);
    const isTight = ['number', 'name', 'indicator', 'window', 'call', 'bars', 'count', 'choice', 'period'];
    return isTight.includes(part.is) ? text : `(${text})`;
  };
  const mirror: Record<string, string> = { '>': '<', '<': '>', '>=': '<=', '<=': '>=' };
  switch (tree.is) {
    case 'number':
      return one(String(tree.value), `(${tree.value})`);
    case 'name':
      return cased(tree.name);
    case 'indicator':
      return call(tree.name, tree.args);
    case 'minus':
      return `-${inner(tree.a)}`;
    case 'binary': {
      const [a, b] = '+*'.includes(tree.sign) && random() < 0.5 ? [tree.b, tree.a] : [tree.a, tree.b];
      return `${inner(a)}${one(tree.sign, ` ${tree.sign} `)}${inner(b)}`;
    }
    case 'window':
    case 'bars':
    case 'count':
      return call(tree.name, [textOf(tree.a, random), tree.n]);
    case 'period':
      return call(tree.name, [textOf(tree.a, random)]);
    case 'call':
    case 'choice':
      return call(
        tree.name,
        tree.args.map((part) => textOf(part, random)),
      );
    case 'compare':
      return random() < 0.5
        ? `${inner(tree.a)} ${tree.sign} ${inner(tree.b)}`
        : `${inner(tree.b)}${mirror[tree.sign]}${inner(tree.a)}`;
    case 'join':
      return `${inner(tree.a)} ${tree.word === 'and' ? one('and', 'AND', '&&') : one('or', 'Or', '||')} ${inner(tree.b)}`;
    case 'not':
      return `${one('not ', '!', 'NOT ')}(${textOf(tree.a, random)})`;
  }
}

/** Two figures differ by less than the rounding errors of the implementations. */
export class TooClose extends Error {}

interface Figure {
  readonly value: number;
  /** Size of the figures that it was computed from. */
  readonly size: number;
  /** Whether it is a whole number computed from whole numbers, and so exact. */
  readonly isWhole?: boolean;
}

const UNDEFINED: Figure = { value: Number.NaN, size: 0 };

export interface Held {
  readonly from: number;
  readonly entryPrice: number;
}

/** Returns whether a condition is true at a bar; null if it is undefined. */
export function meaningOf(series: BarSeries, held: Held | null) {
  const { open, high, low, close, volume, day } = series;
  const columns = new Map<string, Float64Array>();
  const column = (name: string, args: readonly number[]) => {
    const key = `${name} ${args}`;
    const known = columns.get(key) ?? indicatorColumn(series, name, args);
    columns.set(key, known);
    return known;
  };
  const since = (source: Float64Array, t: number, pick: (...values: number[]) => number) =>
    pick(required(held).entryPrice, ...source.subarray(required(held).from, t + 1));
  const named: Record<string, (t: number) => number> = {
    open: (t) => open[t],
    high: (t) => high[t],
    low: (t) => low[t],
    close: (t) => close[t],
    volume: (t) => volume[t],
    dollar_volume: (t) => series.sums?.dollarVolume[t] ?? close[t] * volume[t],
    day_of_week: (t) => weekday(day[t]),
    month: (t) => civilDate(day[t]).month,
    dividend: (t) => series.sums?.dividend[t] ?? dividendAt(series, t),
    age: (t) => monthOf(day[t]) - monthOf(series.listedOn ?? day[0]),
    entry_price: () => required(held).entryPrice,
    bars_held: (t) => t - required(held).from + 1,
    pnl_pct: (t) => 100 * (close[t] / required(held).entryPrice - 1),
    peak: (t) => since(high, t, Math.max),
    trough: (t) => since(low, t, Math.min),
    peak_close: (t) => since(close, t, Math.max),
    trough_close: (t) => since(close, t, Math.min),
  };
  const figures = new Map<Tree, Map<number, Figure>>();

  const figure = (tree: Tree, t: number): Figure => {
    if (t < 0 || (held !== null && t < held.from && isOfPosition(tree))) return UNDEFINED;
    const known = figures.get(tree) ?? new Map<number, Figure>();
    figures.set(tree, known);
    const before = known.get(t);
    if (before !== undefined) return before;
    const computed = compute(tree, t);
    const checked = Number.isFinite(computed.value) ? computed : UNDEFINED;
    known.set(t, checked);
    return checked;
  };

  const compute = (tree: Tree, t: number): Figure => {
    switch (tree.is) {
      case 'number':
        return { value: tree.value, size: Math.abs(tree.value), isWhole: Number.isInteger(tree.value) };
      case 'name':
        return { ...sized(named[tree.name](t), close[t]), isWhole: WHOLE_NAMES.includes(tree.name) };
      case 'indicator':
        return sized(column(tree.name, tree.args)[t], close[t]);
      case 'minus': {
        const { value, size } = figure(tree.a, t);
        return { value: -value, size };
      }
      case 'binary':
        return arithmetic(tree.sign, figure(tree.a, t), figure(tree.b, t));
      case 'window':
        return window(tree.name, tree.a, tree.n, t);
      case 'call': {
        const args = tree.args.map((part) => figure(part, t));
        const size = Math.max(...args.map((part) => part.size));
        const [a, b] = args.map(({ value }) => value);
        if (tree.name === 'ln' || tree.name === 'sqrt') return root(tree.name, args[0]);
        const results: Record<string, () => number> = {
          abs: () => Math.abs(a),
          min: () => Math.min(a, b),
          max: () => Math.max(a, b),
        };
        return { value: results[tree.name](), size };
      }
      case 'count': {
        const first = t - tree.n + 1;
        if (first < 0 || (held !== null && first < held.from && isOfPosition(tree.a))) return UNDEFINED;
        const value = Array.from({ length: tree.n }, (_, i) => holds(tree.a, t - i)).filter(
          (one) => one === true,
        ).length;
        return { value, size: value, isWhole: true };
      }
      case 'choice': {
        const [condition, x, y] = tree.args;
        const chosen = holds(condition, t);
        if (chosen === null) return UNDEFINED;
        return chosen ? figure(x, t) : y === undefined ? UNDEFINED : figure(y, t);
      }
      case 'period': {
        const bars = wholePeriods(series, tree.name, day[t]);
        return bars.length === 0 ? UNDEFINED : meaningOf(bars, null).figureAt(tree.a, bars.length - 1);
      }
      default:
        throw new Error('a condition is no value');
    }
  };

  const window = (name: string, tree: Tree, n: number, t: number): Figure => {
    if (name === 'lag') return figure(tree, t - n);
    const last = Array.from({ length: n }, (_, i) => figure(tree, t - i));
    const values = last.map(({ value }) => value);
    if (values.some(Number.isNaN)) return UNDEFINED;
    const size = Math.max(...last.map((part) => part.size));
    if (name === 'skewness_of') return skewness(values, size);
    const results: Record<string, () => number> = {
      slope_of: () => slope(values.toReversed()),
      sma_of: () => exactMean(values),
      stdev_of: () => exactStdev(values),
      highest_of: () => Math.max(...values),
      lowest_of: () => Math.min(...values),
    };
    return { value: results[name](), size };
  };

  /** a > b; null: undefined. */
  const isMore = (a: Tree, b: Tree, t: number): boolean | null => {
    if (t < 0) return null;
    const [x, y] = [figure(a, t), figure(b, t)];
    if (Number.isNaN(x.value) || Number.isNaN(y.value)) return null;
    if (areMacdAndSignal(a, b) || areMacdAndSignal(b, a)) return x.value - y.value > 1e-12 * close[t];
    const special = changeAgainstNumber(a, b, t);
    if (special !== null) return special;
    return isMoreBy(x, y);
  };

  /** A rate of change, or the gain of the position, against a number, as prices. */
  const changeAgainstNumber = (a: Tree, b: Tree, t: number): boolean | null => {
    const baseOf = (tree: Tree) => {
      if (tree.is === 'indicator' && tree.name === 'roc') return close[t - tree.args[0]];
      return tree.is === 'name' && tree.name === 'pnl_pct' ? required(held).entryPrice : null;
    };
    const price = { value: close[t], size: 0 };
    const grown = (base: number, percent: Tree) => ({ value: base * (1 + figure(percent, t).value / 100), size: 0 });
    const [baseA, baseB] = [baseOf(a), baseOf(b)];
    if (baseA !== null && isNumber(b)) return isMoreBy(price, grown(baseA, b));
    if (baseB !== null && isNumber(a)) return isMoreBy(grown(baseB, a), price);
    return null;
  };

  const holds = (tree: Tree, t: number): boolean | null => {
    if (t < 0 || (held !== null && t < held.from && isOfPosition(tree))) return null;
    switch (tree.is) {
      case 'compare': {
        const { a, b, sign } = tree;
        if (sign === '>') return isMore(a, b, t);
        if (sign === '<') return isMore(b, a, t);
        return not(sign === '>=' ? isMore(b, a, t) : isMore(a, b, t));
      }
      case 'not':
        return not(holds(tree.a, t));
      case 'join': {
        const parts = [holds(tree.a, t), holds(tree.b, t)];
        return tree.word === 'and' ? and(parts) : not(and(parts.map(not)));
      }
      case 'bars': {
        const parts = Array.from({ length: tree.n }, (_, i) => holds(tree.a, t - i));
        return tree.name === 'for_bars' ? and(parts) : not(and(parts.map(not)));
      }
      case 'call': {
        const [a, b, c] = tree.args;
        if (tree.name === 'between') return and([not(isMore(b, a, t)), not(isMore(a, c, t))]);
        const [x, y] = tree.name === 'crosses_above' ? [a, b] : [b, a];
        const wasHeld = held === null || t - 1 >= held.from || !isOfPosition(tree);
        return and([isMore(x, y, t), wasHeld ? not(isMore(x, y, t - 1)) : not(earlier(x, y, t - 1))]);
      }
      default:
        throw new Error('a value is no condition');
    }
  };

  /** The comparison at a bar before the position: undefined if it depends on the position. */
  const earlier = (a: Tree, b: Tree, t: number) => (isOfPosition(a) || isOfPosition(b) ? null : isMore(a, b, t));

  return { holds, figureAt: figure };
}

function sized(value: number, price: number): Figure {
  return { value, size: Math.max(Math.abs(value), price) };
}

/** Implementations disagree about a value that may be a rounding error of 0. */
function root(name: 'ln' | 'sqrt', { value, size, isWhole }: Figure): Figure {
  if (!isWhole && size > 0 && Math.abs(value) <= 1e-9 * size) throw new TooClose();
  if (name === 'sqrt') return { value: Math.sqrt(value), size: value === 0 ? 0 : size / Math.sqrt(value) };
  const logarithm = value > 0 ? Math.log(value) : Number.NaN;
  return { value: logarithm, size: Math.max(Math.abs(logarithm), size / value) };
}

function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const sum = (of: (value: number, i: number) => number) => values.reduce((total, value, i) => total + of(value, i), 0);
  return sum((value, i) => (i - middle) * value) / sum((_, i) => (i - middle) ** 2);
}

function skewness(values: readonly number[], size: number): Figure {
  if (values.every((value) => value === values[0])) return UNDEFINED;
  const mean = exactMean(values);
  const moment = (power: number) => exactMean(values.map((value) => (value - mean) ** power));
  const deviation = Math.sqrt(moment(2));
  if (deviation <= 1e-6 * size) throw new TooClose();
  const value = moment(3) / deviation ** 3;
  return { value, size: Math.max(1, Math.abs(value)) * (size / deviation) };
}

const monthOf = (day: number) => 12 * civilDate(day).year + civilDate(day).month;

/** The close before without the events since, × what the dividends of the day take, on the basis of the series. */
function dividendAt({ close, day, adjustedFor, dividends = [] }: BarSeries, t: number): number {
  const factor = (from: number) => adjustedFor.reduce((all, event) => (event.day > from ? all * event.price : all), 1);
  const paid = dividends.filter(({ exDay }) => exDay === day[t] && t > 0);
  return paid.reduce((sum, one) => sum + (close[t - 1] / factor(day[t - 1])) * (1 - one.factor) * factor(day[t]), 0);
}

/** The months or weeks, from that of the first bar on, whose last session is not after a day. */
function wholePeriods(series: BarSeries, name: 'monthly' | 'weekly', through: number): BarSeries {
  const keyOf = name === 'monthly' ? monthOf : weekStart;
  const ends: number[] = [];
  for (let end = series.day[0]; end <= through; end++) {
    let next = end + 1;
    while (!isSession(next)) next++;
    if (isSession(end) && keyOf(next) !== keyOf(end)) ends.push(end);
  }
  const bars = allocateSeries(ends.length, series.adjustedFor);
  const sums = { dollarVolume: new Float64Array(ends.length), dividend: new Float64Array(ends.length) };
  bars.day.set(ends);
  for (const [k, end] of ends.entries()) {
    const of = [...series.day.keys()].filter((t) => series.day[t] <= end && series.day[t] > (ends[k - 1] ?? 0));
    const at = (column: 'open' | 'high' | 'low' | 'close' | 'volume') => of.map((t) => series[column][t]);
    bars.open[k] = at('open')[0];
    bars.high[k] = Math.max(...at('high'));
    bars.low[k] = Math.min(...at('low'));
    bars.close[k] = required(at('close').at(-1));
    bars.volume[k] = at('volume').reduce((sum, one) => sum + one, 0);
    sums.dollarVolume[k] = of.reduce((sum, t) => sum + series.close[t] * series.volume[t], 0);
    sums.dividend[k] = of.reduce((sum, t) => sum + dividendAt(series, t), 0);
  }
  return { ...bars, sums, listedOn: series.listedOn ?? series.day[0] };
}

function arithmetic(sign: string, a: Figure, b: Figure): Figure {
  const [x, y] = [a.value, b.value];
  const isWhole = a.isWhole === true && b.isWhole === true;
  if (sign === '+') return { value: x + y, size: Math.max(a.size, b.size), isWhole };
  if (sign === '-') return { value: x - y, size: Math.max(a.size, b.size), isWhole };
  if (sign === '*')
    return { value: x * y, size: Math.max(a.size * Math.abs(y), b.size * Math.abs(x), Math.abs(x * y)), isWhole };
  // 0 computed from larger figures may be a rounding error in one implementation and exactly 0 in the other.
  if (!b.isWhole && b.size > 0 && Math.abs(y) <= 1e-9 * b.size) throw new TooClose();
  return { value: x / y, size: Math.max(a.size / Math.abs(y), Math.abs(x / y) * (b.size / Math.abs(y))) };
}

function isMoreBy(a: Figure, b: Figure): boolean {
  const difference = Math.abs(a.value - b.value);
  const isTie = difference <= 1e-9 * Math.max(Math.abs(a.value), Math.abs(b.value));
  const blurred = 1e-9 * Math.max(a.size, b.size);
  const isExact = a.value === b.value && a.size <= Math.abs(a.value) && b.size <= Math.abs(b.value);
  if (!isExact && difference <= 2 * blurred && difference > 0.5e-9 * Math.max(Math.abs(a.value), Math.abs(b.value))) {
    throw new TooClose();
  }
  if (a.value === b.value && a.value === 0 && Math.max(a.size, b.size) > 0) throw new TooClose();
  return a.value > b.value && !isTie;
}

const not = (value: boolean | null) => (value === null ? null : !value);

function and(values: readonly (boolean | null)[]): boolean | null {
  if (values.includes(false)) return false;
  return values.includes(null) ? null : true;
}

function isNumber(tree: Tree): boolean {
  if (tree.is === 'number') return true;
  if (tree.is === 'minus') return isNumber(tree.a);
  if (tree.is === 'call') return tree.args.every(isNumber);
  return tree.is === 'binary' && isNumber(tree.a) && isNumber(tree.b);
}

function areMacdAndSignal(a: Tree, b: Tree): boolean {
  if (a.is !== 'indicator' || b.is !== 'indicator' || a.name !== 'macd' || b.name !== 'macd_signal') return false;
  return a.args[0] === b.args[0] && a.args[1] === b.args[1];
}

const partsOf = (tree: Tree): readonly Tree[] => {
  if ('b' in tree) return [tree.a, tree.b];
  if ('a' in tree) return [tree.a];
  return tree.is === 'call' || tree.is === 'choice' ? tree.args : [];
};

function isOfPosition(tree: Tree): boolean {
  if (tree.is === 'name') return POSITION_NAMES.some((name) => name === tree.name);
  return partsOf(tree).some(isOfPosition);
}

function indicatorColumn(series: BarSeries, name: string, [n, second, third]: readonly number[]): Float64Array {
  const { close, high, low } = series;
  const bandAt = (deviations: number) => {
    const stdev = indicators.stdev(close, n);
    return indicators.sma(close, n).map((mean, t) => mean + deviations * stdev[t]);
  };
  const columns: Record<string, () => Float64Array> = {
    sma: () => indicators.sma(close, n),
    ema: () => indicators.ema(close, n),
    rsi: () => indicators.rsi(close, n),
    atr: () => indicators.atr(series, n),
    roc: () => indicators.roc(close, n),
    volatility: () => indicators.volatility(close, n),
    highest: () => indicators.highestBefore(high, n),
    lowest: () => indicators.lowestBefore(low, n),
    macd: () => indicators.macd(close, n, second, 9).line,
    macd_signal: () => indicators.macd(close, n, second, third).signal,
    bollinger_upper: () => bandAt(second),
    bollinger_lower: () => bandAt(-second),
  };
  return columns[name]();
}
