/** One word for one thing: refuses identifiers and phrases that have a better word. GLOSSARY.md has the words of the field. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { parseSync, Visitor } from 'oxc-parser';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['api', 'db', 'engine', 'jobs', 'storage', 'ops', 'test'];
/** This test, and a generated file with the texts of the public interface. */
const EXCEPT = new Set(['test/tidy/words.test.ts', 'api/clients/typescript/api-types.ts']);

/** Identifier → what to say instead. */
const IDENTIFIERS = new Map(
  Object.entries({
    Turn: 'RateLimitResult, FetchRequest, or Permit',
    Turns: 'FairSemaphore or QueueRotation',
    Patience: 'Timeouts',
    told: 'message, reported, or what the text is',
    tell: 'notify',
    heard: 'message',
    hear: 'onMessage or handleMessage',
    statementOf: 'namedStatement',
    forgetPlans: 'discardPlans',
    Gathered: 'Batcher',
    Filling: 'LoadingRange',
    look: 'poll, check, or what is found',
    takeOver: 'reload',
    leftOut: 'skippedSessions',
    setAside: 'rejectRow',
    sealNextYear: 'packNextYear',
    tidyUp: 'deleteExpired',
    housekeeping: 'cleanup',
    textIn: 'stringProperty',
    recordOf: 'fromKeys',
    announce: 'emitChange',
    KeptAnswers: 'ResponseCache',
    keptKey: 'cacheKey',
    handlerOf: 'createHandler',
    answererOf: 'createResponder',
    enforceAhead: 'enforceRateLimit',
    workId: 'idempotentJobId',
    whenGone: 'abortSignal',
    intended: 'auditIntent',
    Shelf: 'ComponentRegistry',
    TELLING: 'DISTINGUISHING_KEYS',
    mended: 'fixSchema',
    JobInHand: 'ActiveJob',
    foundNone: 'isIdle',
    seldom: 'throttle',
    answerWhatIsNoRequest: 'onClientError',
    AlikeRequests: 'RequestGroup',
    Purse: 'Cash',
    Desk: 'Broker',
    reweight: 'rebalance',
    picture: 'chart',
    invitation: 'emptyState',
    maxDay: 'newestSession',
    venueMode: 'venueBasis',
    splicedBasisOn: 'splicedVenueBasisOn',
    tellWebhooks: 'insertDeliveries',
  }),
);

/** Phrase in a comment or a page → what to say instead. */
const PHRASES = new Map(
  Object.entries({
    'that never go back': 'monotonic ms',
    'dust of repeated addition': 'multiply steps to avoid float drift',
    'stands for nobody': 'anonymous visitor id',
    'stand for nobody': 'anonymous visitor id',
    'told to the job': 'reported through the promise of the job',
    'answers what is no request': 'protocol error',
    'what is no request': 'protocol error',
    'nobody has heard of': 'unacknowledged',
    'told to whoever': 'reported to the reader',
    'told with': 'reported with',
    anew: 'again, or new',
    housekeeping: 'cleanup',
  }),
);

function filesOf(extension: string): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(extension) && !/(^|\/)node_modules\//.test(name))
      .map((name) => join(folder, name)),
  ).filter((path) => !EXCEPT.has(path));
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

/** The old identifiers that a module declares or uses, as `line: old → new`. */
function oldIdentifiers(name: string, text: string): string[] {
  const found: string[] = [];
  const add = ({ name: word, start }: { readonly name: string; readonly start: number }) => {
    const better = IDENTIFIERS.get(word);
    if (better !== undefined) found.push(`${lineAt(text, start)}: ${word} → ${better}`);
  };
  new Visitor({ Identifier: add, PrivateIdentifier: add }).visit(parseSync(name, text).program);
  return found;
}

/** The phrases of a text, whose lines a comment may have broken, as `phrase → better`. */
function oldPhrases(text: string): string[] {
  const plain = text.replaceAll(/\s*\n[\s*]*/g, ' ');
  return [...PHRASES]
    .filter(([phrase]) => new RegExp(`\\b${phrase}\\b`, 'i').test(plain))
    .map(([phrase, better]) => `${phrase} → ${better}`);
}

function phrasesInComments(name: string, text: string): string[] {
  return parseSync(name, text).comments.flatMap(({ value, start }) =>
    oldPhrases(value).map((phrase) => `${lineAt(text, start)}: ${phrase}`),
  );
}

function findIn(paths: readonly string[], find: (path: string, text: string) => readonly string[]): string[] {
  return paths.flatMap((path) => find(path, readFileSync(join(ROOT, path), 'utf8')).map((found) => `${path}:${found}`));
}

it('identifiers have the words of the field', () => {
  const modules = filesOf('.ts');
  expect(modules.length).toBeGreaterThan(300);
  expect(findIn(modules, oldIdentifiers)).toEqual([]);
  const text = '// look\nconst look = 1;\nclass A {\n  #told = "tell";\n  hear() {}\n}\n';
  expect(oldIdentifiers('text.ts', text).map((found) => found.split(' ')[1])).toEqual(['look', 'told', 'hear']);
});

it('comments and pages say what colleagues say', () => {
  expect(findIn(filesOf('.ts'), phrasesInComments)).toEqual([]);
  expect(findIn(filesOf('.md'), (_path, text) => oldPhrases(text))).toEqual([]);
  expect(phrasesInComments('text.ts', 'f();\n/**\n * Written\n * anew, and\n * told to\n * the job. */\n')).toEqual([
    '2: told to the job → reported through the promise of the job',
    '2: anew → again, or new',
  ]);
});
