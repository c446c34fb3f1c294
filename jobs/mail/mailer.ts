/** Sends mail: by SMTP if a server is configured, and otherwise into the outbox, a folder of `.eml` files. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { codeOf, stringProperty, toError } from '../../engine/util/errors.ts';
import { type Mailer, MailRefused, type MailSettings } from '../contracts/mail.ts';

/** Codes of the client for failures without a reply. */
const MAIL_CODES = new Set(['EAUTH', 'ECONNECTION', 'EDNS', 'ENOTFOUND', 'EPROTOCOL', 'ESOCKET', 'ETLS']);
const TIMEOUTS_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** `now`: epoch milliseconds, for the names of files. */
export function openMailer(settings: MailSettings, now: () => number): Mailer {
  return 'smtpUrl' in settings
    ? smtpMailer(settings.from, settings.smtpUrl)
    : outboxMailer(settings.from, settings.outbox, now);
}

function smtpMailer(from: string, url: string): Mailer {
  const transport = createTransport({ url, ...TIMEOUTS_MS, disableFileAccess: true, disableUrlAccess: true });
  return {
    send: async (mail) => {
      await transport.sendMail({ from, ...mail }).catch((error) => {
        throw failureOf(error);
      });
    },
    close: () => transport.close(),
  };
}

/** A failure by its codes alone: the sentences of mail servers name the address of the reader. */
function failureOf(error: unknown): Error {
  const status = Reflect.get(toError(error), 'responseCode');
  if (typeof status !== 'number') {
    const words = [codeOf(error) ?? '', ...toError(error).message.split(/[\s:]+/)];
    const codes = new Set(words.filter((word) => MAIL_CODES.has(word) || word in constants.errno));
    return new Error(`the mail server cannot be used: ${[...codes].join(' ') || 'unknown'}`);
  }
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(stringProperty(error, 'response') ?? '')?.[1];
  const message = `the mail server refused the mail with code ${status}${enhanced ? ` ${enhanced}` : ''}`;
  return status >= 500 ? new MailRefused(message) : new Error(message);
}

function outboxMailer(from: string, folder: string, now: () => number): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail({ from, ...mail, textEncoding: 'quoted-printable' });
      if (!Buffer.isBuffer(message)) throw new TypeError('the option `buffer` gives the message as a buffer');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Names sort by time even with a pinned clock, so the newest mail is the last.
      const time = new Date(now()).toISOString().replaceAll(':', '');
      const sequence = process.hrtime.bigint().toString().padStart(20, '0');
      const name = `${time}-${sequence}-${randomBytes(4).toString('hex')}.eml`;
      const temporary = join(folder, `.${name}`);
      try {
        await writeFile(temporary, message, { mode: 0o600 });
        await rename(temporary, join(folder, name));
      } finally {
        await rm(temporary, { force: true });
      }
    },
    close: () => {},
  };
}

export interface SentCode {
  readonly code: string;
  /** The Date header. */
  readonly sentAt: string;
}

/** The code of the newest login mail to an address in the outbox folder; null when there is none. */
export async function readNewestLoginCode(folder: string, email: string): Promise<SentCode | null> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[^.].*\.eml$/.test(name));
  for (const name of names.sort().reverse()) {
    const mail = await readFile(join(folder, name), 'utf8');
    const [headers] = mail.split('\n\n', 1);
    const to = /^To: (.*)$/m.exec(headers)?.[1];
    const code = /^(\d{6})$/m.exec(mail)?.[1];
    if (to === email && code) return { code, sentAt: /^Date: (.*)$/m.exec(headers)?.[1] ?? 'unknown' };
  }
  return null;
}
