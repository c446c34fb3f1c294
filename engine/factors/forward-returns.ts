/** Returns from the closes of each session that is looked at to those of a horizon later. */
import { heldPrices } from '../market/series.ts';
import type { VisitedMember } from '../rules/market-values.ts';
import { type Horizon, type StudySessions, spanOf } from './sessions.ts';

/** Digits after the point that decide an order of returns. */
const STEPS = 1e12;
/** Whole numbers are exact up to here: returns above 4,500-fold are one. */
const MOST_STEPS = 2 ** 52;

/** The closes of all members at the sessions that returns begin or end at. */
export class ForwardReturns {
  private readonly sessions: StudySessions;
  private readonly members: number;
  /** By index in the clock; -1: no return needs the session. */
  private readonly rowOf: Int32Array;
  private readonly needed: readonly number[];
  /** The last own close at or before each session, the return of a delisting included. */
  private readonly closes: readonly Float64Array[];
  /** 1 where a member has a bar. */
  private readonly hasBar: readonly Uint8Array[];
  /** The index in the clock of the last bar of each ended member, and its close. */
  private readonly ends: Int32Array;
  private readonly lastCloses: Float64Array;

  /** `also`: indices in the clock of further sessions whose closes are asked for. */
  constructor(sessions: StudySessions, horizons: readonly Horizon[], members: number, also: readonly number[] = []) {
    const { clock, looked } = sessions;
    this.sessions = sessions;
    this.members = members;
    const needed = new Set<number>(also);
    for (const horizon of horizons) {
      for (const row of looked.keys()) for (const at of spanOf(sessions, row, horizon) ?? []) needed.add(at);
    }
    this.needed = [...needed].sort((a, b) => a - b);
    this.rowOf = new Int32Array(clock.length).fill(-1);
    for (const [row, at] of this.needed.entries()) this.rowOf[at] = row;
    this.closes = this.needed.map(() => new Float64Array(members).fill(Number.NaN));
    this.hasBar = this.needed.map(() => new Uint8Array(members));
    this.ends = new Int32Array(members).fill(-1);
    this.lastCloses = new Float64Array(members);
  }

  add({ member, series, isDelisted }: VisitedMember): void {
    const { clock } = this.sessions;
    const { day, close, length } = series;
    const held = heldPrices(series);
    let bars = 0;
    for (const [row, at] of this.needed.entries()) {
      while (bars < length && day[bars] <= clock[at]) bars++;
      if (bars === 0) continue;
      this.closes[row][member] = held[bars - 1];
      this.hasBar[row][member] = Number(day[bars - 1] === clock[at]);
    }
    if (!isDelisted) return;
    this.ends[member] = clock.indexOf(day[length - 1]);
    this.lastCloses[member] = close[length - 1];
  }

  /** The last own close of every member at or before a session; NaN: it has none yet. `at`: index in the clock. */
  closesAt(at: number): Float64Array {
    return this.closes[this.rowOf[at]];
  }

  /** Returns of every member, NaN where it has no bar to begin with; null: the horizon ends after the range. `row`: index in `looked`. */
  of(row: number, horizon: Horizon): Float64Array | null {
    const span = spanOf(this.sessions, row, horizon);
    if (span === null) return null;
    const [from, to] = span.map((at) => this.rowOf[at]);
    const [begin, end, hasBar] = [this.closes[from], this.closes[to], this.hasBar[from]];
    const returns = new Float64Array(this.members);
    for (let member = 0; member < returns.length; member++) {
      const price = this.ends[member] === span[0] ? this.lastCloses[member] : begin[member];
      returns[member] = hasBar[member] === 1 ? end[member] / price - 1 : Number.NaN;
    }
    return returns;
  }
}

/** Returns as they are put in order. */
export function inSteps(returns: Float64Array): Float64Array {
  const steps = new Float64Array(returns.length);
  for (let i = 0; i < steps.length; i++) steps[i] = Math.min(MOST_STEPS, Math.round(returns[i] * STEPS));
  return steps;
}
