/** What a job handler is given. */
import type { Logger } from 'pino';
import { isDatabaseFull } from '../db/errors.ts';
import type { Pool } from '../db/pool.ts';
import { type ObjectStorage, StorageFull } from '../storage/storage.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Provider } from './providers/provider.ts';

export interface JobContext {
  readonly pool: Pool;
  readonly provider: Provider;
  readonly storage: ObjectStorage;
  readonly mailer: Mailer;
  /** Keys the hashes of login codes. */
  readonly loginCodeKey: string;
  /** A load that the provider asks more for is refused, in US dollars. */
  readonly maxLoadCostUsd: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
  /** Aborted when the job was cancelled, ran too long, or the worker stops. */
  readonly signal: AbortSignal;
  /** From 0. */
  readonly attempt: number;
  /** Whether no attempt follows when this one fails. */
  readonly isLastAttempt: boolean;
}

/** A failure that trying again cannot mend. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure';
}

/** Whether there is no room for what a job has to write. */
export function isOutOfSpace(error: unknown): boolean {
  return error instanceof StorageFull || isDatabaseFull(error);
}

/** Whether another attempt of a job would fail as this one did. */
export function isPermanent(error: unknown): boolean {
  return error instanceof PermanentFailure || isOutOfSpace(error);
}
