/** The figures of a factor study before and after a load. */
import { text } from 'node:stream/consumers';
import { type Computed, selectEarlierFigures, type WaitingImpact } from '../../db/runs/impacts.ts';
import type { ImpactFigures } from '../../db/schema/runs.ts';
import type { Sweep } from '../../db/sweeps/sweeps.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { sweepResultKey } from '../../storage/keys.ts';
import { type FactorSpec, factorSpecSchema } from '../contracts/factors.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { computeFactors } from '../factors/chunk.ts';
import { type FactorView, withoutSeries } from '../factors/result.ts';
import type { ReadContext } from '../runs/kind.ts';
import { deletedColumn } from '../runs/own-columns.ts';
import { resultDigest } from '../runs/receipt.ts';
import { NOT_COMPUTED, UNCHANGED } from './figures.ts';

/** Factors that are computed in one pass over the universe. */
const AT_ONCE = 25;

const icOf = ({ horizons }: FactorView) => horizons[0]?.ic.mean ?? null;

/** The factor of the largest mean coefficient, either way. */
function strongestOf(views: readonly FactorView[]): ImpactFigures {
  const strength = (view: FactorView) => Math.abs(icOf(view) ?? 0);
  const strongest = views.reduce((best, view) => (strength(view) > strength(best) ? view : best));
  return { factor: strongest.name, ic: icOf(strongest) };
}

const digestOf = (views: readonly FactorView[]) => resultDigest({ factors: views.map(withoutSeries) });

async function computeAgain(context: ReadContext, spec: FactorSpec): Promise<FactorView[]> {
  const views: FactorView[] = [];
  const places = [...spec.factors.keys()];
  for (let at = 0; at < places.length; at += AT_ONCE) {
    const { factors } = await computeFactors(context, spec, places.slice(at, at + AT_ONCE));
    views.push(...factors.map(({ view }) => view));
  }
  return views;
}

/** Compares the figures of now with those of the last load that changed them, or with the stored ones. */
export async function compareStudy(
  context: ReadContext & Pick<JobContext, 'storage'>,
  { id, userId, spec: given }: Sweep,
  waiting: WaitingImpact,
): Promise<Computed> {
  const { pool, storage } = context;
  const spec = factorSpecSchema.parse(given);
  const content = await storage.get(sweepResultKey(userId, id));
  if (content === null || (await deletedColumn(pool, spec)) !== null) return NOT_COMPUTED;
  const kept: { readonly engine_version: string; readonly factors: readonly FactorView[] } = JSON.parse(
    await text(content),
  );
  const earlier = await selectEarlierFigures(pool, waiting);
  if (earlier === null && kept.engine_version !== ENGINE_VERSION) return NOT_COMPUTED;
  const views = await computeAgain(context, spec);
  const digest = digestOf(views);
  if (digest === (earlier?.digest ?? digestOf(kept.factors))) return UNCHANGED;
  const before = earlier?.after ?? strongestOf(kept.factors);
  return { state: 'changed', before, after: strongestOf(views), digest, change: null };
}
