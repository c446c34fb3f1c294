import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

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
