/** The mail with the one-time login code. The code is generated when the mail is sent, and stored only as a hash. */
import { randomInt } from 'node:crypto';
import { saveLoginCodeHash, selectMailedRequest } from '../../db/accounts/logins.ts';
import { type JobContext, PermanentFailure } from '../contracts/job-context.ts';
import { hashLoginCode, type Mail, MailRefused } from '../contracts/mail.ts';

const CODE_DIGITS = 6;

/**
 * Sends the code of a request, unless the account has signed in since, or the request has expired. If a mail is sent twice because a
 * worker died, the later code is the valid one.
 */
export async function sendLoginCode(
  { pool, mailer, loginCodeKey, now, log }: Pick<JobContext, 'pool' | 'mailer' | 'loginCodeKey' | 'now' | 'log'>,
  { loginRequestId }: { readonly loginRequestId: number },
): Promise<void> {
  const request = await selectMailedRequest(pool, loginRequestId);
  if (!request || request.expiresAt.getTime() <= now()) {
    log.debug({ loginRequestId }, 'the login code is no longer needed');
    return;
  }
  const { email, locale } = request;
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  if (!(await saveLoginCodeHash(pool, loginRequestId, hashLoginCode(loginCodeKey, email, code)))) return;
  const minutes = Math.max(1, Math.round((request.expiresAt.getTime() - now()) / 60_000));
  try {
    await (await mailer()).send({ to: email, ...loginCodeMail(locale, code, minutes) });
  } catch (error) {
    if (error instanceof MailRefused) throw new PermanentFailure(error.message, { cause: error });
    throw error;
  }
}

/** The code is on its own line, also in the raw mail. */
function loginCodeMail(locale: string, code: string, minutes: number): Omit<Mail, 'to'> {
  if (locale === 'zh-CN') {
    return {
      subject: '您的登录验证码',
      text: `您的登录验证码是：\n\n${code}\n\n${minutes}分钟内有效，仅可使用一次。如果不是您本人请求的，请忽略此邮件。\n`,
    };
  }
  if (locale === 'zh-TW') {
    return {
      subject: '您的登入驗證碼',
      text: `您的登入驗證碼是：\n\n${code}\n\n${minutes}分鐘內有效，僅能使用一次。若非您本人要求，請忽略這封郵件。\n`,
    };
  }
  return {
    subject: 'Your login code',
    text: `Your login code is:\n\n${code}\n\nIt is valid for ${minutes} minutes and can be used once. If you did not ask for it, ignore this mail.\n`,
  };
}
