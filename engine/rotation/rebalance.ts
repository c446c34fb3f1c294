/** One rebalance: from the scores of a session to sales and purchases. */
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
  const { cash, cursor, broker } = trading;
  const equity = equityOf(trading);
  // A position without a bar today is neither looked at nor traded.
  const [tradable, untouched] = split(cash.held, ({ instrument }) => cursor.isTraded[instrument] === 1);
  const positions = new Map(tradable.map((position) => [position.instrument, position]));
  const filter = isMarketOpen(input.values, at.session);
  const { scored, names } = targetSet(at.score, (member) => positions.has(member), input.rule);
  const { weights, areDefined } = weightsAt(input, at, filter ? names : []);
  const available = untouched.reduce((rest, position) => rest - worthOf(cursor, position), equity);
  const money = available * (1 - input.rule.cashBufferPct / 100);
  const { sales, purchases } = rebalancingOrders(
    [...new Set([...positions.keys(), ...weights.keys()])]
      .sort((a, b) => a - b)
      .map((instrument) => {
        const position = positions.get(instrument);
        const value = position === undefined ? 0 : worthOf(cursor, position);
        return { instrument, value, target: (weights.get(instrument) ?? 0) * money };
      }),
  );
  const ordered = [...sales, ...purchases].reduce((sum, { amount }) => sum + amount, 0);
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
  return {
    scored,
    filter,
    weights,
    areWeightsDefined: areDefined,
    changes: new Map(changes),
    day: input.panel.clock[at.session],
    eligible: at.eligible,
    entered: [...weights.keys()].filter((member) => !positions.has(member)),
    left: [...positions.keys()].filter((member) => !weights.has(member)),
    turnoverPct: equity > 0 ? (50 * ordered) / equity : 0,
  };
}

function split<T>(items: readonly T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

/** Weights above 0 by member, and whether their method has a solution. */
export function weightsAt(
  { panel, rule }: Pick<RotationInput, 'panel' | 'rule'>,
  at: RebalanceValues,
  names: readonly number[],
) {
  const { weights, areDefined } = rule.weigh(panel, at, names);
  const held = names.flatMap((member, i) => (weights[i] > 0 ? [[member, weights[i]] as const] : []));
  return { areDefined, weights: new Map(held) };
}
