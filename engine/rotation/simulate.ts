/** The run of a rotation: it holds the best of a universe and looks again on each session of its schedule. */
import type { Day } from '../market/dates.ts';
import { NO_EXITS, type TradedInstrument } from '../portfolio/portfolio.ts';
import { openTrading, runSessions } from '../portfolio/sessions.ts';
import type { PanelMember } from './panel.ts';
import { rebalance } from './rebalance.ts';
import type { Rebalance, RotationInput, RotationRule, RotationRun } from './rotation.ts';
import { type ExitPlan, exitPlan } from './rotation.ts';

export function simulateRotation(input: RotationInput): RotationRun {
  const { panel, values, execution, interest } = input;
  const due = new Map(values.rebalances.map((one) => [one.session, one]));
  const instruments = tradedInstruments(input);
  const trading = openTrading({ instruments, execution, interest, sharesCash: true, keepsOrders: true });
  const rebalances: Rebalance[] = [];
  const run = runSessions(trading, panel.clock, (t) => {
    const at = due.get(t);
    if (at !== undefined) rebalances.push(rebalance(input, trading, at));
  });
  return { ...run, rebalances };
}

/** The members of the panel with the exits of the rule. */
export function tradedInstruments({
  panel,
  values,
  rule,
}: Omit<RotationInput, 'execution' | 'interest'>): TradedInstrument[] {
  const days = new Set(values.rebalances.map(({ session }) => panel.clock[session]));
  return panel.members.map((member) => tradedInstrument(member, rule.exits, days));
}

/** The exits of a member are prepared when it is bought: most of a market never is. */
function tradedInstrument(
  member: PanelMember,
  exits: RotationRule['exits'],
  rebalanceDays: ReadonlySet<Day>,
): TradedInstrument {
  if (exits === null) return { ...member, ...NO_EXITS };
  let known: ExitPlan | null = null;
  const plan = () => {
    known ??= exitPlan(exits, member, rebalanceDays);
    return known;
  };
  return {
    ...member,
    get signals() {
      return plan().signals;
    },
    get overlays() {
      return plan().overlays;
    },
    get withoutExits() {
      return plan().withoutExits;
    },
  };
}
