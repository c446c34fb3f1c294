/** Lists the changes of the data of a universe since a run. */
import { selectRevisedInstruments } from '../../db/market/revisions.ts';
import type { Queryable } from '../../db/pool.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import type { RunSpec } from '../contracts/backtest.ts';
import { mergedDifferences } from '../portfolio/listed.ts';
import { readHistory, type ServedInstrument } from '../runs/history.ts';
import type { Failed } from '../runs/kind.ts';
import {
  type DataDifferences,
  NO_DIFFERENCES,
  PastData,
  type PastRun,
  scopeOf,
  withinScope,
} from '../runs/past-data.ts';
import { namedAsServed } from '../runs/recompute.ts';
import type { Universe } from './universe.ts';

/**
 * The changes since the run of the bars and events of its members and of the other instruments that it read. Whether these are all cannot
 * be checked, because a receipt has one digest of a whole universe.
 */
export async function universeDifferences(
  db: Queryable,
  data: { readonly universe: Universe } | Failed,
  spec: Pick<RunSpec, 'end' | 'asOf' | 'adjust' | 'others'> & { readonly benchmark?: ServedInstrument | null },
  { at }: PastRun,
): Promise<DataDifferences> {
  if ('failure' in data) return NO_DIFFERENCES;
  const { members, clock } = data.universe;
  const read = [...namedAsServed(spec.others), ...(spec.benchmark ? [spec.benchmark] : [])];
  const symbols = new Map(read.map(({ instrumentId, symbol }) => [instrumentId, symbol]));
  for (const { instrument } of members) symbols.set(instrument.id, qualifiedSymbol(instrument.symbol));
  const scope = scopeOf([Number.NEGATIVE_INFINITY, clock[clock.length - 1]], spec);
  const each: (DataDifferences & { readonly symbol: string })[] = [];
  for (const id of await selectRevisedInstruments(db, [...symbols.keys()], at)) {
    const past = await PastData.read(db, id, withinScope(await readHistory(db, id, spec.asOf), scope), scope);
    each.push({ symbol: symbols.get(id) ?? '', ...past.differencesSince(at) });
  }
  return mergedDifferences(each);
}
