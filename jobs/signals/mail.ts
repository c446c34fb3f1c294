/** The digest of signals: one mail per session to each account that wants it. */
import {
  type Digest,
  type ListedSignal,
  markDigestSent,
  selectDigestSignals,
  selectUnsentDigests,
} from '../../db/research/signals.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { type Mail, MailRefused } from '../contracts/mail.ts';

/** Digests that one job sends. */
const MAX_DIGESTS = 1_000;
/** Signals that one mail lists. */
const MAX_LINES = 200;

type MailContext = Pick<JobContext, 'pool' | 'mailer' | 'now' | 'log' | 'signal'>;

/** A digest that the mail server refuses permanently counts as sent. After any other failure the rest is sent, and the job is retried. */
export async function mailSignals(context: MailContext): Promise<void> {
  const { pool, signal, log } = context;
  let failure: unknown = null;
  for (const digest of await selectUnsentDigests(pool, MAX_DIGESTS)) {
    signal.throwIfAborted();
    try {
      await sendDigest(context, digest);
    } catch (error) {
      log.warn({ err: error, userId: digest.userId }, 'a digest of signals was not sent');
      failure = error;
    }
  }
  if (failure !== null) throw failure;
}

async function sendDigest({ pool, mailer, now, log }: MailContext, digest: Digest): Promise<void> {
  const signals = await selectDigestSignals(pool, digest);
  try {
    if (signals.length > 0) await (await mailer()).send({ to: digest.email, ...digestMail(digest, signals) });
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    log.warn({ err: error, userId: digest.userId }, 'a digest of signals was refused');
  }
  await markDigestSent(pool, digest, new Date(now()));
}

interface Words {
  readonly subject: (count: number, session: string) => string;
  readonly intro: (session: string) => string;
  readonly kinds: Readonly<Record<ListedSignal['kind'], string>>;
  readonly corrected: string;
  readonly more: (count: number) => string;
  readonly note: string;
}

const ENGLISH: Words = {
  subject: (count, session) => `${count} ${count === 1 ? 'signal' : 'signals'} of ${session}`,
  intro: (session) => `Your watches gave these signals at the close of ${session}:`,
  kinds: { entry: 'entry', exit: 'exit' },
  corrected: 'corrected',
  more: (count) => `and ${count} more`,
  note: 'Simulated signals, for research only. This is not investment advice.',
};
const WORDS: Readonly<Record<string, Words>> = {
  'zh-CN': {
    subject: (count, session) => `${session}的${count}个信号`,
    intro: (session) => `您的监控在${session}收盘时给出以下信号：`,
    kinds: { entry: '买入', exit: '卖出' },
    corrected: '已更正',
    more: (count) => `另有${count}个`,
    note: '信号仅供研究参考，不构成投资建议。',
  },
  'zh-TW': {
    subject: (count, session) => `${session}的${count}個訊號`,
    intro: (session) => `您的監控在${session}收盤時給出以下訊號：`,
    kinds: { entry: '買進', exit: '賣出' },
    corrected: '已更正',
    more: (count) => `另有${count}個`,
    note: '訊號僅供研究參考，不構成投資建議。',
  },
};

function digestMail({ userId, language, session }: Digest, signals: readonly ListedSignal[]): Omit<Mail, 'to'> {
  const words = WORDS[language] ?? ENGLISH;
  const lines = signals.slice(0, MAX_LINES).map(({ watch, symbol, kind, close, isCorrection }) => {
    const correction = isCorrection ? ` (${words.corrected})` : '';
    return `${symbol.padEnd(12)} ${words.kinds[kind].padEnd(6)} ${String(close).padStart(12)}  ${watch}${correction}`;
  });
  if (signals.length > MAX_LINES) lines.push(words.more(signals.length - MAX_LINES));
  return {
    messageId: `<signals-${userId}-${session}@market-data-service>`,
    subject: words.subject(signals.length, session),
    text: `${words.intro(session)}\n\n${lines.join('\n')}\n\n${words.note}\n`,
  };
}
