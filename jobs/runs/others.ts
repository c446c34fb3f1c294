/** The other instruments that rules name: found by ticker, read, and put on the basis of a run. */
import type { Queryable } from '../../db/pool.ts';
import type { AdjustMode } from '../../engine/market/adjust.ts';
import type { Day } from '../../engine/market/dates.ts';
import { EMPTY_SERIES } from '../../engine/market/series.ts';
import { OtherInstruments } from '../../engine/rules/other-instruments.ts';
import type { NamedInstrument } from '../contracts/backtest.ts';
import { type History, type ReadHistories, readHistories } from './history.ts';

/** Histories by the ticker that rules name. */
export type OtherHistories = ReadonlyMap<string, History>;

/** Undefined where the rules name none. */
export async function readOthers(
  db: Queryable,
  named: readonly NamedInstrument[] | undefined,
  asOf: Day,
  read: ReadHistories = readHistories,
): Promise<OtherHistories | undefined> {
  if (named === undefined || named.length === 0) return undefined;
  const histories = await read(
    db,
    named.map(({ instrumentId }) => instrumentId),
    asOf,
  );
  return new Map(named.map(({ ticker }, i) => [ticker, histories[i]]));
}

export function referencedInstruments(
  histories: OtherHistories | undefined,
  adjust: AdjustMode,
): OtherInstruments | undefined {
  return histories && new OtherInstruments(histories, adjust);
}

/** The other instruments of rules without a specification. A ticker that no instrument has any more has no bars. */
export async function othersNamed(
  db: Queryable,
  tickers: Iterable<string>,
  instruments: readonly { readonly id: number; readonly symbol: string }[],
  asOf: Day,
): Promise<OtherInstruments | undefined> {
  const wanted = new Set(tickers);
  if (wanted.size === 0) return undefined;
  const named = instruments.flatMap(({ id, symbol }) =>
    wanted.has(symbol) ? [{ ticker: symbol, instrumentId: id }] : [],
  );
  const found = await readOthers(db, named, asOf);
  const none: History = { series: EMPTY_SERIES, events: [] };
  return new OtherInstruments(new Map([...wanted].map((ticker) => [ticker, found?.get(ticker) ?? none])), 'split');
}
