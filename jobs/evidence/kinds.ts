/** The kinds of runs whose results accounts keep. */
import type { SavedBacktest } from '../../db/runs/kept-runs.ts';
import { BACKTEST } from '../backtest/kind.ts';
import type { RunSpec } from '../contracts/backtest.ts';
import { isRotationOf } from '../contracts/rotation.ts';
import { PORTFOLIO } from '../portfolio/kind.ts';
import { ROTATION } from '../rotation/kind.ts';
import type { RunKind } from '../runs/kind.ts';

/** Work on a run of any kind. */
type Work<T> = <Spec extends RunSpec, Data extends object, Outcome extends object>(
  kind: RunKind<Spec, Data, Outcome>,
) => T;

/** Does `work` with the kind of a run. `keptAs`: a rotation is kept as a portfolio. */
export function withKind<T>(
  { kind: keptAs, spec }: Pick<SavedBacktest, 'kind'> & { readonly spec: unknown },
  work: Work<T>,
): T {
  if (isRotationOf({ spec })) return work(ROTATION);
  return keptAs === 'portfolio' ? work(PORTFOLIO) : work(BACKTEST);
}
