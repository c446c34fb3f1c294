/** A forward record computed again on this machine from the tables of a service. */
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../../api/clients/typescript/index.ts';
import type { ColumnVersion, SessionEntry } from '../../../engine/forward/record.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { ENGINE_VERSION } from '../../../engine/version.ts';
import { NOISE, sessionEntry } from '../../../jobs/forward/append.ts';
import type { Chain } from './forward-chain.ts';
import { runsOf } from './forward-runs.ts';

/** Equities that differ by less were rounded in another way. */
const EQUITY_NOISE = 0.015;
const COMPARED = ['return', 'positions', 'orders', 'equity'] as const;
type Compared = (typeof COMPARED)[number];

interface Difference {
  readonly session: string;
  readonly figure: Compared;
  readonly told: SessionEntry[Compared];
  readonly now: SessionEntry[Compared];
}

interface LeftOut {
  readonly session: string;
  readonly reason: string;
}

export interface Recomputed {
  /** How many were computed. */
  readonly sessions: number;
  readonly different: readonly Difference[];
  readonly left_out: readonly LeftOut[];
}

interface Told {
  readonly entry: SessionEntry;
  /** The equity that was told before it. */
  readonly before: number | null;
  /** The newest return of a session that was revised: only that is compared. `columns`: null where it does not say which it read. */
  readonly revised: { readonly return: number; readonly columns: readonly ColumnVersion[] | null } | null;
}

function toldBy({ entries }: Chain): Told[] {
  const told = new Map<string, Told>();
  let before: number | null = null;
  for (const { entry, appended_at } of entries) {
    if (!('kind' in entry)) {
      told.set(entry.session, { entry, before, revised: null });
      before = entry.equity;
      continue;
    }
    const known = told.get(entry.session);
    if (known === undefined || typeof entry.after !== 'object') continue;
    // The sessions that were appended with it were computed on the same columns.
    const beside = entries.find((one) => one.appended_at === appended_at && !('kind' in one.entry))?.entry;
    const columns = beside && 'columns' in beside ? beside.columns : known.entry.columns.length === 0 ? [] : null;
    told.set(entry.session, { ...known, revised: { return: entry.after.return, columns } });
  }
  return [...told.values()];
}

const isSame = (told: SessionEntry, now: SessionEntry, figure: Compared) =>
  figure === 'return' || figure === 'equity'
    ? Math.abs(told[figure] - now[figure]) < (figure === 'return' ? NOISE : EQUITY_NOISE)
    : isDeepStrictEqual(told[figure], now[figure]);

function differences({ entry, revised }: Told, now: SessionEntry): Difference[] {
  const { session } = entry;
  const was = revised === null ? entry : { ...entry, return: revised.return };
  const compared = revised === null ? COMPARED : (['return'] as const);
  return compared
    .filter((figure) => !isSame(was, now, figure))
    .map((figure) => ({ session, figure, told: was[figure], now: now[figure] }));
}

/** All sessions that this engine told, as far as the caller may read the tables and columns that they were computed from. */
export async function computedAgain(client: Client, chain: Chain): Promise<Recomputed> {
  const told = toldBy(chain);
  const isOwn = ({ entry }: Told) => entry.engine_version === ENGINE_VERSION;
  const runs = told.some(isOwn) ? await runsOf(client, chain) : null;
  const different: Difference[] = [];
  const left_out: LeftOut[] = [];
  for (const one of told) {
    const { session, engine_version, data_version, columns } = one.entry;
    const read = one.revised === null ? columns : one.revised.columns;
    const run =
      runs === null || !isOwn(one)
        ? `engine ${engine_version} told it, and this is ${ENGINE_VERSION}`
        : read === null
          ? 'its revision does not say which versions of columns it read'
          : await runs(requireDay(session), read);
    if (typeof run === 'string') left_out.push({ session, reason: run });
    else different.push(...differences(one, sessionEntry({ engine_version, data_version, columns }, run, one.before)));
  }
  return { sessions: told.length - left_out.length, different, left_out };
}
