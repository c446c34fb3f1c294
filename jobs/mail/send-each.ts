/** Mails to accounts, one after another. */
import type { JobContext } from '../contracts/job-context.ts';
import { type Mail, MailRefused } from '../contracts/mail.ts';

export type MailContext = Pick<JobContext, 'pool' | 'mailer' | 'now' | 'log' | 'signal'>;

interface Addressed {
  readonly userId: number;
  readonly email: string;
}

interface Sending<One> {
  /** Null: there is nothing to say any more. */
  readonly mailOf: (one: One) => Promise<Omit<Mail, 'to'> | null>;
  readonly markSent: (one: One) => Promise<void>;
}

/** A mail that the server refuses permanently counts as sent. After any other failure the rest is sent, and the job is retried. */
export async function sendEach<One extends Addressed>(
  context: MailContext,
  all: readonly One[],
  sending: Sending<One>,
): Promise<void> {
  const { signal, log } = context;
  let failure: unknown = null;
  for (const one of all) {
    signal.throwIfAborted();
    try {
      await sendOne(context, one, sending);
    } catch (error) {
      log.warn({ err: error, userId: one.userId }, 'a mail was not sent');
      failure = error;
    }
  }
  if (failure !== null) throw failure;
}

async function sendOne<One extends Addressed>(
  { mailer, log }: MailContext,
  one: One,
  { mailOf, markSent }: Sending<One>,
): Promise<void> {
  const mail = await mailOf(one);
  try {
    if (mail !== null) await (await mailer()).send({ to: one.email, ...mail });
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    log.warn({ err: error, userId: one.userId }, 'a mail was refused');
  }
  await markSent(one);
}
