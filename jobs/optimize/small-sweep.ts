/** A small sweep, computed by one job like a search: its cells are not stored, only what they come to. */
import { trialsIn } from '../backtest/trials.ts';
import type { SmallSweep } from '../contracts/sweep.ts';
import { computeSweep } from '../sweep/small-sweep.ts';
import type { SearchContext, SearchOutcome } from './search.ts';

export async function runSmallSweep(context: SearchContext, runId: string, small: SmallSweep): Promise<SearchOutcome> {
  const summary = await computeSweep(context, runId, small);
  return { trials: trialsIn({ runId }, []), summary };
}
