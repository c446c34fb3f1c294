/** Kinds of runs whose equity is measured: everything that a kind has, from what only such a kind supplies. */
import type { Queryable } from '../../db/pool.ts';
import type { StoredResult } from '../../db/runs/run-results.ts';
import type { RunSpec } from '../contracts/backtest.ts';
import type { Figures, MeasuredKind, RunKind, RunOutcome } from './kind.ts';
import { computeResult, tearSheetOfRun } from './result.ts';
import { type KeptSummary, keptSummary } from './summary.ts';
import { type RunSelection, selectionOfRun } from './trials.ts';

export function measured<Spec extends RunSpec, Data extends object, Outcome extends RunOutcome>(
  kind: MeasuredKind<Spec, Data, Outcome>,
): RunKind<Spec, Data> {
  const figures = (summary: object) => figuresOf(summary, kind.metricNames);
  return {
    ...kind,
    result: (db, spec, data, ledger, computation) => computeResult(db, kind, spec, data, ledger, computation),
    selection: (db, userId, spec, result) => selectionIn(db, userId, kind, spec, result),
    figures,
    digested: (summary) => {
      const { start_date, end_date, statistics = null } = keptSummary(summary);
      return { start_date, end_date, metrics: figures(summary), statistics };
    },
    tearSheet: async (db, spec, data, ledger, comparison) => {
      const outcome = 'failure' in data ? data : await kind.compute(spec, data, ledger);
      if (!('failure' in outcome)) return tearSheetOfRun(db, kind, spec, outcome, comparison);
      return outcome.failure.code === 'no_bars_in_range' ? null : outcome;
    },
  };
}

export function selectionIn<Spec extends RunSpec, Data extends object, Outcome extends RunOutcome>(
  db: Queryable,
  userId: number | null,
  kind: MeasuredKind<Spec, Data, Outcome>,
  spec: Spec,
  { summary }: StoredResult,
): Promise<RunSelection> {
  const { selection_basis: basis }: KeptSummary = JSON.parse(summary);
  const trials = kind.trials(spec, [spec.params]);
  return selectionOfRun(db, userId, { trials, basis, form: kind.canonical(spec), isWanted: spec.includeStatistics });
}

/** Figures of a summary, by name; null: it has none of the name. */
function figuresOf(summary: object, names: readonly string[]): Figures {
  const all = new Map<string, unknown>(Object.entries(summary));
  return Object.fromEntries(
    names.map((name) => {
      const value = all.get(name);
      return [name, typeof value === 'number' ? value : null];
    }),
  );
}
