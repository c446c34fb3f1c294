/** Rules that compare the instruments of a portfolio, whose bars are all in memory. */
import type { IndicatorSet } from '../indicators/indicator-set.ts';
import { HistoryColumns } from './columns.ts';
import type { Group } from './functions/across.ts';
import { BlockColumns, BlockData, memberPrograms } from './market-block.ts';
import { barsOn, groupsOf, readMember } from './market-values.ts';
import { partsOf } from './nodes.ts';
import type { OtherInstruments } from './other-instruments.ts';
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
  const days = sessionsOf(peers);
  const programs = memberPrograms({ values, conditions: [] });
  const groups = groupsOf({ members: peers.map((peer) => peer.groups) });
  const data = new BlockData({ groups, sessions: days.length, members: peers.length }, programs);
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
function sessionsOf(peers: readonly Peer[]): Int32Array {
  const days = new Set<number>();
  for (const { indicators } of peers) for (const day of indicators.series.day) days.add(day);
  return Int32Array.from(days).sort();
}
