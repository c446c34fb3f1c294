/** The digest of signals: one mail per session to each account that wants it. */
import {
  type Digest,
  type ListedSignal,
  markDigestSent,
  selectDigestSignals,
  selectUnsentDigests,
} from '../../db/research/signals.ts';
import type { Mail } from '../contracts/mail.ts';
import { type MailContext, sendEach } from '../mail/send-each.ts';

/** Digests that one job sends. */
const MAX_DIGESTS = 1_000;
/** Signals that one mail lists. */
const MAX_LINES = 200;

export async function mailSignals(context: MailContext): Promise<void> {
  const { pool, now } = context;
  await sendEach(context, await selectUnsentDigests(pool, MAX_DIGESTS), {
    mailOf: async (digest) => {
      const signals = await selectDigestSignals(pool, digest);
      return signals.length === 0 ? null : digestMail(digest, signals);
    },
    markSent: (digest) => markDigestSent(pool, digest, new Date(now())),
  });
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
