/** The guides of the documentation: each in every language, and every program of theirs run as it stands. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { LOCALES } from '../../../api/http/language/locale.ts';
import { GUIDES, type Guide } from '../../../api/site/guides/catalogue.ts';
import { readGuide } from '../../../api/site/guides/guide-page.ts';
import { countedPage } from '../../../api/site/pages.ts';
import { type ClientService, openClientService } from '../../support/client-service.ts';
import { freePort } from '../../support/free-port.ts';
import { installPythonClient } from '../../support/python-client.ts';

const LOCAL = 'http://127.0.0.1:3000';
const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
const run = promisify(execFile);
const python = await installPythonClient();

let service: ClientService;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  service = await openClientService();
  env = { ...process.env, MARKET_DATA_KEY: await service.addKey('enterprise') };
});
afterAll(() => service.close());

/** Patterns of the output of each program. */
const PRINTED: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  'first-call': { curl: /"symbol":"ACRX\.US"/, other: /^ACRX\.US [\d.]+ 2026-\d\d-\d\d$/ },
  limits: { curl: /^x-ratelimit-limit: \d+/im, other: /^\d+ of \d+ left$/ },
  paging: { curl: /"page":1,"page_size":50/, other: /^\d+ of \d+ runs$/ },
  errors: { curl: /"key":"error\.invalid_period"/, other: /^"hour" is not a valid period/ },
  idempotency: { curl: /Idempotent-Replayed: true/i, other: /^true true$/i },
  // The programs in the other languages are receivers, which have a test of their own below.
  webhooks: { curl: /"secret":"whsec_/ },
  candles: { curl: /"adjust":"qfq"/, other: /^(2026-\d\d-\d\d [\d.]+ \d+\n?){4}$/ },
  lake: { curl: /"rows":\[\["/, other: /^(\S+ +[\d,.]+\n?){5}$/ },
  receipts: { curl: /^"receipt":\{.*"result_sha256":"[0-9a-f]{64}"/, other: /^[0-9a-f]{64}\nreproduced$/ },
  rules: { curl: /"code":0/, other: /^-?[\d.]+ \d+$/ },
};

async function programsOf(guide: Guide) {
  const { programs } = await readGuide(guide, 'en');
  return programs.map(({ language, code }) => ({ language, code: code.replaceAll(LOCAL, service.url) }));
}

/** The words that run a program; null where its language is not installed. */
function commandOf(language: string, code: string): readonly [string, readonly string[]] | null {
  if (language === 'curl') return ['bash', ['-c', code]];
  if (language === 'Python') return python ? [python.python, ['-c', code]] : null;
  const file = join(service.directory, 'guide.mts');
  writeFileSync(file, code);
  return [process.execPath, [file]];
}

describe.each(GUIDES.map((guide) => [guide.slug, guide] as const))('the guide %s', (slug, guide) => {
  it('has a text in every language, and a program in three', async () => {
    const texts = await Promise.all(LOCALES.map((locale) => readGuide(guide, locale)));
    expect(new Set(texts.map(({ text }) => text)).size).toBe(LOCALES.length);
    expect(texts[0].programs.map(({ language }) => language)).toEqual(['curl', 'Python', 'TypeScript']);
    const codes = ({ text }: { readonly text: string }) => [...text.matchAll(/`[^`]+`|\]\([^)]+\)/g)].length;
    // Translations keep most of the code and of the links.
    for (const { text } of texts) expect([slug, codes({ text }) >= 0.6 * codes(texts[0])]).toEqual([slug, true]);
  });

  it('leads to pages that exist', async () => {
    for (const locale of LOCALES) {
      const { text } = await readGuide(guide, locale);
      const places = [...text.matchAll(/\]\((\/[^)#]*)/g)].map(([, path]) => path);
      expect(places.filter((path) => countedPage(path) === 'other')).toEqual([]);
      const guides = places.filter((path) => path.startsWith('/docs/') && path !== '/docs/reference');
      expect(guides.filter((path) => !GUIDES.some(({ slug: other }) => path === `/docs/${other}`))).toEqual([]);
    }
  });

  it('has programs that run', async () => {
    for (const { language, code } of await programsOf(guide)) {
      const command = commandOf(language, code);
      if (command === null || (slug === 'webhooks' && language !== 'curl')) continue;
      const { stdout } = await run(command[0], [...command[1]], { env });
      expect(stdout.trim()).toMatch(PRINTED[slug][language === 'curl' ? 'curl' : 'other']);
    }
  });
});

describe('a receiver of webhooks', () => {
  it.each(['Python', 'TypeScript'])('in %s takes what is signed, and nothing else', async (language) => {
    const guide = GUIDES.find(({ slug }) => slug === 'webhooks') ?? GUIDES[0];
    const { code } = (await programsOf(guide)).find((program) => program.language === language) ?? { code: '' };
    const command = commandOf(language, code);
    if (command === null) return;
    const port = await freePort();
    const receiver = spawn(command[0], command[1], { env: { ...env, PORT: String(port), WEBHOOK_SECRET: SECRET } });
    try {
      const body = JSON.stringify({ type: 'backtest.finished', timestamp: new Date().toISOString(), data: {} });
      const printed = once(receiver.stdout, 'data');
      expect(await post(receiver, port, body, signed(body, new Date()))).toBe(204);
      expect(String(await printed)).toBe('backtest.finished\n');
      expect(await post(receiver, port, `${body} `, signed(body, new Date()))).toBe(400);
      const old = new Date(Date.now() - 3_600_000);
      expect(await post(receiver, port, body, signed(body, old))).toBe(400);
    } finally {
      receiver.kill();
    }
  });

  const signed = (body: string, at: Date) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('msg_1', at, body),
  });

  /** The status of the answer, once the receiver listens. */
  async function post(receiver: ChildProcess, port: number, body: string, headers: Readonly<Record<string, string>>) {
    for (;;) {
      if (receiver.exitCode !== null) throw new Error('the receiver has ended');
      const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers }).catch(() => null);
      if (response) return response.status;
    }
  }
});
