/** The panel of a rotation as its job ranks it. */
import type { Pool } from '../../../db/pool.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../../engine/market/symbols.ts';
import { marketValues } from '../../../engine/rotation/panel.ts';
import { rebalanceSessions } from '../../../engine/rotation/rotation.ts';
import { areOfCloses, rotationPrograms, rotationRules } from '../../../engine/rotation/rules.ts';
import { rankedMembers } from '../../../engine/rotation/selection.ts';
import { required } from '../../../engine/util/values.ts';
import { Universe } from '../../../jobs/rotation/universe.ts';

/** Momentum over twelve months without the last one, month by month, and so many names. */
export const PANEL = { score: 'lag(close, 21) / lag(close, 252) - 1', start: '2016-01-01', top: 20 } as const;

export type PanelRow = readonly [date: string, symbol: string, score: number, rank: number, isHeld: boolean];

/** By session and rank. `asOf`: the newest day that may be distributed. */
export async function ourPanel(pool: Pool, asOf: number): Promise<PanelRow[]> {
  const rules = rotationRules({ score: PANEL.score });
  const context = { pool, signal: new AbortController().signal };
  const spec = {
    start: requireDay(PANEL.start),
    end: null,
    timeRange: 'MAX',
    asOf,
    adjust: 'total',
    universe: { instruments: null, assetTypes: null, skipped: null },
  } as const;
  const universe = required(await Universe.read(context, spec, areOfCloses(rules)), 'bars in the range');
  const rebalances = rebalanceSessions(universe.clock, { every: 'month', offset: 0 });
  const programs = rotationPrograms(rules, {});
  const values = await marketValues(universe.market(), universe, programs, rebalances, undefined);
  return values.rebalances.flatMap(({ session, score }) =>
    Array.from(rankedMembers(score, 'desc'), (member, i): PanelRow => {
      const symbol = qualifiedSymbol(universe.members[member].instrument.symbol);
      return [formatDay(universe.clock[session]), symbol, score[member], i + 1, i < PANEL.top];
    }),
  );
}
