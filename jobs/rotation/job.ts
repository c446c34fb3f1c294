/** The job of a portfolio of either form: a strategy on its instruments, or a rotation. */
import { isRotationOf } from '../contracts/rotation.ts';
import { PORTFOLIO } from '../portfolio/kind.ts';
import { type KeptContext, runOfKind } from '../runs/finish.ts';
import { runFrame } from '../runs/frame.ts';
import { ROTATION } from './kind.ts';

export function runPortfolioJob(context: KeptContext, { runId: id }: { readonly runId: string }): Promise<void> {
  return runFrame(context, id, (run) =>
    isRotationOf({ spec: JSON.parse(run.spec) })
      ? runOfKind(context, ROTATION, { id, keptAs: 'portfolio' }, run)
      : runOfKind(context, PORTFOLIO, { id, keptAs: 'portfolio' }, run),
  );
}
