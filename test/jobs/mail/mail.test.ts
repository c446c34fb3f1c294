/** Login mails in three languages, to a real mail server and to the outbox, also while loads keep the worker busy. */

import type { ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PgBoss } from 'pg-boss';
import pino from 'pino';
import { SMTPServer } from 'smtp-server';
import { portOf } from '../../../api/server/port-of.ts';
import { insertLoginRequest, lockLoginCode, spendLoginCodes } from '../../../db/accounts/logins.ts';
import { transaction } from '../../../db/pool.ts';
import { required } from '../../../engine/util/values.ts';
import { PermanentFailure } from '../../../jobs/contracts/job-context.ts';
import { hashLoginCode } from '../../../jobs/contracts/mail.ts';
import { openMailer, readNewestLoginCode } from '../../../jobs/mail/mailer.ts';
import { sendLoginCode } from '../../../jobs/mail/run.ts';
import { openBoss } from '../../../jobs/queue/boss.ts';
import { send } from '../../../jobs/queue/send.ts';
import { enqueueSync } from '../../../jobs/sync/enqueue.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testJobContext } from '../../support/job-context.ts';
import { endProcess, startProcess } from '../../support/processes.ts';

const KEY = 'login-code-key-of-the-tests';
const MINUTE = 60_000;
const FROM = 'Market data service <no-reply@example.com>';

/** A mail server that refuses mails on request and keeps the accepted ones. */
async function startMailServer() {
  const refusals: number[] = [];
  const mails: string[] = [];
  const arrivals: ((mail: string) => void)[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (address, _session, done) => {
      const responseCode = refusals.shift();
      const words = `4.7.1 <${address.address}> may not be written to now`;
      done(responseCode === undefined ? undefined : Object.assign(new Error(words), { responseCode }));
    },
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const mail = Buffer.concat(chunks).toString();
        mails.push(mail);
        arrivals.shift()?.(mail);
        done();
      });
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${portOf(server.server)}`,
    refusals,
    mails,
    next: () => new Promise<string>((arrived) => void arrivals.push(arrived)),
    stop: () => new Promise<void>((stopped) => server.close(stopped)),
  };
}

/** Returns the decoded subject and text of a mail. */
function read(mail: string): { subject: string; text: string } {
  const [head, ...rest] = mail.replaceAll('\r\n', '\n').split('\n\n');
  const body = rest.join('\n\n');
  const encoded = [...(/^Subject: ((?:.|\n )*)$/m.exec(head)?.[1] ?? '').matchAll(/=\?UTF-8\?([BQ])\?(.*?)\?=/g)];
  const unquote = (text: string) =>
    Buffer.from(
      text
        .replaceAll('=\n', '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString();
  const decode = (text: string, kind: string) =>
    kind === 'B' ? Buffer.from(text, 'base64').toString() : unquote(text.replaceAll('_', ' '));
  const subject =
    encoded.length > 0
      ? encoded.map(([, kind, text]) => decode(text, kind)).join('')
      : (/^Subject: (.*)$/m.exec(head)?.[1] ?? '');
  const text = /^Content-Transfer-Encoding: base64$/m.test(head) ? decode(body, 'B') : unquote(body);
  return { subject, text };
}

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startMailServer();
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const request = (email: string, locale = 'en', now = Date.now()) =>
  transaction(database.pool, (connection) =>
    insertLoginRequest(connection, {
      email,
      locale,
      challengeHash: randomBytes(32),
      address: '',
      isKnown: false,
      at: new Date(now),
      expiresAt: new Date(now + 10 * MINUTE),
    }),
  );
const bySmtp = () =>
  testJobContext({
    pool: database.pool,
    mailer: async () => openMailer({ from: FROM, smtpUrl: server.url }, Date.now),
    loginCodeKey: KEY,
  });
const isCode = async (id: number, email: string, code: string) => {
  const stored = await transaction(database.pool, (connection) => lockLoginCode(connection, id));
  return stored?.codeHash?.equals(hashLoginCode(KEY, email, code)) ?? false;
};

describe('a login mail', () => {
  it.each([
    ['en', 'Your login code', /valid for 10 minutes/],
    ['zh-CN', '您的登录验证码', /10分钟内有效/],
    ['zh-TW', '您的登入驗證碼', /10分鐘內有效/],
  ])('is in %s and has the valid code', async (locale, subject, text) => {
    const email = `reader-${locale.toLowerCase()}@example.com`;
    const arrival = server.next();
    const loginRequestId = await request(email, locale);
    await sendLoginCode(bySmtp(), { loginRequestId });
    const mail = await arrival;
    expect(mail).toMatch(new RegExp(`^To: ${email}\r$`, 'm'));
    expect(mail).toContain(`From: ${FROM}`);
    const seen = read(mail);
    expect(seen).toMatchObject({ subject, text: expect.stringMatching(text) });
    expect(await isCode(loginRequestId, email, required(/^(\d{6})$/m.exec(seen.text)?.[1]))).toBe(true);
    expect(seen.subject).not.toMatch(/\d{6}/);
  });

  it('is not sent once the account has signed in, or the request has expired', async () => {
    const before = server.mails.length;
    const loginRequestId = await request('late@example.com');
    await transaction(database.pool, (connection) => spendLoginCodes(connection, 'late@example.com'));
    await sendLoginCode(bySmtp(), { loginRequestId });
    await sendLoginCode(bySmtp(), { loginRequestId: await request('old@example.com', 'en', Date.now() - 11 * MINUTE) });
    expect(server.mails).toHaveLength(before);
  });

  it('is retried after a transient failure, but not after a permanent refusal', async () => {
    const context = bySmtp();
    const attempt = async () => sendLoginCode(context, { loginRequestId: await request('picky@example.com') });
    server.refusals.push(451);
    await expect(attempt()).rejects.not.toBeInstanceOf(PermanentFailure);
    server.refusals.push(550);
    await expect(attempt()).rejects.toBeInstanceOf(PermanentFailure);
    // The server's words name the reader; only their codes are taken over.
    server.refusals.push(451);
    const refused = await attempt().catch((error) => error);
    expect([refused.message, refused.cause]).toEqual([
      'the mail server refused the mail with code 451 4.7.1',
      undefined,
    ]);
    expect(refused.stack).not.toContain('picky');
    const nowhere = {
      ...context,
      mailer: async () => openMailer({ from: FROM, smtpUrl: 'smtp://127.0.0.1:1' }, Date.now),
    };
    const failure = await sendLoginCode(nowhere, { loginRequestId: await request('picky@example.com') }).catch(
      (e) => e,
    );
    expect(failure).not.toBeInstanceOf(PermanentFailure);
    expect(failure.message).toBe('the mail server cannot be used: ESOCKET ECONNREFUSED');
  });

  it('goes to the outbox if no server is configured, where it is found by its address', async () => {
    const outbox = mkdtempSync(join(tmpdir(), 'outbox-'));
    try {
      const mailer = openMailer({ from: FROM, outbox }, Date.now);
      const context = testJobContext({ pool: database.pool, mailer: async () => mailer, loginCodeKey: KEY });
      expect(await readNewestLoginCode(join(outbox, 'none'), 'a@example.com')).toBeNull();
      const newest = new Map<string, number>();
      for (const email of ['a@example.com', 'a@example.com', 'b@example.com', 'zh@example.com']) {
        const loginRequestId = await request(email, email.startsWith('zh') ? 'zh-TW' : 'en');
        await sendLoginCode(context, { loginRequestId });
        newest.set(email, loginRequestId);
      }
      writeFileSync(join(outbox, '.9999-half-written.eml'), 'To: a@example.com\n\n000000\n');
      expect(readdirSync(outbox)).toHaveLength(5);
      for (const [email, id] of newest) {
        expect(await isCode(id, email, required((await readNewestLoginCode(outbox, email))?.code))).toBe(true);
      }
      expect(await readNewestLoginCode(outbox, 'nobody@example.com')).toBeNull();
    } finally {
      rmSync(outbox, { recursive: true });
    }
  });
});

describe('a queued login mail', () => {
  let boss: PgBoss;
  let worker: ChildProcess;
  let directory: string;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'mail-worker-'));
    boss = await openBoss({ url: database.url, log: pino({ level: 'silent' }) });
    worker = await startProcess('worker', {
      DATABASE_URL: database.url,
      DATA_DIR: directory,
      SMTP_URL: server.url,
      MAIL_FROM: FROM,
      SAMPLE_SYMBOLS: '50',
      WORKER_SLOTS: 'interactive=1,mail=2,background=1',
    });
  });
  afterEach(async () => {
    await endProcess(worker, 'SIGTERM');
    await boss.stop({ graceful: false });
    rmSync(directory, { recursive: true });
  });
  const queueMail = async (email: string) => {
    const arrival = server.next();
    const loginRequestId = await request(email);
    await send(boss, database.pool, 'mail.login_code', randomUUID(), { loginRequestId, requestId: 'request-1' });
    return arrival;
  };

  it('arrives although the server first refuses it', async () => {
    server.refusals.push(451);
    expect(await queueMail('patient@example.com')).toContain('To: patient@example.com');
  });

  it('arrives while loads fill every background slot', async () => {
    const blocker = await database.pool.connect();
    await blocker.query('begin');
    await blocker.query('lock table instruments in access exclusive mode');
    const wanted = { jobType: 'symbols', spec: {}, requestedBy: 'test' } as const;
    const id = await transaction(database.pool, (connection) => enqueueSync(connection, boss, wanted));
    const sync = async () =>
      (await database.pool.query('select attempts, status from sync_jobs where id = $1', [id])).rows[0];
    await eventually(sync, ({ attempts }) => attempts > 0);
    // With one pool of slots for all queues the mail would wait for the load.
    expect(await queueMail('hurried@example.com')).toContain('To: hurried@example.com');
    expect(await sync()).toEqual({ attempts: 1, status: 'running' });
    await blocker.query('rollback');
    blocker.release();
  });
});
