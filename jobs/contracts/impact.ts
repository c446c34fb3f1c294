/** The impact of loads that revise what was served: computed after each of them, and sent by mail. */
import { emptyPayload, ONE_AT_A_TIME, type QueueContract } from './queue-contract.ts';

export const IMPACT_QUEUE = {
  name: 'impact',
  record: null,
  runbook: 'evidence',
  lane: 'compute',
  payload: emptyPayload,
  options: ONE_AT_A_TIME,
} as const satisfies QueueContract;

export const IMPACT_MAIL_QUEUE = {
  name: 'impact.mail',
  record: null,
  runbook: 'evidence',
  lane: 'mail',
  payload: emptyPayload,
  options: ONE_AT_A_TIME,
} as const satisfies QueueContract;
