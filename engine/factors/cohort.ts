/** The two sides of a long-short portfolio as they are formed: breakpoints, classes, weights. */
import { roundedForOrder } from '../indicators/ties.ts';
import { roundTo } from '../market/series.ts';

export const LONG_SHORT_WEIGHTS = ['equal', 'value', 'capped'] as const;
export const LONG_SHORT_BREAKPOINTS = ['all', 'nyse', 'no_micro'] as const;

export interface LongShortRule {
  /** `capped`: by value, at most the 80th percentile of NYSE. */
  readonly weights: (typeof LONG_SHORT_WEIGHTS)[number];
  /** The names whose values make the breakpoints. */
  readonly breakpoints: (typeof LONG_SHORT_BREAKPOINTS)[number];
  /** A number of equal classes, the ends of the lowest and the highest of three, or the lowest and the highest distinct value. */
  readonly cuts: number | readonly [low: number, high: number] | 'classes';
  /** Months that each cohort is held. */
  readonly hold: number;
  /** Whether microcaps take part. */
  readonly micro: boolean;
}

/** Market values as known at the formations. */
export interface MarketValues {
  /** NaN: none, or no member. */
  readonly value: Float64Array;
  /** By formation: the 20th percentile of NYSE, up to which names are microcaps, and the 80th, which caps weights. */
  readonly micro: Float64Array;
  readonly cap: Float64Array;
}

/** A market as portfolios of all factors read it. Tables are formation by formation, member by member. */
export interface FormationPanel {
  /** Formation days, oldest first. */
  readonly days: Int32Array;
  readonly members: number;
  /** The last own close at or before the formation, for total return; the last of all includes the return of a delisting. */
  readonly close: Float64Array;
  /** As traded. */
  readonly rawClose: Float64Array;
  /** Null: no column has it. */
  readonly size: MarketValues | null;
  /** By member, as today. */
  readonly isNyse: Uint8Array;
  /** By member: the day of the last bar of all. */
  readonly lastDay: Int32Array;
}

/** The names of a class with their weights, which need not sum to 1. */
export interface Side {
  readonly members: Int32Array;
  readonly weights: Float64Array;
}

export interface Cohort {
  readonly long: Side;
  readonly short: Side;
}

/** Fewer names than this with a weight make no side. */
const MIN_NAMES = 10;
/** Without market values, a close as traded below this makes a microcap. */
const MICRO_CLOSE = 5;

/** Linear between the values at (n - 1)·p. That is rounded, so that noise moves no value to another side of its own percentile. */
function percentile(sorted: Float64Array, p: number): number {
  const h = roundTo((sorted.length - 1) * p, 9);
  const k = Math.floor(h);
  return k === h ? sorted[k] : sorted[k] + (h - k) * (sorted[k + 1] - sorted[k]);
}

/** The highest value of the lowest class, and the value that those of the highest class are above. */
interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** `sorted`: the values that make the breakpoints. */
function boundsOf(sorted: Float64Array, cuts: LongShortRule['cuts']): Bounds | null {
  if (cuts === 'classes') {
    const high = sorted.findLast((value) => value < sorted[sorted.length - 1]);
    return high === undefined ? null : { low: sorted[0], high };
  }
  const [low, high, classes] = typeof cuts === 'number' ? [1 / cuts, (cuts - 1) / cuts, cuts] : [...cuts, 3];
  if (sorted.length < classes) return null;
  const bounds = { low: percentile(sorted, low), high: percentile(sorted, high) };
  return classes > 2 && bounds.low === bounds.high ? null : bounds;
}

/** `value`: by formation and member. `isNyse`: by member. */
export function marketValues(value: Float64Array, isNyse: Uint8Array): MarketValues {
  const { length: members } = isNyse;
  const sorted = Array.from({ length: value.length / members }, (_, formation) =>
    value
      .subarray(formation * members, (formation + 1) * members)
      .filter((one, m) => isNyse[m] === 1 && one > 0)
      .sort(),
  );
  const at = (p: number) => Float64Array.from(sorted, (figures) => percentile(figures, p));
  return { value, micro: at(0.2), cap: at(0.8) };
}

/** The values that make the breakpoints, ascending. Loops, because `filter` takes ten times as long. */
function breakpointValues(values: Float64Array, isOfSet: (member: number) => boolean): Float64Array {
  const set = new Float64Array(values.length);
  let count = 0;
  for (let m = 0; m < values.length; m++) if (!Number.isNaN(values[m]) && isOfSet(m)) set[count++] = values[m];
  return set.subarray(0, count).sort();
}

/** A name without a market value, where others have one, counts as a microcap. `at`: its place in the tables. */
function isMicrocap(
  { size, rawClose }: Pick<FormationPanel, 'size' | 'rawClose'>,
  at: number,
  formation: number,
): boolean {
  return size === null ? rawClose[at] < MICRO_CLOSE : !(size.value[at] > size.micro[formation]);
}

/** The mean number of names of a formation, and the share of microcaps among all of them. */
export function microcapShare(panel: FormationPanel): { readonly names: number; readonly share: number } {
  let [names, micro] = [0, 0];
  for (let at = 0; at < panel.rawClose.length; at++) {
    if (Number.isNaN(panel.rawClose[at])) continue;
    names++;
    micro += Number(isMicrocap(panel, at, Math.floor(at / panel.members)));
  }
  return { names: names / Math.max(1, panel.days.length), share: micro / Math.max(1, names) };
}

/** `values`: of the factor, NaN for who is not eligible. Null where the classes are not defined or a side is too small. */
export function formCohort(
  { members, size, rawClose, isNyse }: FormationPanel,
  values: Float64Array,
  formation: number,
  rule: LongShortRule,
): Cohort | null {
  const row = formation * members;
  const isMicro = (m: number) => isMicrocap({ size, rawClose }, row + m, formation);
  const cap = size !== null && rule.weights === 'capped' ? size.cap[formation] : Number.POSITIVE_INFINITY;
  const weightOf = (m: number) => (rule.weights === 'equal' ? 1 : Math.min(size?.value[row + m] ?? 0, cap));
  const rounded = roundedForOrder(values.subarray(row, row + members));
  if (!rule.micro) for (let m = 0; m < members; m++) if (isMicro(m)) rounded[m] = Number.NaN;
  const isOfSet = { all: () => true, nyse: (m: number) => isNyse[m] === 1, no_micro: (m: number) => !isMicro(m) };
  const bounds = boundsOf(breakpointValues(rounded, isOfSet[rule.breakpoints]), rule.cuts);
  if (bounds === null) return null;
  const [long, short]: [number[], number[]] = [[], []];
  for (let m = 0; m < members; m++) {
    const side = rounded[m] > bounds.high ? long : rounded[m] <= bounds.low ? short : null;
    if (side !== null && weightOf(m) > 0) side.push(m);
  }
  if (Math.min(long.length, short.length) < MIN_NAMES) return null;
  const sideOf = (names: number[]) => ({
    members: Int32Array.from(names),
    weights: Float64Array.from(names, weightOf),
  });
  return { long: sideOf(long), short: sideOf(short) };
}
