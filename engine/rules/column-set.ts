/** Programs computed in columns, each part once. */
import type { WholePeriod } from '../market/period-bars.ts';
import {
  allOf,
  anyOf,
  beforeOf,
  COMPARISON_KERNELS,
  chosenOf,
  constantColumn,
  countOf,
  DIFFERENCE_KERNELS,
  equalTo,
  forBarsOf,
  withinBarsOf,
} from './kernels.ts';
import type { Condition, Leaf, Value } from './program.ts';

type Column = Float64Array | Uint8Array;

/** The bars `from` (included) to `to` (excluded) of a column, sharing its memory. */
export function partOf<T extends Column>(column: T, from: number, to: number): T {
  // The compiler does not know that a part of a column is a column of the same kind.
  return column.subarray(from, to) as T;
}

/** The column of a key, computed once. */
export function keepIn<T extends Column>(columns: Map<string, Column>, key: string, compute: () => T): T {
  // A key names one kind of column.
  const known = columns.get(key) as T | undefined;
  if (known !== undefined) return known;
  const column = compute();
  columns.set(key, column);
  return column;
}

export abstract class ColumnSet {
  readonly length: number;

  constructor(length: number) {
    this.length = length;
  }

  protected abstract keep<T extends Column>(key: string, compute: () => T): T;
  protected abstract leaf(program: Leaf): Float64Array;
  /** A program of another instrument at the same sessions; NaN, or 0, where it has no bar. */
  protected abstract otherValue(ticker: string, part: Value): Float64Array;
  protected abstract otherMask(ticker: string, part: Condition): Uint8Array;
  /** At each bar the figure of the newest period that is over. */
  protected abstract periodValue(period: WholePeriod, part: Value): Float64Array;

  /** NaN where it is undefined. */
  value(node: Value): Float64Array {
    return this.keep(node.key, () => this.computeValue(node));
  }

  /** 1 where it is certainly true. */
  mask(node: Condition): Uint8Array {
    return this.keep(node.key, () => this.computeMask(node));
  }

  protected computeValue({ program }: Value): Float64Array {
    switch (program.kind) {
      case 'constant':
        return constantColumn(this.length, program.value);
      case 'pointwise':
        return program.fn.column(program.parts.map((part) => this.value(part)));
      case 'window':
        return program.fn.column(this.value(program.a), program.n);
      case 'choice': {
        const { isTrue, isFalse, x, y } = program;
        return chosenOf(this.mask(isTrue), this.mask(isFalse), this.value(x), this.value(y));
      }
      case 'count':
        return countOf(this.mask(program.part), program.n);
      case 'period':
        return this.periodValue(program.period, program.part);
      case 'bar':
      case 'position':
      case 'indicator':
      case 'across':
      case 'pair':
      case 'own':
        return this.leaf(program);
      case 'other':
        return this.otherValue(program.ticker, program.part);
    }
  }

  protected computeMask({ program }: Condition): Uint8Array {
    switch (program.kind) {
      case 'compare': {
        const { name, price } = program;
        const [a, b] = [this.value(program.a), this.value(program.b)];
        return price === null ? COMPARISON_KERNELS[name](a, b) : DIFFERENCE_KERNELS[name](a, b, this.value(price));
      }
      case 'all':
        return allOf(program.parts.map((part) => this.mask(part)));
      case 'any':
        return anyOf(program.parts.map((part) => this.mask(part)));
      case 'before':
        return beforeOf(this.mask(program.part));
      case 'forBars':
        return forBarsOf(this.mask(program.part), program.n);
      case 'withinBars':
        return withinBarsOf(this.mask(program.part), program.n);
      case 'flag':
        return equalTo(this.value(program.part), program.is);
      case 'other':
        return this.otherMask(program.ticker, program.part);
    }
  }
}
