/** Records factor studies, cut into chunks of factors. */
import type { PgBoss } from 'pg-boss';
import type { Connection } from '../../db/pool.ts';
import type { FactorSpec } from '../contracts/factors.ts';
import type { JobBounds } from '../contracts/queue-contract.ts';
import { enqueueChunks } from '../sweep/enqueue.ts';

/** Each chunk reads all members once: few factors are not cut, many are shared by all workers. */
const CHUNK = { least: 5, most: 25, parts: 4 } as const;

export interface WantedStudy {
  readonly id: string;
  readonly userId: number;
  readonly spec: FactorSpec;
  /** The request body that creates it again. */
  readonly request: object;
  /** Instruments × sessions of one factor, approximately. */
  readonly cellsEach: number;
  readonly bounds?: JobBounds;
  readonly requestId: string;
  readonly at: Date;
}

export async function enqueueStudy(connection: Connection, boss: PgBoss, wanted: WantedStudy): Promise<void> {
  const { cellsEach, ...work } = wanted;
  const chunks = cutFactors(wanted.spec.factors).map((places) => ({
    instruments: places,
    cells: Math.max(1, places.length * cellsEach),
  }));
  await enqueueChunks(connection, boss, { ...work, kind: 'factors', chunks });
}

/** Places of factors. Those of similar texts share values, so they are computed together. */
function cutFactors(factors: FactorSpec['factors']): number[][] {
  const places = [...factors.keys()].sort((a, b) => (factors[a].value < factors[b].value ? -1 : 1));
  const size = Math.min(CHUNK.most, Math.max(CHUNK.least, Math.ceil(places.length / CHUNK.parts)));
  return Array.from({ length: Math.ceil(places.length / size) }, (_, i) => places.slice(i * size, (i + 1) * size));
}
