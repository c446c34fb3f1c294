/** Monthly formations of real stocks, and values of factors at them. */

import { type FormationPanel, marketValues } from '../../engine/factors/cohort.ts';
import { formationSessions } from '../../engine/factors/long-short.ts';
import { type Adjustment, adjustToLastBar, SHARE_COUNT_KINDS } from '../../engine/market/adjust.ts';
import { civilDate, type Day, requireDay } from '../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, sliceByDay } from '../../engine/market/series.ts';
import { clockOf } from '../../engine/portfolio/clock.ts';
import { checkRule } from '../../engine/rules/check.ts';
import { compileValue } from '../../engine/rules/compile.ts';
import { evaluateMarket } from '../../engine/rules/market-values.ts';
import { lowerBound } from '../../engine/util/values.ts';
import { readFacts, readMembers } from './real-market.ts';

/** The answers have the later of two instruments with the ticker, from its listing on. */
export const LH_LISTED = requireDay('2024-05-20');

interface Stock {
  readonly ticker: string;
  readonly series: BarSeries;
  /** As traded. */
  readonly raw: BarSeries;
  readonly events: readonly Adjustment[];
  readonly isDelisted: boolean;
  readonly isNyse: boolean;
}

export interface Formations {
  readonly stocks: readonly Stock[];
  readonly panel: FormationPanel;
  /** By formation and stock: whether it has a bar, which is not the last of all of a delisted one. */
  readonly isMember: Uint8Array;
}

/** Index of the last bar at or before a day; -1: there is none. */
const barUpTo = ({ day }: BarSeries, at: Day) => day.findLastIndex((one) => one <= at);

/** `tickers`: null for all stocks. `sizeOf`: market value at a bar, from the index of the bar as traded. */
export function readFormations(
  tickers: readonly string[] | null,
  [start, end]: readonly [Day, Day],
  sizeOf: ((stock: Stock, bar: number) => number) | null = null,
): Formations {
  const facts = readFacts();
  const wanted =
    tickers ?? [...facts.values()].filter((fact) => fact.asset_type === 'stock').map(({ symbol }) => symbol);
  const stocks = [...readMembers(new Set(wanted))].flatMap(([ticker, { series: whole, events, lifetime }]): Stock[] => {
    const isNyse = facts.get(ticker)?.primary_venue === 'NYSE';
    const raw = ticker === 'LH' ? sliceByDay(whole, LH_LISTED, end) : sliceByDay(whole, 0, end);
    const series = adjustToLastBar(raw, events, 'total');
    if (raw.length === 0 || raw.day[raw.length - 1] < start) return [];
    return [
      { ticker, raw, series, events, isNyse, isDelisted: lifetime.delistedOn !== null && lifetime.delistedOn <= end },
    ];
  });
  const clock = clockOf(stocks.map(({ series }) => ({ series, from: 0, to: series.length }))).filter(
    (day) => day >= start && day <= end,
  );
  const days = Int32Array.from(formationSessions(clock, start, end), (session) => clock[session]);
  const table = (figureOf: (stock: Stock, bar: number, day: Day) => number) =>
    Float64Array.from({ length: days.length * stocks.length }, (_, at) => {
      const [day, stock] = [days[Math.floor(at / stocks.length)], stocks[at % stocks.length]];
      return figureOf(stock, barUpTo(stock.series, day), day);
    });
  const isMember = Uint8Array.from(
    table(({ series, isDelisted }, bar, day) =>
      Number(bar >= 0 && series.day[bar] === day && !(isDelisted && bar === series.length - 1)),
    ),
  );
  const isNyse = Uint8Array.from(stocks, (stock) => Number(stock.isNyse));
  const ofMembers = (figures: Float64Array) => figures.map((value, at) => (isMember[at] === 1 ? value : Number.NaN));
  const panel = {
    days,
    members: stocks.length,
    close: table(({ series }, bar) => series.close[bar]),
    rawClose: table(({ raw }, bar) => raw.close[bar]),
    size: sizeOf && marketValues(ofMembers(table(sizeOf)), isNyse),
    isNyse,
    lastDay: Int32Array.from(stocks, ({ series }) => series.day[series.length - 1]),
  };
  return { stocks, panel, isMember };
}

const monthOf = (day: Day) => {
  const { year, month } = civilDate(day);
  return 12 * year + month;
};

/** Closes of calendar months, from that of the first bar on; a month without a bar has the close before. */
function monthlySeries(series: BarSeries, days: Int32Array): BarSeries {
  const first = monthOf(series.day[0]);
  const months = allocateSeries(monthOf(days[days.length - 1]) - first + 1);
  const end = new Map(Array.from(days, (day) => [monthOf(day), day]));
  let bar = 0;
  for (let i = 0; i < months.length; i++) {
    while (bar + 1 < series.length && monthOf(series.day[bar + 1]) <= first + i) bar++;
    // Months before the first formation are only looked back at.
    months.day[i] = end.get(first + i) ?? days[0] - 31 * (monthOf(days[0]) - first - i);
    for (const column of ['open', 'high', 'low', 'close'] as const) months[column][i] = series.close[bar];
  }
  return months;
}

/** Values of the rules at each formation, of the bars of days or of months; NaN for who is no member. */
export async function valuesAt(
  { stocks, panel, isMember }: Formations,
  texts: readonly string[],
  bars: 'days' | 'months' = 'days',
): Promise<Float64Array[]> {
  const programs = texts.map((text) => {
    const checked = checkRule(text, { result: 'value', market: 'peers', mayUsePosition: false, parameters: null });
    if ('problems' in checked) throw new Error(`${text}: ${JSON.stringify(checked.problems)}`);
    return compileValue(checked.expression);
  });
  const series = stocks.map((stock) => (bars === 'days' ? stock.series : monthlySeries(stock.series, panel.days)));
  const sessions = Int32Array.from(new Set(series.flatMap(({ day }) => [...day]))).sort();
  const market = {
    members: stocks.map(() => ({ asset_type: 'stock', venue: '' })),
    visit: () => series.map((one, member) => ({ member, series: one, isDelisted: false })),
  };
  const asked = Array.from(panel.days, (day) => sessions.indexOf(day));
  const { values } = await evaluateMarket(market, { where: [], values: programs }, { sessions, asked });
  return values.map((column) => column.map((value, at) => (isMember[at] === 1 ? value : Number.NaN)));
}

/** Shares outstanding × close, as known at a bar, from shares as they were on a day. */
export function marketValueOf(shares: ReadonlyMap<string, number>, on: Day) {
  return ({ ticker, raw, events }: Stock, bar: number): number => {
    const splits = events.filter(
      ({ kind, exDay }) => SHARE_COUNT_KINDS.includes(kind) && exDay > on && exDay <= raw.day[bar],
    );
    return splits.reduce((count, { factor }) => count / factor, shares.get(ticker) ?? Number.NaN) * raw.close[bar];
  };
}

export const rangeOf = ({ start, end }: { readonly start: string; readonly end: string }) =>
  [requireDay(start), requireDay(end)] as const;

/** Among payers of the last twelve months: 1 for a dividend 2, 5, 8, or 11 months ago, else 0; NaN before twelve months of bars. */
export function dividendMonths({ stocks, panel, isMember }: Formations): Float64Array {
  const paid = stocks.map(({ raw: { day }, events }) => {
    // A dividend without a bar counts at the next one.
    const bars = events.filter(({ kind }) => kind === 'cash_dividend').map(({ exDay }) => lowerBound(day, exDay));
    return new Set(bars.filter((bar) => bar > 0 && bar < day.length).map((bar) => monthOf(day[bar])));
  });
  return Float64Array.from(isMember, (flag, at) => {
    const [day, m] = [panel.days[Math.floor(at / panel.members)], at % panel.members];
    const month = monthOf(day);
    if (flag === 0 || month - monthOf(stocks[m].raw.day[0]) < 11) return Number.NaN;
    const isPayer = Array.from({ length: 12 }, (_, lag) => month - lag).some((one) => paid[m].has(one));
    return isPayer ? Number([2, 5, 8, 11].some((lag) => paid[m].has(month - lag))) : Number.NaN;
  });
}
