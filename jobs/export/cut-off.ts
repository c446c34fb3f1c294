/** The cut-off of exports, for the API and the command line. */
import { type Day, newYorkDay } from '../../engine/market/dates.ts';
import { DAYS_HELD_BACK, type DistributionMode } from '../../engine/market/distribution.ts';

/**
 * The newest day that the file of an export may hold. `at` is the time of the request (epoch milliseconds); a
 * retry keeps the cut-off of the first attempt.
 */
export function exportCutOff(at: number, mode: DistributionMode): Day {
  return newYorkDay(at) - DAYS_HELD_BACK[mode];
}
