/** The contracts of all queues. */
import type { z } from 'zod';
import { fromKeys, keysOf } from '../../engine/util/values.ts';
import { BACKUP_QUEUE, DRILL_QUEUE } from './backup.ts';
import { NEWEST_CLAIMS_QUEUE } from './claims.ts';
import { COMPARE_QUEUE } from './compare.ts';
import { VERIFY_SAMPLE_QUEUE } from './evidence.ts';
import { ACCOUNT_EXPORT_QUEUE, EXPORT_EXPIRE_QUEUE, EXPORT_QUEUE } from './export.ts';
import { FORWARD_QUEUE } from './forward.ts';
import { IMPACT_MAIL_QUEUE, IMPACT_QUEUE } from './impact.ts';
import { LAKE_QUEUE } from './lake.ts';
import { LOGIN_CODE_QUEUE } from './mail.ts';
import type { Lane, QueueContract } from './queue-contract.ts';
import { RUN_KINDS } from './run-kinds.ts';
import { SIGNAL_MAIL_QUEUE, SIGNALS_QUEUE } from './signals.ts';
import { SNAPSHOT_QUEUE } from './snapshot.ts';
import { REMOVE_OBJECTS_QUEUE, REMOVE_ORPHANS_QUEUE } from './storage.ts';
import { SWEEP_ASSEMBLE_QUEUE, SWEEP_CHUNK_QUEUE } from './sweep.ts';
import { SYNC_ADJUSTMENTS_QUEUE, SYNC_DAILY_BARS_QUEUE, SYNC_SYMBOLS_QUEUE } from './sync.ts';
import { WEBHOOKS_QUEUE } from './webhooks.ts';

export const QUEUES = {
  ...fromKeys(keysOf(RUN_KINDS), (kind) => RUN_KINDS[kind].queue),
  [SWEEP_CHUNK_QUEUE.name]: SWEEP_CHUNK_QUEUE,
  [SWEEP_ASSEMBLE_QUEUE.name]: SWEEP_ASSEMBLE_QUEUE,
  [VERIFY_SAMPLE_QUEUE.name]: VERIFY_SAMPLE_QUEUE,
  [LOGIN_CODE_QUEUE.name]: LOGIN_CODE_QUEUE,
  [EXPORT_QUEUE.name]: EXPORT_QUEUE,
  [ACCOUNT_EXPORT_QUEUE.name]: ACCOUNT_EXPORT_QUEUE,
  [EXPORT_EXPIRE_QUEUE.name]: EXPORT_EXPIRE_QUEUE,
  [SNAPSHOT_QUEUE.name]: SNAPSHOT_QUEUE,
  [SIGNALS_QUEUE.name]: SIGNALS_QUEUE,
  [SIGNAL_MAIL_QUEUE.name]: SIGNAL_MAIL_QUEUE,
  [WEBHOOKS_QUEUE.name]: WEBHOOKS_QUEUE,
  [LAKE_QUEUE.name]: LAKE_QUEUE,
  [NEWEST_CLAIMS_QUEUE.name]: NEWEST_CLAIMS_QUEUE,
  [FORWARD_QUEUE.name]: FORWARD_QUEUE,
  [IMPACT_QUEUE.name]: IMPACT_QUEUE,
  [IMPACT_MAIL_QUEUE.name]: IMPACT_MAIL_QUEUE,
  [COMPARE_QUEUE.name]: COMPARE_QUEUE,
  [REMOVE_ORPHANS_QUEUE.name]: REMOVE_ORPHANS_QUEUE,
  [REMOVE_OBJECTS_QUEUE.name]: REMOVE_OBJECTS_QUEUE,
  [BACKUP_QUEUE.name]: BACKUP_QUEUE,
  [DRILL_QUEUE.name]: DRILL_QUEUE,
  [SYNC_SYMBOLS_QUEUE.name]: SYNC_SYMBOLS_QUEUE,
  [SYNC_ADJUSTMENTS_QUEUE.name]: SYNC_ADJUSTMENTS_QUEUE,
  [SYNC_DAILY_BARS_QUEUE.name]: SYNC_DAILY_BARS_QUEUE,
} as const satisfies Record<string, QueueContract>;

export type QueueName = keyof typeof QUEUES;
export type Payload<Q extends QueueName> = z.infer<(typeof QUEUES)[Q]['payload']>;
export const isQueueName = (name: string): name is QueueName => Object.hasOwn(QUEUES, name);
export const QUEUE_NAMES: readonly QueueName[] = Object.keys(QUEUES).filter(isQueueName);

export const queuesOf = (lane: Lane): QueueName[] => QUEUE_NAMES.filter((name) => QUEUES[name].lane === lane);
