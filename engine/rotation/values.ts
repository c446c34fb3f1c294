/** The values that the rules of a rotation have at each of its rebalances. */
import { IndicatorSet } from '../indicators/indicator-set.ts';
import { allocateSeries } from '../market/series.ts';
import { HistoryColumns } from '../rules/columns.ts';
import { evaluateMarket, type Market, type MarketPrograms } from '../rules/market-values.ts';
import type { OtherInstruments } from '../rules/other-instruments.ts';
import { FILTER, type MarketValues, type Panel } from './panel.ts';
import type { RotationPrograms } from './rules.ts';

/** The rules that are evaluated across the market. */
function marketPrograms({ where, score }: RotationPrograms): MarketPrograms {
  return { where: where === null ? [] : [where], values: [score] };
}

/** `rebalances`: indices in the clock, ascending. `everEligible`: how many members are eligible at any of them. */
export async function marketValues(
  market: Market,
  { sessions, first, clock }: Pick<Panel, 'sessions' | 'first' | 'clock'>,
  programs: RotationPrograms,
  rebalances: readonly number[],
  others: OtherInstruments | undefined,
): Promise<MarketValues & { readonly everEligible: number }> {
  const asked = rebalances.map((session) => first + session);
  const rules = marketPrograms(programs);
  const { eligible, values } = await evaluateMarket(market, rules, { sessions, asked }, others);
  const members = market.members.length;
  const isEver = new Uint8Array(members);
  for (let at = 0; at < eligible.length; at++) isEver[at % members] |= eligible[at];
  return {
    everEligible: isEver.reduce((sum, flag) => sum + flag, 0),
    rebalances: rebalances.map((session, i) => {
      const [from, to] = [i * members, (i + 1) * members];
      const count = eligible.subarray(from, to).reduce((sum, flag) => sum + flag, 0);
      return { session, eligible: count, score: values[0].subarray(from, to) };
    }),
    filter: programs.filter && filterValues(programs.filter, sessions, others).subarray(first, first + clock.length),
  };
}

/** At each session. Rules of the filter go in time by the sessions, because it has no bars of its own. */
function filterValues(
  { isTrue, isFalse }: NonNullable<RotationPrograms['filter']>,
  sessions: Int32Array,
  others: OtherInstruments | undefined,
): Int8Array {
  const bars = allocateSeries(sessions.length);
  bars.day.set(sessions);
  const columns = new HistoryColumns(new IndicatorSet(bars), { others });
  const [open, closed] = [columns.mask(isTrue), columns.mask(isFalse)];
  return Int8Array.from(open, (flag, t) =>
    flag === 1 ? FILTER.open : closed[t] === 1 ? FILTER.closed : FILTER.undefined,
  );
}
