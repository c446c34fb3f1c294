/** One rebalance: from the scores of a session to sales and purchases. */
import type { Position } from '../portfolio/cash.ts';
import { rebalancingOrders } from '../portfolio/selection.ts';
import { equityOf, type Trading, worthOf } from '../portfolio/sessions.ts';
import { FILTER, type MarketValues, type RebalanceValues } from './panel.ts';
import type { Rebalance, RotationInput } from './rotation.ts';
import { targetSet } from './selection.ts';

/** Sessions that an undefined filter is carried over. */
const CARRIED = 5;

/** At session `t`; where it is undefined its last value of the sessions before, else true. */
export function isMarketOpen({ filter }: MarketValues, t: number): boolean {
  if (filter === null) return true;
  for (let s = t; s >= Math.max(0, t - CARRIED); s--)
    if (filter[s] !== FILTER.undefined) return filter[s] === FILTER.open;
  return true;
}

/** Decides at the close of a session. With fills at the next open the orders wait for it. */
export function rebalance(input: RotationInput, trading: Trading, at: RebalanceValues): Rebalance {
  const positions = tradablePositions(trading);
  const filter = isMarketOpen(input.values, at.session);
  const { scored, names } = targetSet(at.score, (member) => positions.has(member), input.rule);
  const chosen = filter ? names : [];
  const { weights, total, areDefined } = weightsAt(input, at, chosen);
  const ordered = reweight(trading, positions, weights, input.rule.cashBufferPct);
  return {
    scored,
    filter,
    weights,
    ...ordered,
    areWeightsDefined: areDefined,
    day: input.panel.clock[at.session],
    eligible: at.eligible,
    entered: [...weights.keys()].filter((member) => !positions.has(member)),
    left: [...positions.keys()].filter((member) => !weights.has(member)),
    set: { total, size: chosen.length, stayed: chosen.filter((member) => positions.has(member)).length },
  };
}

/** Positions with a bar today, by member: the others are neither looked at nor traded. */
export function tradablePositions({ cash, cursor }: Trading): ReadonlyMap<number, Position> {
  const tradable = cash.held.filter(({ instrument }) => cursor.isTraded[instrument] === 1);
  return new Map(tradable.map((position) => [position.instrument, position]));
}

/** Orders what brings the positions to `weights`, by member. Returns what was ordered of each, and of all. */
export function reweight(
  trading: Trading,
  positions: ReadonlyMap<number, Position>,
  weights: ReadonlyMap<number, number>,
  cashBufferPct: number,
): Pick<Rebalance, 'changes' | 'turnoverPct'> {
  const { cash, cursor, broker } = trading;
  const equity = equityOf(trading);
  const untouched = cash.held.filter(({ instrument }) => !positions.has(instrument));
  const available = untouched.reduce((rest, position) => rest - worthOf(cursor, position), equity);
  const money = available * (1 - cashBufferPct / 100);
  const { sales, purchases } = rebalancingOrders(
    [...new Set([...positions.keys(), ...weights.keys()])]
      .sort((a, b) => a - b)
      .map((instrument) => {
        const position = positions.get(instrument);
        const value = position === undefined ? 0 : worthOf(cursor, position);
        return { instrument, value, target: (weights.get(instrument) ?? 0) * money };
      }),
  );
  const changes = [
    ...sales.map(({ instrument, amount }) => [instrument, -amount / equity] as const),
    ...purchases.map(({ instrument, amount }) => [instrument, amount / equity] as const),
  ];
  broker.orders.void();
  for (const { instrument, amount } of sales) {
    const position = positions.get(instrument);
    if (position === undefined) continue;
    if (weights.has(instrument)) broker.reduce(position, amount);
    else broker.exit(position, 'rebalance');
  }
  broker.buyTogether(purchases);
  const ordered = [...sales, ...purchases].reduce((sum, { amount }) => sum + amount, 0);
  return { changes: new Map(changes), turnoverPct: equity > 0 ? (50 * ordered) / equity : 0 };
}

/** Weights above 0 by member, their sum before the volatility target, and whether their method has a solution. */
export function weightsAt(
  { panel, rule }: Pick<RotationInput, 'panel' | 'rule'>,
  at: Pick<RebalanceValues, 'session' | 'score'>,
  names: readonly number[],
  wanted?: number,
) {
  const { weights, ...found } = rule.weigh(panel, at, names, wanted);
  const held = names.flatMap((member, i) => (weights[i] > 0 ? [[member, weights[i]] as const] : []));
  return { ...found, weights: new Map(held) };
}
