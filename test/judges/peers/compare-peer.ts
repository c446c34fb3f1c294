/** One peer beside ours: first its speed, while neither side has done anything, then its trades. */
import { allocateSeries, type BarSeries, VALUE_COLUMNS } from '../../../engine/market/series.ts';
import { sampleSeries, toJson } from '../truth/sample-series.ts';
import { type Comparison, compareResults } from './comparison.ts';
import type { Peer } from './peer.ts';
import type { PeerResult } from './report.ts';
import { allRuns } from './runs.ts';
import { Side } from './side.ts';
import { measureSpeed } from './speed.ts';

const LAST_YEAR = 2023;

export interface Size {
  readonly instruments: number;
  readonly years: number;
  /** Time of the peer for one round of one figure. */
  readonly budgetMs: number;
}

function roundPrices(series: BarSeries, decimals: number): BarSeries {
  const rounded = allocateSeries(series.length);
  rounded.day.set(series.day);
  for (const name of VALUE_COLUMNS) rounded[name].set(series[name].map((value) => Number(value.toFixed(decimals))));
  return rounded;
}

/** Bars of instruments that have one on every session: peers that hold many in one table have no room for a missing one. */
function barsFor({ priceDecimals }: Peer, { instruments, years }: Size) {
  const some = sampleSeries(3 * instruments, LAST_YEAR - years + 1, LAST_YEAR);
  const sessions = Math.max(...some.map(({ series }) => series.length));
  const whole = some.filter(({ series }) => series.length === sessions).slice(0, instruments);
  if (whole.length < instruments) throw new Error(`only ${whole.length} instruments have a bar on every session`);
  return whole.map(({ symbol, series }) =>
    toJson({ symbol, series: priceDecimals === undefined ? series : roundPrices(series, priceDecimals) }),
  );
}

/** `python`: the interpreter of the peer's environment. */
export async function comparePeer(
  peer: Peer,
  python: string,
  size: Size,
): Promise<{ readonly result: PeerResult; readonly unexplained: readonly Comparison[] }> {
  const bars = barsFor(peer, size);
  const theirs = await Side.start(peer.name, python, peer.script);
  const ours = await Side.startOurs();
  try {
    for (const side of [theirs, ours]) await side.load(bars);
    const speed = await measureSpeed(peer, { theirs, ours }, size);
    const strategies: Comparison[] = [];
    const unexplained: Comparison[] = [];
    for (const run of peer.fills.flatMap(allRuns)) {
      const results = await Promise.all([theirs.trades(run), ours.trades(run)]);
      const { comparison, isExplained } = compareResults(run, ...results, peer.exceptions);
      strategies.push(comparison);
      if (!isExplained) unexplained.push(comparison);
    }
    const { name, note } = peer;
    return { result: { name, version: theirs.version, strategies, speed, note }, unexplained };
  } finally {
    await Promise.all([theirs.end(), ours.end()]);
  }
}
