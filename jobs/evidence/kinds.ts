/** The kinds of runs whose results accounts keep, and the job that computes a run of each. */
import type { KeptKind } from '../../db/runs/kept-runs.ts';
import { BACKTEST } from '../backtest/kind.ts';
import type { RunSpec } from '../contracts/backtest.ts';
import { isRotationOf } from '../contracts/rotation.ts';
import { comparedSpecSchema, isTargetsOf } from '../contracts/targets.ts';
import { type KeptContext, runOfKind } from '../runs/finish.ts';
import { runFrame } from '../runs/frame.ts';
import type { KeptSpec, MeasuredKind, RunKind, RunOutcome } from '../runs/kind.ts';
import { measured } from '../runs/measured-kind.ts';

/** Work on a run of any kind. */
type Work<T> = <Spec extends KeptSpec, Data extends object>(kind: RunKind<Spec, Data>) => T | Promise<T>;

/** Work on a run that has equity. */
type MeasuredWork<T> = <Spec extends RunSpec, Data extends object, Outcome extends RunOutcome>(
  kind: MeasuredKind<Spec, Data, Outcome>,
) => T | Promise<T>;

type MeasuredKey = Exclude<KeptKind, 'outcomes'>;

/** Kinds whose runs have equity. Code that few runs need is imported at its first use. */
const MEASURED: Readonly<Record<MeasuredKey, <T>(spec: unknown, work: MeasuredWork<T>) => Promise<T>>> = {
  backtest: async (_spec, work) => work(BACKTEST),
  // Rotations and target weights are kept as portfolios.
  portfolio: async (spec, work) =>
    isRotationOf({ spec })
      ? work((await import('../rotation/kind.ts')).ROTATION)
      : isTargetsOf({ spec })
        ? work((await import('../portfolio/targets.ts')).TARGETS)
        : work((await import('../portfolio/kind.ts')).PORTFOLIO),
};

/** Does work with the kind of a run that has equity. */
export function withMeasured<T>(
  { kind, spec }: { readonly kind: MeasuredKey; readonly spec: unknown },
  work: MeasuredWork<T>,
): Promise<T> {
  return MEASURED[kind](spec, work);
}

/** Does work with the kind of a run. */
export async function withKind<T>(
  { kind, spec }: { readonly kind: KeptKind; readonly spec: unknown },
  work: Work<T>,
): Promise<T> {
  if (kind === 'outcomes') return work((await import('../outcomes/kind.ts')).OUTCOMES);
  return withMeasured({ kind, spec }, (one) => work(measured(one)));
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
