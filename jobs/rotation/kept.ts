/** Kept rotations on the data of today, and the proof that they did not look ahead. */
import type { SavedBacktest } from '../../db/runs/kept-runs.ts';
import { adjustToLastBar } from '../../engine/market/adjust.ts';
import { EMPTY_SERIES, sliceSeries } from '../../engine/market/series.ts';
import { type ProvedRotation, proveRotationPrefixes } from '../../engine/rotation/look-ahead.ts';
import { rotationPrograms, rotationRules } from '../../engine/rotation/rules.ts';
import { marketValues } from '../../engine/rotation/values.ts';
import { type RotationSpec, rotationSpecSchema } from '../contracts/rotation.ts';
import type { KeptData, Proof, ReadContext } from '../runs/kind.ts';
import { referencedInstruments } from '../runs/others.ts';
import { NO_DIFFERENCES } from '../runs/past-data.ts';
import { runProof } from '../runs/proof.ts';
import { presentOthers, withPresentId, withPresentIds } from '../runs/recompute.ts';
import { keptLimits } from './kept-histories.ts';
import { computeRotation, type RotationData, readRotation, scheduleOf } from './run.ts';

/** Which bars of a universe changed is not told: the receipt has one digest of all of them. */
export async function readKeptRotation(
  context: ReadContext,
  saved: SavedBacktest,
): Promise<KeptData<RotationSpec, RotationData>> {
  const { pool, rotationBars } = context;
  const kept = rotationSpecSchema.parse(saved.spec);
  const { universe, benchmark } = kept;
  const spec = {
    ...kept,
    others: await presentOthers(pool, kept.others),
    universe: { ...universe, instruments: universe.instruments && (await withPresentIds(pool, universe.instruments)) },
    benchmark: benchmark && (await withPresentId(pool, benchmark)),
  };
  const data = await readRotation(context, spec, keptLimits(rotationBars));
  return { spec, data, differences: async () => NO_DIFFERENCES };
}

/**
 * One pass over the universe is needed for each rebalance, whatever its size: only the chosen members are kept whole in memory. The warm-up
 * is not measured: it has all sessions before the range.
 */
export async function proveRotation(
  context: ReadContext,
  spec: RotationSpec,
  data: RotationData,
): Promise<Proof | null> {
  const outcome = await computeRotation(spec, data);
  if ('failure' in outcome) return null;
  const { universe, panel, rule } = outcome;
  const chosen = panel.members.flatMap(({ to }, member) => (to > 0 ? [member] : []));
  const histories = await universe.historiesOf(chosen);
  const programs = rotationPrograms(rotationRules(spec.texts), spec.params);
  const others = referencedInstruments(data.others, spec.adjust);
  const rotation: ProvedRotation = {
    panel,
    rule,
    cut: (member, to) => {
      const history = histories.get(member);
      if (to === 0 || history === undefined) return EMPTY_SERIES;
      return adjustToLastBar(sliceSeries(history.series, 0, to), history.events, spec.adjust);
    },
    valuesOf: (cut, sessions) => {
      const market = universe.marketThrough(cut.clock[cut.clock.length - 1]);
      return marketValues(market, cut, programs, sessions, others);
    },
    schedule: scheduleOf(spec, spec.params),
    execution: spec.execution,
  };
  const { first: available } = universe;
  return {
    proof: await runProof(context, proveRotationPrefixes(rotation)),
    warmUp: { available, needed: available, compared: [available] },
    proved: null,
  };
}
