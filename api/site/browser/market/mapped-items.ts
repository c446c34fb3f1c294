/** The instruments of the map where it shows others than the largest stocks: a screen finds them, with their returns. */
import '../common.ts';
import { membersOf, type Universe } from '../elements/universe-chip.ts';
import { runJob } from '../run/call.ts';
import type { Screened } from '../types.ts';
import type { MappedItem } from './market-map.ts';

const SHOWN = 500;
const RETURNS = { week: 'roc(5)', month: 'roc(21)', year: 'roc(252)' };

/** `asOf`: null for the newest session. The largest by dollar volume. */
export async function readMapped(universe: Universe, asOf: string | null): Promise<readonly MappedItem[]> {
  const body = { ...membersOf(universe), columns: RETURNS, limit: SHOWN, ...(asOf !== null && { as_of: asOf }) };
  const { items } = await runJob<Screened>('/v1/screener', body, new AbortController().signal);
  return items.map(({ columns, change_pct, symbol, current_symbol, name, dollar_volume }) => ({
    symbol,
    current_symbol,
    name,
    dollar_volume,
    return_1d_pct: change_pct,
    return_1w_pct: columns?.week ?? null,
    return_1m_pct: columns?.month ?? null,
    return_ytd_pct: null,
    return_1y_pct: columns?.year ?? null,
  }));
}
