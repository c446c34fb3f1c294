/** Chinese texts have no English fragments: every text, every kind of problem, and answers of routes. */
import { STATUS_CODES } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ERRORS } from '../../../api/http/errors/catalogue.ts';
import { ONE_LINE } from '../../../api/http/input/control-characters.ts';
import { z } from '../../../api/http/input/fields.ts';
import { PROBLEM_TEXTS } from '../../../api/http/input/problem-texts.ts';
import { parameterProblem, problemsOf, problemText, unwrapped } from '../../../api/http/input/problems.ts';
import { LABEL_TEXTS } from '../../../api/http/language/labels.ts';
import { LOCALES, type Text } from '../../../api/http/language/locale.ts';
import { ROUTES } from '../../../api/routes.ts';
import { STRATEGIES } from '../../../engine/strategies/catalogue.ts';
import { readParameter } from '../../../engine/strategies/parameters.ts';
import { ERROR_CODES } from '../../../engine/util/errors.ts';
import { addAdmin, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createMarketFolder, type MarketFolder } from '../../support/market-folder.ts';

const CHINESE = ['zh-CN', 'zh-TW'] as const;

/** Names and values of the interface, units, and proper names, which are the same in every language. */
const NAMES = new Set(
  `API JSON UUID GET POST HEAD CSV PNG JPEG WebP http https true false from to value null lang locale
   YYYY MM DD YYYY-MM-DD YYYY-MM-DDThh mm ssZ hh AAPL BRK BRK.B .US US HK CN none qfq split total adjust close next_open csv day week month
   train_bars test_bars 1m 5m 15m 30m 60m application json MiB KiB T T+1 consolidated body_md URL IP CUSTOM Databento Massive walk_forward
   params strategy rules sma exit stop trail symbols screen conditions adjust total CORS_ORIGINS PUBLIC_API_BASE WEBHOOK_NETWORKS SELECT bars bars_adjusted events
   sessions screener_daily my_columns example.com hooks If-Match Last-Event-ID ETag SPY asset_type venue of beta correlation Bonferroni Holm BHY
   my score sector Tech percent_per_year parquet min_variance max_diversification desc delisting_return_pct NYSE Nasdaq Shumway Warther
   market name monthly weekly rank x t p`.split(/\s+/),
);

/** Returns the Latin words of a text that are not names or values; quoted text counts as a value. */
function strangers(text: string, known: ReadonlySet<string> = new Set()): string[] {
  const words = text.replaceAll(/[“「][^”」]*[”」]/g, '').match(/(?<!\d)[A-Za-z][\w.+-]*/g) ?? [];
  return words
    .map((word) => word.replace(/[.+-]+$/, ''))
    .filter((word) => !NAMES.has(word) && !known.has(word) && !/^[A-Z]$/.test(word));
}

/** Every text of the API, by name. */
const TEXTS: readonly (readonly [string, Text])[] = [
  ...Object.entries(ERRORS).flatMap(([code, entry]): [string, Text][] => [
    [code, entry],
    ...(entry.notLoaded ? [[`${code}, not loaded`, entry.notLoaded] as [string, Text]] : []),
    ...Object.entries(entry.because ?? {}).map(([cause, text]): [string, Text] => [`${code}, ${cause}`, text]),
  ]),
  ...Object.entries(PROBLEM_TEXTS),
  ...Object.entries(LABEL_TEXTS),
];

describe('every text', () => {
  it.each(CHINESE)('is Chinese in %s, except for names and values', (locale) => {
    const wrong = TEXTS.map(([key, text]) => [key, strangers(text[locale].replaceAll(/\{\w+\}/g, ''))] as const).filter(
      ([, words]) => words.length > 0,
    );
    expect(wrong).toEqual([]);
    expect(TEXTS.length).toBeGreaterThan(150);
  });

  it('has the same placeholders in all languages', () => {
    const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    for (const [key, text] of TEXTS) {
      for (const locale of LOCALES) {
        expect([key, text[locale].trim() === '']).toEqual([key, false]);
        expect([key, placeholders(text[locale])]).toEqual([key, placeholders(text.en)]);
      }
    }
  });

  it('differs between Simplified and Traditional Chinese', () => {
    const simplifiedOnly = /[应须该个项为无类种组参数网络认证击键仅择选关闭开头务经请]/;
    const traditional = TEXTS.map(([, text]) => text['zh-TW']);
    expect(traditional.filter((text) => simplifiedOnly.test(text.replaceAll(/[關開頭閉]/g, '')))).toEqual([]);
    const errors = Object.values(ERRORS);
    const same = errors.filter((entry) => entry['zh-CN'] === entry['zh-TW']);
    expect(same.length).toBeLessThan(3);
  });
});

describe('the catalogue of errors', () => {
  it('has exactly one entry per code, each with the status of a failure', () => {
    expect(Object.keys(ERRORS).sort()).toEqual([...ERROR_CODES].sort());
    for (const [code, { status }] of Object.entries(ERRORS)) {
      expect([code, status >= 400 && STATUS_CODES[status] !== undefined]).toEqual([code, true]);
    }
  });
});

describe('every kind of problem', () => {
  const schema = z.strictObject({
    text: z.string(),
    number: z.number(),
    whole: z.int(),
    flag: z.boolean(),
    list: z.array(z.string()).min(2),
    long_list: z.array(z.string()).max(1),
    record: z.record(z.string().max(2), z.number()),
    object: z.strictObject({ one: z.string() }),
    pair: z.tuple([z.string(), z.string()]),
    least: z.number().min(5),
    most: z.number().max(5),
    above: z.number().gt(5),
    below: z.number().lt(5),
    short: z.string().min(5),
    empty: z.string().min(1),
    prefix: z.string().startsWith('/'),
    long: z.string().max(2),
    email: z.email(),
    url: z.url(),
    uuid: z.uuid(),
    pattern: z.string().regex(/^\d+$/),
    control: z.string().regex(ONE_LINE),
    choice: z.enum(['one', 'two']),
    literal: z.literal('one'),
    step: z.number().multipleOf(5),
    union: z.union([z.string(), z.number()]),
    lists: z.union([z.string(), z.array(z.string().regex(/^a$/))]),
    date: z.date(),
    custom: z.string().refine(() => false),
    missing: z.string(),
  });
  const input = {
    text: 1,
    number: 'x',
    whole: 1.5,
    flag: 'x',
    list: ['x'],
    long_list: ['x', 'y'],
    record: { long: 1 },
    object: { one: 'x', more: 1 },
    pair: 5,
    least: 1,
    most: 9,
    above: 5,
    below: 5,
    short: 'x',
    empty: '',
    prefix: 'x',
    long: 'xxx',
    email: 'x',
    url: 'x',
    uuid: 'x',
    pattern: 'x',
    control: '\u0000',
    choice: 'three',
    literal: 'two',
    step: 3,
    union: true,
    lists: ['b'],
    date: 'x',
    custom: 'x',
    unknown_one: 1,
  };

  it.each(LOCALES)('of the validator has a text in %s', (locale) => {
    const parsed = schema.safeParse(input, { reportInput: true });
    const problems = (parsed.error?.issues ?? []).flatMap((issue) => problemsOf(issue, schema, []));
    const reported = new Map(problems.map(({ path, problem }) => [path.join('.'), problemText(problem, locale)]));
    // Every field of the schema has a different problem, and all are reported.
    const fields = [...Object.keys(schema.shape).filter((name) => !['record', 'object', 'lists'].includes(name))];
    expect([...reported.keys()]).toEqual(
      expect.arrayContaining([...fields, 'record.long', 'object.more', 'lists.0', 'unknown_one']),
    );
    const names = new Set([...Object.keys(schema.shape), 'one', 'two', 'd', 'a']);
    for (const [field, text] of reported) {
      expect([field, text]).toEqual([field, expect.not.stringMatching(/undefined|\{\w+\}/)]);
      if (locale !== 'en') expect([field, strangers(text, names)]).toEqual([field, []]);
    }
  });

  it.each(CHINESE)("of a strategy's parameters has a text in %s", (locale) => {
    const wrong = [null, 'x', -1e9, 1e9, 1.5, true, {}];
    for (const strategy of STRATEGIES) {
      const { parameters } = strategy;
      const names = new Set([...Object.keys(parameters)]);
      for (const [name, parameter] of Object.entries(parameters)) {
        const values = new Set([...names, ...('values' in parameter ? parameter.values : [])]);
        for (const value of wrong) {
          const read = readParameter(parameter, value);
          if ('value' in read) continue;
          const text = problemText(parameterProblem(name, read.problem, [...names]), locale);
          expect([name, value, strangers(text, values)]).toEqual([name, value, []]);
        }
      }
      const unknown = parameterProblem('perod', { code: 'unknown_name', details: {} }, [...names]);
      expect(strangers(problemText(unknown, locale), names)).toEqual([]);
    }
  });
});

describe('the answers of routes', () => {
  let database: TestDatabase;
  let folder: MarketFolder;
  let api: TestApi;
  let admin: Person;
  beforeAll(async () => {
    database = await createTestDatabase();
    folder = createMarketFolder({ 'symbols.csv': 'symbol\nABCD\n' });
    api = await openTestApi({ database, provider: folder.provider(), realCallers: true });
    admin = await addAdmin(api);
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
    folder.remove();
  });

  it.each(CHINESE)('to an invalid body and query are in %s, as Content-Language says', async (locale) => {
    const bodies = ROUTES.filter(({ bodySchema, bodyTypes, isForgiving }) => bodySchema && !bodyTypes && !isForgiving);
    for (const { method, path, bodySchema } of bodies) {
      const fields = Object.keys((unwrapped(bodySchema) as z.ZodObject).shape);
      const body = { ...Object.fromEntries(fields.map((name) => [name, { wrong: true }])), perod: 1 };
      const url = path.replaceAll(/\{\w+\}/g, '1');
      const call = api[method as 'post' | 'put' | 'patch' | 'delete'];
      const headers = { ...admin.console, 'content-type': 'application/json', 'accept-language': locale };
      const { status, body: answer, headers: sent } = await call(url, body, headers);
      expect([path, status >= 400, sent['content-language']]).toEqual([path, true, locale]);
      for (const { loc, msg } of answer.detail ?? []) {
        const values = new Set([...fields, ...(msg.match(/[\w-]+/g) ?? []).filter((word: string) => /_/.test(word))]);
        expect([path, loc, msg]).toEqual([path, loc, expect.stringMatching(/[\u4e00-\u9fff]/)]);
        const isList = /：/.test(msg);
        expect([path, loc, isList ? [] : strangers(msg, values)]).toEqual([path, loc, []]);
      }
    }
  });

  it('are in the language of `locale`, errors included', async () => {
    const missing = await api.get('/v1/backtests/9999?locale=zh-TW', { ...admin.program, 'accept-language': 'en' });
    expect([missing.status, missing.headers['content-language'], missing.body.message]).toEqual([
      404,
      'zh-TW',
      ERRORS.not_found['zh-TW'],
    ]);
    const invalid = await api.get('/v1/backtests?locale=zh-CN&page=0', admin.program);
    expect([invalid.headers['content-language'], invalid.body.detail[0].msg]).toEqual(['zh-CN', '不得小于1']);
    const refused = await api.get('/v1/backtests?locale=zh-CN');
    expect([refused.status, refused.headers['content-language'], refused.body.message]).toEqual([
      403,
      'zh-CN',
      ERRORS.login_required['zh-CN'],
    ]);
    const list = await api.get('/v1/backtests?locale=zh-CN', admin.program);
    expect([list.status, list.headers['content-language']]).toEqual([200, 'zh-CN']);
  });
});
