/**
 * Backtests of ten years as people send them, kept and with all that a result has: against the same computed in place, and against
 * backtesting.py with its statistics on the same bars.
 */
import { once } from 'node:events';
import { createPool } from '../../../db/pool.ts';
import { sliceSeries } from '../../../engine/market/series.ts';
import { rangeStart } from '../../../engine/market/time-range.ts';
import { required } from '../../../engine/util/values.ts';
import { adjustedSeries } from '../../../jobs/backtest/served-bars.ts';
import { openPythonEnvironment } from '../../support/python-environment.ts';
import { PEERS } from '../peers/peer.ts';
import { GRID } from '../peers/runs.ts';
import { Side } from '../peers/side.ts';
import { type SeriesJson, toJson } from '../truth/sample-series.ts';
import { type Body, computationOf, withService } from './backtest.ts';
import type { Bench } from './market.ts';
import { inTurns, ratioFigure } from './measure.ts';
import { endChild, startTask } from './processes.ts';

const [SYMBOL, STRATEGY, RANGE] = ['ACRX', 'sma_cross', '10Y'] as const;
/** Processes of each side that computes in place. */
const PROCESSES = 2;
const SECONDS = 4;
const PEER_RUNS = 150;

/** Each run has other parameters, so that no result is reused. */
let runs = 0;
export const defaultBody = (): Body => {
  const params = { fast_period: 2 + (runs % 100), slow_period: 110 + Math.floor(runs++ / 100) };
  return { symbol: SYMBOL, strategy: STRATEGY, time_range: RANGE, params };
};
const bodyWith = (more: Partial<Body>) => () => ({ ...defaultBody(), ...more });

/** At each message computes one backtest after the other for some seconds, and answers with how many a second. */
export async function runDefaults([url]: readonly string[]): Promise<void> {
  const pool = createPool({ url, max: 1, applicationName: 'bench-defaults' });
  const { compute } = await computationOf(pool, defaultBody);
  process.on('message', () => {
    const from = performance.now();
    let done = 0;
    for (; performance.now() - from < 1000 * SECONDS; done++) compute();
    process.send?.((1000 * done) / (performance.now() - from));
  });
}

async function openPlace(url: string) {
  const started = await Promise.all(Array.from({ length: PROCESSES }, () => startTask(runDefaults, [url])));
  const rateOf = async ({ child }: (typeof started)[number]): Promise<number> => {
    const done = once(child, 'message');
    child.send('run');
    const [rate] = await done;
    return rate;
  };
  const rate = async () => (await Promise.all(started.map(rateOf))).reduce((sum, one) => sum + one, 0);
  await rate();
  return { rate, close: () => Promise.all(started.map(({ child }) => endChild(child))) };
}

async function openPeer(bars: SeriesJson) {
  const { name, requirements, script } = required(PEERS.find((peer) => peer.name === 'backtesting.py'));
  const { python } = await openPythonEnvironment(requirements, {
    progress: (line) => void process.stderr.write(`${line}\n`),
  });
  const sides = await Promise.all(Array.from({ length: PROCESSES }, () => Side.start(name, python, script)));
  await Promise.all(sides.map((side) => side.load([bars])));
  const run = { strategy: STRATEGY, params: {}, commission: 0, fill: 'close' } as const;
  const rate = async () => {
    const work = { what: 'grid', run, combinations: GRID.slice(0, PEER_RUNS) } as const;
    const ms = await Promise.all(sides.map((side) => side.time(work)));
    return (1000 * PROCESSES * PEER_RUNS) / Math.max(...ms);
  };
  return { rate, version: sides[0].version, close: () => Promise.all(sides.map((side) => side.end())) };
}

const benchDefaults: Bench = (market) =>
  withService(market, {}, async ({ url, pool, rate }) => {
    const { history } = await computationOf(pool, defaultBody);
    const whole = adjustedSeries(history, 'split');
    const start = rangeStart(RANGE, whole.day[whole.length - 1]);
    const from = whole.day.findIndex((day) => day >= (start ?? 0));
    const place = await openPlace(url);
    const peer = await openPeer(toJson({ symbol: SYMBOL, series: sliceSeries(whole, from, whole.length) }));
    const { defaults, bare, sheets, compute, theirs } = await inTurns({
      defaults: () => rate(defaultBody),
      bare: () => rate(bodyWith({ include_statistics: false })),
      sheets: () => rate(bodyWith({ tear_sheet: true })),
      compute: place.rate,
      theirs: peer.rate,
    });
    await Promise.all([place.close(), peer.close()]);
    const beside = (what: string) => `${what} of 16 callers; ${PROCESSES} processes of backtesting.py ${peer.version}`;
    const ratio = (ours: number[], what: string) => ratioFigure(ours, theirs, 'a second', beside(what));
    const inPlace = `runs of 16 callers; the same computed in ${PROCESSES} processes`;
    return new Map([
      ['backtest.default16_vs_compute', ratioFigure(defaults, compute, 'a second', inPlace)],
      ['backtest.default16_vs_backtesting_py', ratio(defaults, 'runs')],
      ['backtest.bare16_vs_backtesting_py', ratio(bare, 'runs without statistics')],
      ['backtest.sheet16_vs_backtesting_py', ratio(sheets, 'runs with tear sheets')],
    ]);
  });

export const DEFAULT_BACKTESTS = { 'backtest.default16': benchDefaults };
