/**
 * Proof that a rotation used nothing from its future: it is computed again on the market cut after every session, each member
 * adjusted to its last bar of the cut. At a rebalance the cut ends with it, so that universe, score, filter, and weights are
 * compared where nothing later is known; runs on longer cuts take these decisions.
 */
import type { Execution } from '../backtest/execution.ts';
import { isEqual, type LookAheadDifference, type PrefixProof } from '../backtest/look-ahead.ts';
import type { BarSeries } from '../market/series.ts';
import { type ComputedRun, factorOf, factsOf, firstDifference } from '../portfolio/look-ahead.ts';
import type { MarketValues, Panel, PanelMember } from './panel.ts';
import { isMarketOpen, weightsAt } from './rebalance.ts';
import { type RotationRule, type RotationRun, rebalanceSessions, type Schedule } from './rotation.ts';
import { targetSet } from './selection.ts';
import { simulateRotation } from './simulate.ts';

/** A rotation that is checked. */
export interface ProvedRotation {
  readonly panel: Panel;
  /** The bars of a member before index `to`, adjusted to the last of them. */
  readonly cut: (member: number, to: number) => BarSeries;
  /** The values of the rules at some sessions of a panel. */
  readonly valuesOf: (panel: Panel, sessions: readonly number[]) => Promise<MarketValues>;
  readonly schedule: Schedule;
  readonly rule: RotationRule;
  readonly execution: Execution;
  readonly interest?: Float64Array | undefined;
}

interface Whole extends ComputedRun {
  readonly run: RotationRun;
  readonly values: MarketValues;
}

/** Yields after every cut, so that its caller can stop it. */
export async function* proveRotationPrefixes(rotation: ProvedRotation): AsyncGenerator<number, PrefixProof> {
  const { clock, members } = rotation.panel;
  const whole = await computeWhole(rotation);
  const due = new Set(whole.values.rebalances.map(({ session }) => session));
  const ends = members.map(({ from }) => from);
  let differences = 0;
  let first: LookAheadDifference | null = null;
  let past: MarketValues = { rebalances: [], filter: null };
  for (let t = 0; t < clock.length; t++) {
    for (const [i, { series, to }] of members.entries())
      if (ends[i] < to && series.day[ends[i]] === clock[t]) ends[i]++;
    const cut = cutPanel(rotation, ends, t);
    const decided = due.has(t) ? await rotation.valuesOf(cut, [t]) : null;
    const found = differenceAt(rotation, whole, cut, past, decided);
    if (decided !== null) past = { ...decided, rebalances: [...past.rebalances, ...decided.rebalances] };
    if (found !== null) {
      differences++;
      first ??= { cutAfter: clock[t], ...found };
    }
    yield (t + 1) / clock.length;
  }
  return { prefixes: clock.length, differences, verdict: differences > 0 ? 'found' : 'none', first };
}

async function computeWhole({ panel, valuesOf, schedule, rule, execution, interest }: ProvedRotation): Promise<Whole> {
  const values = await valuesOf(panel, rebalanceSessions(panel.clock, schedule));
  const run = simulateRotation({ panel, values, rule, execution, interest });
  const factors = panel.members.map(() => 1);
  return { clock: panel.clock, run, values, facts: factsOf(panel.members, run, factors) };
}

/** The panel as it was at the end of session `t`. When a member trades for the last time is a fact of the market, not of the rules. */
function cutPanel({ panel, cut }: ProvedRotation, ends: readonly number[], t: number): Panel {
  const members = panel.members.map((member, i): PanelMember => {
    const { series, to } = member;
    return to === 0 ? member : { ...member, series: cut(i, ends[i]), to: ends[i], lastDay: series.day[to - 1] };
  });
  const sessions = panel.sessions.subarray(0, panel.first + t + 1);
  return { members, sessions, first: panel.first, clock: panel.clock.subarray(0, t + 1) };
}

/** `past`: the decisions at earlier sessions, each as it was made on its own cut. `decided`: at the last session; null: none is due. */
function differenceAt(
  { panel, rule, execution, interest }: ProvedRotation,
  whole: Whole,
  cut: Panel,
  past: MarketValues,
  decided: MarketValues | null,
): Omit<LookAheadDifference, 'cutAfter'> | null {
  const t = cut.clock.length - 1;
  const run = simulateRotation({ panel: cut, values: past, rule, execution, interest });
  const factors = panel.members.map(({ series }, i) =>
    cut.members[i].to > 0 ? factorOf(series, cut.members[i].to) : 1,
  );
  const difference = firstDifference({ clock: cut.clock, run, facts: factsOf(panel.members, run, factors) }, whole);
  if (difference !== null) return difference;
  return decided !== null && !hasSameDecision(rule, whole, panel, { panel: cut, values: decided }, t)
    ? { day: cut.clock[t], kind: 'signal' }
    : null;
}

/** Whether the rules say the same at session `t`, which is the last one that the cut knows. */
function hasSameDecision(
  rule: RotationRule,
  whole: Whole,
  panel: Panel,
  cut: { readonly panel: Panel; readonly values: MarketValues },
  t: number,
): boolean {
  const [ours, theirs] = [cut.values, whole.values].map(({ rebalances }) =>
    rebalances.find(({ session }) => session === t),
  );
  if (ours === undefined || theirs === undefined) return false;
  const isSame = (a: number, b: number) => Object.is(a, b) || isEqual(a, b);
  if (ours.eligible !== theirs.eligible || !ours.score.every((score, i) => isSame(score, theirs.score[i])))
    return false;
  if (isMarketOpen(cut.values, t) !== isMarketOpen(whole.values, t)) return false;
  const { names } = targetSet(theirs.score, () => false, rule);
  const { weights: our } = weightsAt({ panel: cut.panel, rule }, ours, names);
  const { weights: their } = weightsAt({ panel, rule }, theirs, names);
  return our.size === their.size && [...our].every(([member, weight]) => isSame(weight, their.get(member) ?? 0));
}
