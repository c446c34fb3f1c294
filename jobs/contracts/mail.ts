/** The mail with a login code: the API queues it and checks the code; a worker generates and sends the code. */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { DAY_S, type QueueContract } from './queue-contract.ts';

/** The job expires with its code, after ten minutes. */
export const LOGIN_CODE_QUEUE = {
  name: 'mail.login_code',
  record: null,
  runbook: 'login-mails',
  lane: 'mail',
  payload: z.object({ loginRequestId: z.number().int().positive(), requestId: z.string().nullable() }),
  options: {
    policy: 'standard',
    retryLimit: 6,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 120,
    expireInSeconds: 60,
    heartbeatSeconds: 15,
    retentionSeconds: 600,
    deleteAfterSeconds: DAY_S,
  },
} as const satisfies QueueContract;

/** The stored form of a code: a keyed hash with its e-mail address, so that a stolen table reveals no code. */
export function hashLoginCode(key: string, email: string, code: string): Buffer {
  return createHmac('sha256', key).update(`${email}\0${code}`).digest();
}

export type MailSettings = { readonly from: string } & ({ readonly smtpUrl: string } | { readonly outbox: string });

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** An id that every attempt has, so that mail programs show the mail once. Absent: a random one. */
  readonly messageId?: string;
}

export interface Mailer {
  /** Resolves when the server has accepted the mail or the file is written. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The server refuses this mail permanently; a retry does not help. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}
