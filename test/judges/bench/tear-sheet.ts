/** Measures the computation of a tear sheet, and how often verdicts err where nobody has skill. */
import type { Execution } from '../../../engine/backtest/execution.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import type { BarSeries } from '../../../engine/market/series.ts';
import { holdingReturns } from '../../../engine/portfolio/benchmark.ts';
import { rounded, type TearSheetInput, tearSheetOf } from '../../../engine/tear-sheet/tear-sheet.ts';
import { readConfig } from '../../../ops/config.ts';
import { lehmer } from '../../support/series.ts';
import { CALIBRATION_PATHS, calibrate, calibrationOf, NAMES, YEARS } from '../calibration/calibration.ts';
import { loadedSeries } from '../calibration/loaded-series.ts';
import { Population } from '../calibration/paths.ts';
import { type Bench, walk } from './market.ts';
import { alone, type Figure, figure, IS_QUICK, timed } from './measure.ts';

/** Bars of five years. */
const BARS = 1_260;
const CASH = 100_000;
const SEED = '0123456789abcdef';
const EXECUTION: Execution = {
  executeOn: 'close',
  commissionRate: 0,
  minCommission: 0,
  slippageBps: 0,
  initialCapital: CASH,
};
const DAYS = Int32Array.from(sessionsBetween(requireDay('2019-01-02'), requireDay('2024-03-28')));

/** Sessions from the purchase to the sale. */
interface Held {
  readonly entry: number;
  readonly exit: number;
}

/** Positions that begin and end at random. */
function randomPositions(bars: number, random: () => number): Held[] {
  const positions: Held[] = [];
  let at = Math.floor(40 * random());
  while (at < bars - 2) {
    const exit = Math.min(bars - 1, at + 1 + Math.floor(30 * random()));
    positions.push({ entry: at, exit });
    at = exit + 1 + Math.floor(40 * random());
  }
  return positions;
}

/** The equity of holding everything during the positions. */
function equityOf(close: Float64Array, positions: readonly Held[]): Float64Array {
  const equity = new Float64Array(close.length);
  let [cash, at] = [CASH, 0];
  for (const { entry, exit } of positions) {
    equity.fill(cash, at, entry);
    for (let t = entry; t <= exit; t++) equity[t] = (cash * close[t]) / close[entry];
    cash = equity[exit];
    at = exit + 1;
  }
  return equity.fill(cash, at);
}

function sheetInput(bars: BarSeries, positions: readonly Held[]): TearSheetInput {
  const equity = equityOf(bars.close, positions);
  const sessions = bars.length;
  const column = () => new Float64Array(sessions).fill(1);
  return {
    days: DAYS.subarray(0, sessions),
    equity,
    initialCapital: CASH,
    benchmark: bars.close,
    factors: [{ symbol: 'X', value: bars.close, first: 0 }],
    trades: positions.map(({ entry, exit }) => {
      const pnl = equity[exit] - equity[entry];
      return {
        symbol: 'X',
        entryDay: DAYS[entry],
        entrySession: entry,
        barsHeld: exit - entry,
        entryPrice: bars.close[entry],
        exitPrice: bars.close[exit],
        shares: equity[entry] / bars.close[entry],
        pnl,
        pnlPct: (100 * pnl) / equity[entry],
        commission: 0,
        slippage: 0,
        maePct: 0,
        mfePct: 0,
        exitReason: 'signal',
      };
    }),
    positions: null,
    market: holdingReturns(bars.close),
    holdings: { positions: new Int32Array(sessions).fill(1), invested: column(), largest: column(), squares: column() },
    seed: SEED,
    single: { bars, execution: EXECUTION },
  };
}

const benchSheet: Bench = () => {
  const bars = walk(BARS, 1, 0.49);
  const input = sheetInput(bars, randomPositions(BARS, lehmer(2)));
  const work = () => JSON.stringify(rounded(tearSheetOf(input)));
  return alone(`${BARS} returns, all sections, 1,000 resamples, as JSON`, () => timed(work));
};

/**
 * How often each kind of sentence claims more than chance where nobody has skill (`test/judges/calibration`): on days of the sample
 * market, and of the loaded one where the configuration has another.
 */
const benchCalibration: Bench = async () => {
  const paths = IS_QUICK ? 5 : CALIBRATION_PATHS;
  const config = readConfig();
  const loaded = config.PROVIDER === 'sample' ? [] : await loadedSeries(config, NAMES);
  const rows = (truths: ReturnType<typeof calibrate>, market: string, note: string) =>
    Object.entries(truths).flatMap(([truth, { together }]) =>
      Object.entries(together).map(([years, share]): [string, Figure] => [
        `calibration.${market}${truth}_${years}`,
        figure(share, note),
      ]),
    );
  const note = 'share of all claims about strategies without skill';
  return new Map([
    ...rows(calibrationOf(paths).truths, '', note),
    ...(loaded.length > 0
      ? rows(calibrate(paths, YEARS, new Population(loaded)), 'loaded_', `${note}, loaded market`)
      : []),
  ]);
};

export const TEAR_SHEET = { 'tear_sheet.ms': benchSheet, calibration: benchCalibration };
