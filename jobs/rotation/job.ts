/** The job of a portfolio of either form: a strategy on its instruments, or a rotation. */

import type { StoredResult } from '../../db/runs/run-results.ts';
import { formatDay } from '../../engine/market/dates.ts';
import type { Computation } from '../backtest/receipt.ts';
import { ledgers } from '../backtest/run.ts';
import { type KeptContext, runKept } from '../backtest/run-kept.ts';
import { readComparison } from '../backtest/tear-sheet.ts';
import { type RunSelection, selectionOfRun } from '../backtest/trials.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { isRotationSpec, portfolioRunSpecSchema, type RotationSpec } from '../contracts/rotation.ts';
import { computePortfolio, selectPortfolio } from '../portfolio/run.ts';
import type { PortfolioSummary } from '../portfolio/summary.ts';
import { keptLimits } from './kept-histories.ts';
import { computeRotation, type Failed, type RotationData, type RotationOutcome, readRotationAt } from './run.ts';
import { rotationForm, rotationResult, trialsOfRotation } from './summary.ts';
import { rotationSheet } from './tear-sheet.ts';

type RotationContext = KeptContext & Pick<JobContext, 'signal' | 'rotationBars'>;

export function runPortfolioJob(context: RotationContext, { runId }: { readonly runId: string }): Promise<void> {
  return runKept(context, runId, {
    kind: 'portfolio',
    readSpec: (spec) => portfolioRunSpecSchema.parse(spec),
    compute: (job, spec, version) => {
      if (!isRotationSpec(spec)) return computePortfolio(job, spec, version);
      return computeResult(context, spec, { dataVersion: version, at: new Date(context.now()) });
    },
    select: (db, userId, spec, result): Promise<RunSelection> => {
      if (!isRotationSpec(spec)) return selectPortfolio(db, userId, spec, result);
      const { selection_basis: basis }: PortfolioSummary = JSON.parse(result.summary);
      const selected = { basis, form: rotationForm(spec), isWanted: spec.includeStatistics };
      return selectionOfRun(db, userId, { trials: trialsOfRotation(spec, [spec.params]), ...selected });
    },
  });
}

async function computeResult(
  context: RotationContext,
  spec: RotationSpec,
  computation: Computation,
): Promise<StoredResult | Failed> {
  const ledger = await ledgers.get(context.pool, computation.dataVersion);
  const data = await readRotationAt(context, spec, computation.dataVersion, keptLimits(context.rotationBars));
  if (data === null) return noBarsInRotation(spec);
  const outcome = await computeRotation(spec, data);
  if ('failure' in outcome) return outcome;
  const survivors = spec.survivors ? await computeSurvivors(spec, data) : null;
  if (survivors !== null && 'failure' in survivors) return survivors;
  const result = rotationResult(spec, data, outcome, survivors, ledger, computation);
  if (spec.tearSheet === undefined) return result;
  const made = await rotationSheet(spec, outcome, await readComparison(context.pool, spec.tearSheet, spec));
  return 'failure' in made ? made : { ...result, tearSheet: JSON.stringify(made.sheet) };
}

export async function computeSurvivors(spec: RotationSpec, data: RotationData): Promise<RotationOutcome | Failed> {
  return computeRotation(spec, { ...data, universe: data.universe.survivors() });
}

/** The failure of a run none of whose members has a bar in the range. */
export function noBarsInRotation({ universe, end, asOf }: RotationSpec): Failed {
  const symbols = universe.instruments?.map(({ symbol }) => symbol) ?? [];
  const named = symbols.length > 5 ? [...symbols.slice(0, 5), '…'] : symbols;
  const symbol = named.length === 0 ? formatDay(end ?? asOf) : named.join(', ');
  return { failure: { code: 'no_bars_in_range', details: { symbol } } };
}
