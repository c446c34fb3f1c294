/** The mail with a login code: the API asks for it and checks the code, a worker draws and sends it. */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { DAY_S, type QueueContract } from './queue-contract.ts';

/** A code expires after ten minutes, and its mail is useless then. */
export const LOGIN_CODE_QUEUE = {
  name: 'mail.login_code',
  record: null,
  runbook: 'login-mails',
  lane: 'interactive',
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

/** The stored form of a code: a keyed hash bound to its e-mail address, so that a stolen table cannot be searched. */
export function hashLoginCode(key: string, email: string, code: string): Buffer {
  return createHmac('sha256', key).update(`${email}\0${code}`).digest();
}

export type MailSettings = { readonly from: string } & ({ readonly smtpUrl: string } | { readonly outbox: string });

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same whenever the mail is sent again, so that mail programs show it once. Absent: it is drawn. */
  readonly messageId?: string;
}

export interface Mailer {
  /** Resolves when the server has accepted the mail or the file is written. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The server rejects this mail permanently; a retry does not help. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}
