/** Weights of members of a panel. */
import type { Day } from '../market/dates.ts';
import { isSampleTooShort, type WeightFault } from './refusals.ts';
import type { Weigh } from './rotation.ts';
import { returnWindow, type WeightRule, weightsOf } from './weights/weights.ts';

/** A rebalance whose weights cannot be computed: the whole run fails. */
export class RotationFailure extends Error {
  override readonly name = 'RotationFailure';
  readonly reason: Extract<WeightFault, 'sample_too_short'> | 'score_not_positive';
  readonly day: Day;
  /** Null: it is the whole set. */
  readonly symbol: string | null;

  constructor(reason: RotationFailure['reason'], day: Day, symbol: string | null) {
    super(reason);
    this.reason = reason;
    this.day = day;
    this.symbol = symbol;
  }
}

/**
 * `fixed`: the weights of the method of that name, by ticker; a ticker without one has 0.
 *
 * The function throws a RotationFailure.
 */
export function weighBy(rule: WeightRule, fixed: Readonly<Record<string, number>> = {}): Weigh {
  const given = new Map(Object.entries(fixed));
  return (panel, { session, score }, members, total) => {
    const day = panel.clock[session];
    if (total === undefined && isSampleTooShort(rule, members.length))
      throw new RotationFailure('sample_too_short', day, null);
    const isOfScore = rule.method === 'score' && total === undefined;
    const bad = isOfScore ? members.find((member) => !(score[member] > 0)) : undefined;
    if (bad !== undefined) throw new RotationFailure('score_not_positive', day, panel.members[bad].symbol);
    return weightsOf(rule, {
      total,
      scores: members.map((member) => score[member]),
      fixed: members.map((member) => given.get(panel.members[member].ticker) ?? 0),
      window: () => returnWindow(panel, members, session, rule.lookback),
    });
  };
}
