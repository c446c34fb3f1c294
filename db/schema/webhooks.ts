/** The tables of events that accounts are told, and of webhooks. */
import { bigint, boolean, integer, json, nullable, oneOf, text, textArray, timestamptz, uuid } from './columns.ts';

/** The outcome of an attempt. */
export interface DeliveryAnswer {
  /** ISO instant. */
  readonly at: string;
  readonly ms: number;
  /** HTTP status; null: no answer. */
  readonly status: number | null;
  /** Why there was none. */
  readonly error: string | null;
}

/** The request of an attempt, byte by byte. */
export interface DeliveryRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const WEBHOOK_TABLES = {
  /** Kept for a day. */
  account_events: {
    id: bigint,
    /** Its place in the order of commits; null: it has none yet. */
    seq: nullable(bigint),
    /** Null: of everybody. */
    user_id: nullable(bigint),
    event: oneOf('job.progress', 'run.ended', 'data.loaded', 'signals.ready', 'run.revised', 'limit.near'),
    data: json<Readonly<Record<string, unknown>>>(),
    created_at: timestamptz,
  },
  webhook_deliveries: {
    /** Identifies the event to its receiver; the same in every attempt. */
    id: uuid,
    webhook_id: bigint,
    event: text,
    data: json<Readonly<Record<string, unknown>>>(),
    status: oneOf('pending', 'delivered', 'failed'),
    /** Since it was sent, or sent again. */
    attempts: integer,
    /** The newest last. */
    answers: json<readonly DeliveryAnswer[]>(),
    /** The request of the newest attempt; null: there was none. */
    sent: nullable(json<DeliveryRequest>()),
    created_at: timestamptz,
    /** Moment of the next attempt; -infinity: at once; null: none follows. */
    due_at: nullable(timestamptz),
  },
  webhooks: {
    id: bigint,
    user_id: bigint,
    url: text,
    events: textArray,
    /** Signs deliveries; base64. */
    secret: text,
    is_enabled: boolean,
    created_at: timestamptz,
  },
};
