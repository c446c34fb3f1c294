/** Rules that compare the instruments of a portfolio, whose bars are all in memory. */
import type { IndicatorSet } from '../indicators/indicator-set.ts';
import type { BarSeries } from '../market/series.ts';
import { HistoryColumns } from './columns.ts';
import type { Group } from './functions/across.ts';
import { BlockColumns, BlockData, memberPrograms } from './market-block.ts';
import { MarketIndex } from './market-index.ts';
import { barsOn, groupsOf, readMember } from './market-values.ts';
import { partsOf } from './nodes.ts';
import { OtherInstruments } from './other-instruments.ts';
import type { Condition, Value } from './program.ts';

export interface Peer {
  readonly indicators: IndicatorSet;
  /** Whether its last bar is its last one of all: it is no peer on it. */
  readonly isDelisted: boolean;
  readonly groups: Readonly<Record<Group, string>>;
}

/** The outermost values across the market in some programs, each once. */
export function acrossIn(programs: readonly (Value | Condition)[]): Value[] {
  const found = new Map<string, Value>();
  const add = (node: Value | Condition): void => {
    if (node.across === 0) return;
    if ('dimension' in node && node.program.kind === 'across') found.set(node.key, node);
    else for (const part of partsOf(node)) add(part);
  };
  for (const program of programs) add(program);
  return [...found.values()];
}

/**
 * Computes values across the instruments at each of their bars, and keeps them with the indicators of each, where rules find them.
 * Instruments are ordered by ticker.
 */
export function compareWithPeers(
  peers: readonly Peer[],
  values: readonly Value[],
  others: OtherInstruments | undefined,
): void {
  if (values.length === 0) return;
  const days = sessionsOf(peers.map(({ indicators }) => indicators.series));
  const programs = memberPrograms({ values, conditions: [] });
  const groups = groupsOf({ members: peers.map((peer) => peer.groups) });
  const data = BlockData.empty({ groups, sessions: days.length, members: peers.length }, programs);
  const bars = peers.map(({ indicators }) => barsOn(days, indicators.series.day));
  for (const [member, { indicators, isDelisted }] of peers.entries()) {
    const columns = new HistoryColumns(indicators, { others });
    readMember(data, { member, isDelisted, series: indicators.series }, bars[member], columns, programs);
  }
  const columns = new BlockColumns(data, data.isMember);
  for (const node of values) {
    const figures = columns.value(node);
    for (const [member, { indicators }] of peers.entries()) {
      const figureOn = (row: number) => figures[row * peers.length + member];
      indicators.keep(node.key, () => byBar(indicators.series.length, bars[member], figureOn));
    }
  }
}

/** A figure for each bar. `bars`: the bar of each session; -1: there is none. */
function byBar(length: number, bars: Int32Array, figureOn: (session: number) => number): Float64Array {
  const column = new Float64Array(length);
  for (let session = 0; session < bars.length; session++) {
    if (bars[session] >= 0) column[bars[session]] = figureOn(session);
  }
  return column;
}

/** Every day on which any of them has a bar. */
function sessionsOf(members: readonly BarSeries[]): Int32Array {
  const days = new Set<number>();
  for (const series of members) for (const day of series.day) days.add(day);
  return Int32Array.from(days).sort();
}

/** The instruments that rules name, with the indices of the members that they name. */
export function withIndicesOf(
  members: readonly BarSeries[],
  tickers: ReadonlySet<string>,
  others: OtherInstruments | undefined,
): OtherInstruments | undefined {
  if (tickers.size === 0) return others;
  const sessions = sessionsOf(members);
  const indices = [...tickers].map((ticker) => {
    const index = new MarketIndex(ticker, sessions);
    for (const series of members) index.add(series);
    return [ticker, index.end()] as const;
  });
  return (others ?? new OtherInstruments(new Map(), 'none')).with(new Map(indices));
}
