/** The job of a backtest. */
import { type KeptContext, runOfKind } from '../runs/finish.ts';
import { runFrame } from '../runs/frame.ts';
import { BACKTEST } from './kind.ts';

export function runBacktestJob(context: KeptContext, { runId }: { readonly runId: string }): Promise<void> {
  return runFrame(context, runId, (run) => runOfKind(context, BACKTEST, { id: runId, keptAs: 'backtest' }, run));
}
