/** How often growth after a seal lies inside the band that was sealed, of strategies without skill. */
import { PREDICTED, standingOf } from '../../../engine/forward/bands.ts';
import { holdingReturns } from '../../../engine/portfolio/benchmark.ts';
import { UniformDraws } from '../../../engine/statistics/draws.ts';
import { samplePopulation } from './calibration.ts';
import { TRUTHS, type Truth, WARM_UP } from './paths.ts';
import { RULES } from './strategies.ts';

/** Sessions of a sealed run: two years. */
const SEALED = 500;

/** Records in the calibration that is published. */
export const CALIBRATION_RECORDS = 2_000;

/** Shares of the records, of rules in turn, that lie inside the 90 % band after `PREDICTED` sessions. */
export function insideBands(records: number): Readonly<Record<Truth, number>> {
  const shareUnder = (truth: Truth) => {
    const all = samplePopulation();
    const rules = Object.values(RULES);
    let inside = 0;
    for (let record = 0; record < records; record++) {
      const seed = record.toString(16).padStart(16, '0');
      const draws = UniformDraws.fromSeed(seed);
      const [series] = all.draw(truth, SEALED + PREDICTED, draws, [record % 30]);
      const returns = rules[record % rules.length](series, draws);
      const market = holdingReturns(series.close.subarray(WARM_UP));
      const sealed = { returns: returns.slice(0, SEALED), market: market.slice(0, SEALED), seed };
      const live = { returns: returns.slice(SEALED), market: market.slice(SEALED) };
      inside += Number(standingOf(sealed, live)?.growth.isInside ?? true);
    }
    return inside / records;
  };
  const [none, drift] = TRUTHS.map(shareUnder);
  return { none, drift };
}
