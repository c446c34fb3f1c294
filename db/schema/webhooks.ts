/** The tables of webhooks. */
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

export const WEBHOOK_TABLES = {
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
