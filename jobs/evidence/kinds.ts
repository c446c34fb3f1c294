/** The kinds of runs whose results accounts keep, and the job that computes a run of each. */
import type { KeptKind } from '../../db/runs/kept-runs.ts';
import { BACKTEST } from '../backtest/kind.ts';
import type { RunSpec } from '../contracts/backtest.ts';
import { isRotationOf } from '../contracts/rotation.ts';
import { comparedSpecSchema, isTargetsOf } from '../contracts/targets.ts';
import { type KeptContext, runOfKind } from '../runs/finish.ts';
import { runFrame } from '../runs/frame.ts';
import type { RunKind, RunOutcome } from '../runs/kind.ts';

/** Work on a run of any kind. */
type Work<T> = <Spec extends RunSpec, Data extends object, Outcome extends RunOutcome>(
  kind: RunKind<Spec, Data, Outcome>,
) => T | Promise<T>;

/** Does work with the kind of a run. Code that few runs need is imported at its first use. */
const KINDS: Readonly<Record<KeptKind, <T>(spec: unknown, work: Work<T>) => Promise<T>>> = {
  backtest: async (_spec, work) => work(BACKTEST),
  // Rotations and target weights are kept as portfolios.
  portfolio: async (spec, work) =>
    isRotationOf({ spec })
      ? work((await import('../rotation/kind.ts')).ROTATION)
      : isTargetsOf({ spec })
        ? work((await import('../portfolio/targets.ts')).TARGETS)
        : work((await import('../portfolio/kind.ts')).PORTFOLIO),
};

export function withKind<T>(
  { kind, spec }: { readonly kind: KeptKind; readonly spec: unknown },
  work: Work<T>,
): Promise<T> {
  return KINDS[kind](spec, work);
}

/** The job of the runs that are kept as `keptAs`. */
export function keptRunJob(keptAs: KeptKind) {
  return (context: KeptContext, { runId: id }: { readonly runId: string }): Promise<void> =>
    runFrame(context, id, async (run) => {
      const spec: unknown = JSON.parse(run.spec);
      const compared = keptAs === 'portfolio' ? comparedSpecSchema.safeParse(spec) : null;
      if (compared?.success) return (await import('../portfolio/compared.ts')).runCompared(context, compared.data, run);
      return withKind({ kind: keptAs, spec }, (kind) => runOfKind(context, kind, { id, keptAs }, run));
    });
}
