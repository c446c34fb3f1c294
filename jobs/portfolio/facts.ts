/** The gaps in the data of a portfolio, and the notes on its instruments. */
import type { Traded } from '../../engine/backtest/doubts.ts';
import { gapsOf, type HistoryGaps } from '../../engine/market/history-gaps.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import type { Lifetime, RangeReason } from '../../engine/market/time-range.ts';
import type { PreparedInstrument, PreparedPortfolio } from '../../engine/portfolio/backtest.ts';
import type { PortfolioRun } from '../../engine/portfolio/portfolio.ts';
import type { ListedSpec } from '../contracts/portfolio.ts';
import { type DetailsByCode, dividendNotes, doubtNotes, type NoteCode, survivorNotes } from '../runs/notes.ts';
import type { ReadPortfolio } from './prepare.ts';

const AT_START: readonly RangeReason[] = ['before_listing', 'before_data_start'];

/**
 * Missing sessions are those of the whole portfolio; missing bars are counted per instrument. The range begins with the
 * first bar of any instrument and ends with the last one.
 */
export function gapsOfPortfolio(
  { instruments, end, asOf }: ListedSpec,
  prepared: PreparedPortfolio,
  ledger: SessionLedger,
): HistoryGaps {
  const { clock, wantedStart: start } = prepared;
  const lifetimes = new Map<string, Lifetime>(instruments.map(({ symbol, ...facts }) => [symbol, facts]));
  const all = { ledger, start, end, asOf };
  const shared = gapsOf({ ...all, days: clock, lifetime: spanOf(lifetimes), reasons: reasonsOf(prepared.instruments) });
  let missingBars = 0;
  let sessions = 0;
  for (const { range } of prepared.instruments) {
    const compared = ledger.compare(range.series.day.subarray(range.from, range.to));
    missingBars += compared.withoutBar;
    sessions += compared.sessions;
  }
  return { ...shared, missingBars, missingBarsShare: sessions === 0 ? 0 : missingBars / sessions };
}

/** From the first listing to the last delisting; null where one of them is open. */
function spanOf(lifetimes: ReadonlyMap<string, Lifetime>): Lifetime {
  const all = [...lifetimes.values()];
  const listed = all.map(({ listedOn }) => listedOn).filter((day) => day !== null);
  const delisted = all.map(({ delistedOn }) => delistedOn).filter((day) => day !== null);
  return {
    listedOn: listed.length < all.length ? null : listed.reduce((a, b) => Math.min(a, b)),
    delistedOn: delisted.length < all.length ? null : delisted.reduce((a, b) => Math.max(a, b)),
  };
}

function reasonsOf(instruments: readonly PreparedInstrument[]): readonly RangeReason[] {
  const firstDay = ({ range }: PreparedInstrument) => range.series.day[range.from];
  const lastDay = ({ range }: PreparedInstrument) => range.series.day[range.to - 1];
  const earliest = instruments.reduce((a, b) => (firstDay(b) < firstDay(a) ? b : a));
  const latest = instruments.reduce((a, b) => (lastDay(b) > lastDay(a) ? b : a));
  return [
    ...earliest.range.rangeReasons.filter((reason) => AT_START.includes(reason)),
    ...latest.range.rangeReasons.filter((reason) => !AT_START.includes(reason)),
  ];
}

export function survivorsOf({ instruments }: ListedSpec, { prepared }: Pick<ReadPortfolio, 'prepared'>): DetailsByCode {
  const { clock } = prepared;
  const ended = new Set(
    prepared.instruments.filter(({ range }) => range.finalReason === 'delisted').map(({ symbol }) => symbol),
  );
  const all = instruments.map(({ isEtf, symbol }) => ({ isEtf, hasEnded: ended.has(symbol) }));
  return survivorNotes(all, clock[clock.length - 1] - clock[0]);
}

/** `tradedAs`: an instrument of the run. */
export function doubtsOfRun(
  { adjust, execution }: Pick<ListedSpec, 'adjust' | 'execution'>,
  clock: Int32Array,
  { trades, orders }: Pick<PortfolioRun, 'trades' | 'orders'>,
  tradedAs: (instrument: number) => Traded | undefined,
): DetailsByCode {
  const sold = Map.groupBy(trades, ({ instrument }) => instrument);
  const ordered = Map.groupBy(orders, ({ instrument }) => instrument);
  const all = [...sold].flatMap(([instrument, sales]) => {
    const traded = tradedAs(instrument);
    if (traded === undefined) return [];
    const stays = sales.map(({ entryIndex, exitDay }) => ({ entryDay: traded.day[entryIndex], exitDay }));
    const closed = sales.find(({ exitReason }) => exitReason === 'delisted');
    const delisted = closed && closed.shares * closed.exitPrice;
    return [{ ...traded, stays, orders: ordered.get(instrument) ?? [], delisted }];
  });
  const { executeOn, initialCapital } = execution;
  const range = { adjust, executeOn, first: clock[0], last: clock[clock.length - 1] };
  return doubtNotes(all, range, initialCapital);
}

/** The note on uncounted dividends, if any instrument has one within its bars of the range. */
export function unpaidNotes({ adjust }: ListedSpec, { prepared, members }: ReadPortfolio): readonly NoteCode[] {
  const events = new Map(members.map((member) => [member.symbol, member.events]));
  for (const { symbol, range } of prepared.instruments) {
    const { day } = range.series;
    const codes = dividendNotes(adjust, events.get(symbol) ?? [], day[range.from], day[range.to - 1]);
    if (codes.length > 0) return codes;
  }
  return [];
}
