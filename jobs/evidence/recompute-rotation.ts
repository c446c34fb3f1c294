/** Computes a kept rotation again on the present data. */
import type { Pool } from '../../db/pool.ts';
import type { SavedBacktest } from '../../db/runs/kept-runs.ts';
import type { StoredResult } from '../../db/runs/run-results.ts';
import { type Computation, specDigest } from '../backtest/receipt.ts';
import { ledgers } from '../backtest/run.ts';
import { type RotationSpec, rotationSpecSchema } from '../contracts/rotation.ts';
import { computeSurvivors } from '../rotation/job.ts';
import { computeRotation, type RotationData, readRotation } from '../rotation/run.ts';
import { rotationDataDigest, rotationForm, rotationResult } from '../rotation/summary.ts';
import { NO_DIFFERENCES } from './past-data.ts';
import { presentId, presentOthers, type Recomputed } from './recompute-backtest.ts';

/** The specification with the present ids of its instruments. */
export async function keptRotation(pool: Pool, saved: SavedBacktest): Promise<RotationSpec> {
  const spec = rotationSpecSchema.parse(saved.spec);
  const { universe, benchmark } = spec;
  const instruments: NonNullable<RotationSpec['universe']['instruments']> = [];
  for (const one of universe.instruments ?? []) instruments.push({ ...one, instrumentId: await presentId(pool, one) });
  return {
    ...spec,
    others: await presentOthers(pool, spec.others),
    universe: { ...universe, instruments: universe.instruments === null ? null : instruments },
    benchmark: benchmark && { ...benchmark, instrumentId: await presentId(pool, benchmark) },
  };
}

/** Which bars of a universe changed is not told: the receipt has one digest of all of them. */
export async function recomputeRotation(
  pool: Pool,
  saved: SavedBacktest,
  computation: Computation,
): Promise<Recomputed> {
  const spec = await keptRotation(pool, saved);
  const data = await readRotation({ pool, signal: new AbortController().signal }, spec);
  return {
    result: data && (await resultOf(pool, spec, data, computation)),
    specDigest: (engineVersion) => specDigest(rotationForm(spec, engineVersion)),
    dataDigest: data === null ? '' : rotationDataDigest(spec, data),
    differences: async () => NO_DIFFERENCES,
  };
}

async function resultOf(
  pool: Pool,
  spec: RotationSpec,
  data: RotationData,
  computation: Computation,
): Promise<StoredResult | null> {
  const ledger = await ledgers.get(pool, computation.dataVersion);
  const outcome = await computeRotation(spec, data);
  if ('failure' in outcome) return null;
  const survivors = spec.survivors ? await computeSurvivors(spec, data) : null;
  if (survivors !== null && 'failure' in survivors) return null;
  return rotationResult(spec, data, outcome, survivors, ledger, computation);
}
