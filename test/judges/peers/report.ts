/** The results of the peers: as tables for people, and as the record that the page and the document show. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Table from 'cli-table3';
import type { PeersRecord } from '../../../api/site/truth.ts';
import type { Comparison } from './comparison.ts';
import type { Ratio, Speed } from './speed.ts';

/** The comparison of a peer with ours. */
export interface PeerResult {
  readonly name: string;
  readonly version: string;
  readonly strategies: readonly Comparison[];
  readonly speed: Speed;
  readonly note: string;
}

export interface SkippedPeer {
  readonly name: string;
  readonly reason: string;
}

const RECORD = fileURLToPath(new URL('../../../api/site/peers.json', import.meta.url));

export function writeRecord(record: PeersRecord): void {
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);
  writeFileSync(RECORD, `${JSON.stringify(record, rounded, 2)}\n`);
}

/** Without colors, for the log of a pipeline. */
const PLAIN = { head: [], border: [] };

const FILLS = { close: 'close', next_open: 'next open' } as const;

function tradesTable(peers: readonly PeerResult[]): string {
  const head = ['peer', 'strategy', 'fills', 'costs', 'trades', 'equal', 'returns differ by'];
  const table = new Table({ head, style: { ...PLAIN, compact: true } });
  for (const { name, strategies } of peers) {
    for (const { strategy, fill, costs, trades, equalTrades, largestReturnDifference } of strategies)
      table.push([name, strategy, FILLS[fill], costs, trades, equalTrades, largestReturnDifference.toExponential(1)]);
  }
  return table.toString();
}

const timesOf = ({ ratio }: Ratio) => `${Number(ratio.toPrecision(2))} ×`;
const both = ({ theirs, ours }: Ratio) => `${theirs.toPrecision(3)} : ${ours.toPrecision(3)}`;
const whole = ({ theirs, ours }: Ratio) => `${Math.round(theirs)} : ${Math.round(ours)}`;

function speedTable(peers: readonly PeerResult[]): string {
  const head = ['peer : ours', 'one run', '1,000 runs, each', 'sweep, each run', 'memory', 'start', 'compile'];
  const table = new Table({ head, style: PLAIN });
  for (const { name, version, speed } of peers) {
    const { oneRun, thousandRuns, sweep, memory, start, compile } = speed;
    const runs = [oneRun, thousandRuns, sweep].map((ratio) => `${timesOf(ratio)}\n${both(ratio)} ms`);
    table.push([
      `${name}\n${version}`,
      ...runs,
      `${timesOf(memory)}\n${whole(memory)} MB`,
      `${whole(start)} ms`,
      `${whole(compile)} ms`,
    ]);
  }
  return table.toString();
}

function sentencesOf({ name, strategies, note, speed }: PeerResult): string {
  const reasons = new Set(strategies.flatMap(({ why }) => why ?? []));
  const { oneRun, thousandRuns, sweep } = speed.timedRuns;
  return `${name}: ${[note, ...reasons].join(' ')} Timed over ${oneRun}, ${thousandRuns}, and ${sweep} runs.\n`;
}

const OVER_ONE =
  'Ratios are the time or memory of the peer by ours: above 1 × ours is faster, or smaller. Start and compile are in no other figure.';

/** Tables and sentences, and a last line that counts, and names what was skipped. */
export function toText(peers: readonly PeerResult[], skipped: readonly SkippedPeer[]): string {
  const strategies = peers.flatMap((peer) => peer.strategies);
  const trades = strategies.reduce((sum, one) => sum + one.trades, 0);
  const equal = strategies.reduce((sum, one) => sum + one.equalTrades, 0);
  const tables =
    peers.length === 0
      ? ''
      : `${tradesTable(peers)}\n${speedTable(peers)}\n${OVER_ONE}\n${peers.map(sentencesOf).join('')}`;
  const reasons = skipped.map(({ name, reason }) => `skipped ${name}: ${reason}\n`).join('');
  const names = skipped.length === 0 ? '' : `; SKIPPED: ${skipped.map(({ name }) => name).join(', ')}`;
  return `${tables}${reasons}${peers.length} peers, ${trades} trades: ${equal} equal${names}\n`;
}
