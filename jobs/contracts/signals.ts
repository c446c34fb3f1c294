/** Signals of watches: evaluated after each load and sent by mail. */
import { emptyPayload, ONE_AT_A_TIME, type QueueContract } from './queue-contract.ts';

/** Symbols of one watch. */
export const MAX_WATCHED = 500;

/** In place of a strategy: the screen of the watch is watched itself. */
export const SCREEN_ITSELF = 'screen';

export const SIGNALS_QUEUE = {
  name: 'signals.evaluate',
  record: null,
  runbook: 'signals',
  lane: 'background',
  payload: emptyPayload,
  options: ONE_AT_A_TIME,
} as const satisfies QueueContract;

export const SIGNAL_MAIL_QUEUE = {
  name: 'signals.mail',
  record: null,
  runbook: 'signals',
  lane: 'mail',
  payload: emptyPayload,
  options: ONE_AT_A_TIME,
} as const satisfies QueueContract;
