/** Gaps in the bars of a portfolio. */
import { gapsOf, type HistoryGaps } from '../../engine/market/history-gaps.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import type { Lifetime, RangeReason } from '../../engine/market/time-range.ts';
import type { PreparedInstrument, PreparedPortfolio } from '../../engine/portfolio/backtest.ts';
import type { PortfolioSpec } from '../contracts/portfolio.ts';

const AT_START: readonly RangeReason[] = ['before_listing', 'before_data_start'];

/**
 * Sessions are missing for all instruments alike; bars are counted of each. Its beginning is that of the instrument that
 * begins first, its end that of the one that ends last.
 */
export function gapsOfPortfolio(
  { instruments, end, asOf }: PortfolioSpec,
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
