/** Lists the changes of the data of a universe since a run. */
import { selectFirstRevisionsSince } from '../../db/market/revisions.ts';
import type { Queryable } from '../../db/pool.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import type { RunSpec } from '../contracts/backtest.ts';
import { mergedDifferences } from '../portfolio/listed.ts';
import { readHistory, type ServedInstrument } from '../runs/history.ts';
import { type DataDifferences, PastData, type PastRun, scopeOf, withinScope } from '../runs/past-data.ts';
import { namedAsServed } from '../runs/recompute.ts';
import type { Universe } from './universe.ts';

/**
 * The revisions since the run of its members, and of other instruments that it read. They are not undone until the data are those of the
 * run: a receipt has one digest of a whole universe.
 */
export async function universeDifferences(
  db: Queryable,
  { members, clock }: Universe,
  spec: Pick<RunSpec, 'end' | 'asOf' | 'adjust' | 'others'> & { readonly benchmark?: ServedInstrument | null },
  { at }: PastRun,
): Promise<DataDifferences> {
  const read = [...namedAsServed(spec.others), ...(spec.benchmark ? [spec.benchmark] : [])];
  const symbols = new Map(read.map(({ instrumentId, symbol }) => [instrumentId, symbol]));
  for (const { instrument } of members) symbols.set(instrument.id, qualifiedSymbol(instrument.symbol));
  const revisions = await selectFirstRevisionsSince(db, [...symbols.keys()], at);
  const scope = scopeOf([Number.NEGATIVE_INFINITY, clock[clock.length - 1]], spec);
  const each: (DataDifferences & { readonly symbol: string })[] = [];
  for (const id of new Set(revisions.map(({ instrumentId }) => instrumentId))) {
    const past = await PastData.read(db, id, withinScope(await readHistory(db, id, spec.asOf), scope), scope);
    each.push({ symbol: symbols.get(id) ?? '', ...past.differencesSince(at) });
  }
  return mergedDifferences(each);
}
