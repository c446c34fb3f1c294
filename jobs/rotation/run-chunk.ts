/** The job that computes a chunk of a rotation for the job of its run. */
import { deserialize, serialize } from 'node:v8';
import { claimChunk, storeChunkResult } from '../../db/runs/rotation-chunks.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { rotationSpecSchema } from '../contracts/rotation.ts';
import { COMPUTE } from './chunks.ts';

export async function runRotationChunk(
  { pool, signal, cost }: Pick<JobContext, 'pool' | 'signal' | 'cost'>,
  { passId, seq, engineVersion }: { readonly passId: string; readonly seq: number; readonly engineVersion: string },
): Promise<void> {
  // During an upgrade, a run is computed by one version.
  if (engineVersion !== ENGINE_VERSION) return;
  const chunk = await claimChunk(pool, passId, seq);
  if (chunk === null) return;
  const { kind, work, spec, secondsMax } = chunk;
  const tooLong = secondsMax === null ? [] : [AbortSignal.timeout(secondsMax * 1_000)];
  const context = { pool, signal: AbortSignal.any([signal, ...tooLong]) };
  const result = await COMPUTE[kind](context, rotationSpecSchema.parse(spec), deserialize(work));
  await storeChunkResult(pool, { passId, seq, result: serialize(result), workerSeconds: cost.seconds() });
}
