/** The mail about the runs of an account whose figures a load has changed: one for each load, to accounts that want it. */
import {
  type Impact,
  type ImpactMail,
  markImpactMailSent,
  selectImpacts,
  selectUnsentImpactMails,
} from '../../db/runs/impacts.ts';
import type { ImpactFigures } from '../../db/schema/runs.ts';
import type { Mail } from '../contracts/mail.ts';
import { type MailContext, sendEach } from '../mail/send-each.ts';

/** Mails that one job sends. */
const MAX_MAILS = 1_000;
/** Runs that one mail lists. */
const MAX_LINES = 50;

export async function mailImpacts(context: MailContext): Promise<void> {
  const { pool, now } = context;
  await sendEach(context, await selectUnsentImpactMails(pool, MAX_MAILS), {
    mailOf: async (one) => {
      const { total, items } = await selectImpacts(
        pool,
        { loads: [one.load], userId: one.userId },
        { page: 1, size: MAX_LINES },
      );
      return total === 0 ? null : impactMail(one, total, items);
    },
    markSent: (one) => markImpactMailSent(pool, one, new Date(now())),
  });
}

interface Words {
  readonly subject: (count: number) => string;
  readonly intro: string;
  readonly more: (count: number) => string;
  readonly none: string;
}

const ENGLISH: Words = {
  subject: (count) => `Corrected prices change ${count} of your runs`,
  intro: 'A load has corrected bars or events that these runs have read. Total return and Sharpe ratio before → after:',
  more: (count) => `and ${count} more`,
  none: 'no bars left',
};
const WORDS: Readonly<Record<string, Words>> = {
  'zh-CN': {
    subject: (count) => `行情修正改变了您的${count}个运行结果`,
    intro: '一次加载修正了以下运行所用的行情或事件。总收益率与夏普比率，修正前 → 修正后：',
    more: (count) => `另有${count}个`,
    none: '已无行情',
  },
  'zh-TW': {
    subject: (count) => `行情修正改變了您的${count}個執行結果`,
    intro: '一次載入修正了以下執行所用的行情或事件。總報酬率與夏普比率，修正前 → 修正後：',
    more: (count) => `另有${count}個`,
    none: '已無行情',
  },
};

function impactMail({ load, userId, language }: ImpactMail, total: number, items: readonly Impact[]): Omit<Mail, 'to'> {
  const words = WORDS[language] ?? ENGLISH;
  const figures = (told: ImpactFigures | null) =>
    told === null ? words.none : `${told.total_pnl_pct ?? '–'}% (${told.sharpe ?? '–'})`;
  const lines = items.map(
    ({ kind, id, name, before, after }) => `${name ?? `${kind} ${id}`}: ${figures(before)} → ${figures(after)}`,
  );
  if (total > items.length) lines.push(words.more(total - items.length));
  return {
    messageId: `<impact-${userId}-${load}@market-data-service>`,
    subject: words.subject(total),
    text: `${words.intro}\n\n${lines.join('\n')}\n`,
  };
}
