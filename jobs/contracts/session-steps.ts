/** The steps of a session: which queue has the jobs of each, and by when each is to be done. */
import type { SessionStep } from '../../db/queue/session-steps.ts';
import type { Day, EpochMs } from '../../engine/market/dates.ts';
import { newYorkTime } from '../../engine/market/dates.ts';
import { fromKeys } from '../../engine/util/values.ts';
import { IMPACT_QUEUE } from './impact.ts';
import { LAKE_QUEUE } from './lake.ts';
import type { QueueName } from './queues.ts';
import { SIGNALS_QUEUE } from './signals.ts';
import { SNAPSHOT_QUEUE } from './snapshot.ts';
import { SYNC_DAILY_BARS_QUEUE } from './sync.ts';
import { WEBHOOKS_QUEUE } from './webhooks.ts';

/** Steps that a job of their own takes for the newest session, in their order. */
export const MARKET_STEP_QUEUES = {
  snapshot: SNAPSHOT_QUEUE.name,
  lake: LAKE_QUEUE.name,
  impact: IMPACT_QUEUE.name,
  signals: SIGNALS_QUEUE.name,
  webhooks: WEBHOOKS_QUEUE.name,
} as const satisfies Partial<Record<SessionStep, QueueName>>;
export type MarketStep = keyof typeof MARKET_STEP_QUEUES;
export const isMarketStep = (step: SessionStep): step is MarketStep => Object.hasOwn(MARKET_STEP_QUEUES, step);

/** Null: no job takes the step. */
export function queueOfStep(step: SessionStep): QueueName | null {
  if (step === 'check') return null;
  return isMarketStep(step) ? MARKET_STEP_QUEUES[step] : SYNC_DAILY_BARS_QUEUE.name;
}

const DEADLINE_NAMES = ['load', 'check', 'snapshot', 'lake', 'signals', 'webhooks', 'impact'] as const;
type DeadlineName = (typeof DEADLINE_NAMES)[number];

/** Minutes after midnight in New York, on the calendar day after the session. */
export type Deadlines = Readonly<Record<DeadlineName, number>>;
export const DEFAULT_DEADLINES: Deadlines = fromKeys(DEADLINE_NAMES, () => 8 * 60);

export function dueAt(deadlines: Deadlines, step: SessionStep, day: Day): EpochMs {
  const name = DEADLINE_NAMES.find((one) => one === step) ?? 'load';
  return newYorkTime(day + 1, 0, deadlines[name]);
}
