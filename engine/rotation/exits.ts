/** Exits between rebalances. What they sell stays out until the next one, which is the only time at which a rotation buys. */
import { IndicatorSet } from '../indicators/indicator-set.ts';
import { always } from '../indicators/scans.ts';
import type { Day } from '../market/dates.ts';
import type { OtherInstruments } from '../rules/other-instruments.ts';
import { exitScans } from '../rules/signals.ts';
import type { Expression } from '../rules/syntax.ts';
import type { Overlays } from '../strategies/overlays.ts';
import type { StrategyPlan } from '../strategies/strategy.ts';
import type { PanelMember } from './panel.ts';

export interface RotationExits extends Pick<Overlays, 'stopLossPct' | 'takeProfitPct'> {
  /** Prices without parameters: `['-', ['entry_price'], …]`. */
  readonly stop: Expression | null;
  readonly trail: Expression | null;
  /** Other instruments that they name. */
  readonly others?: OtherInstruments;
}

export interface ExitPlan extends StrategyPlan {
  readonly withoutExits: Uint8Array;
}

export const NO_EXITS: StrategyPlan = {
  signals: { entry: always, exit: null, stop: null, trail: null },
  overlays: { stopLossPct: 0, takeProfitPct: 0, maxBars: 0 },
};

/** The exits of a member, none of them at the sessions of rebalances. */
export function exitPlan(exits: RotationExits, { series }: PanelMember, rebalanceDays: ReadonlySet<Day>): ExitPlan {
  const { stopLossPct, takeProfitPct } = exits;
  const withoutExits = Uint8Array.from(series.day, (day) => Number(rebalanceDays.has(day)));
  return {
    withoutExits,
    signals: { ...NO_EXITS.signals, ...exitScans(exits, new IndicatorSet(series), withoutExits, exits) },
    overlays: { stopLossPct, takeProfitPct, maxBars: 0 },
  };
}
