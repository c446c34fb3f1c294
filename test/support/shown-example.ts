/**
 * Shortens answers for the interface description: without secrets, and with the same ids, digests, and instants everywhere, so
 * that equal answers of different operations share one example.
 */

/** Shown items of a list of words, and of a list of objects, which take much more room. */
const MOST_WORDS = 2;
const MOST_OBJECTS = 1;
const MOST_LINES = 2;
/** Shown entries of objects whose keys are data, such as the parameters of a strategy. */
const MOST_ENTRIES = 1;
const OPEN_OBJECTS: ReadonlySet<string> = new Set(['properties', 'metrics', 'x-labels']);
/** Shown whole, because its description says how many numbers it has. */
const WHOLE: ReadonlySet<string> = new Set(['pbo_distribution']);
const MOST_DIGITS = 2;
/** Left out of runs, because sheets have examples of their own. */
const TEAR_SHEET = 'tear_sheet';
/** Left out of runs inside another answer, such as the state of a job. */
const STATISTICS = 'statistics';
const RESULT = 'result';

const INSTANT = '2026-06-03T16:00:00.000Z';
const RESET = Date.parse(INSTANT) / 1000;
const ID = 1;
/** Placeholders for values of a form. Tokens and keys must not be shown; the others change with every recording. */
const STAND_INS: readonly (readonly [RegExp, string])[] = [
  [/^eyJ.*/, 'eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE'],
  [/^md_[0-9a-f]{64}$/, 'md_EXAMPLE'],
  [/^md_[0-9a-f]{8}$/, 'md_1f0c9a3b'],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '3fa85f64-5717-4562-b3fc-2c963f66afa6'],
  [/\b[0-9a-f]{64}\b/g, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, INSTANT],
];
const STAND_INS_BY_KEY: Readonly<Record<string, string>> = {
  refresh_token: 'rt_EXAMPLE',
  seed: 'e3b0c44298fc1c14',
  ip: '192.0.2.1',
  register_ip: '192.0.2.1',
  last_login_ip: '192.0.2.1',
};
/** The last path segment of a link to a shared run. */
const LINKS: ReadonlySet<string> = new Set(['slug', 'url', 'api_url', 'public_api_base']);
const SHARE_SLUG = /(?<=^|\/)[\w-]{12}$/;

function shownText(text: string, key: string): string {
  const ofKey = STAND_INS_BY_KEY[key];
  if (ofKey !== undefined) return ofKey;
  const address = LINKS.has(key)
    ? text.replace('http://test', 'http://127.0.0.1:3000').replace(SHARE_SLUG, 'hucYPJSTN8Nj')
    : text;
  const canonical = STAND_INS.reduce((made, [form, standIn]) => made.replace(form, standIn), address);
  return canonical.split('\n').slice(0, MOST_LINES).join('\n');
}

function shownNumber(value: number, key: string): number {
  if (/(^|_)id$/.test(key)) return ID;
  if (key === 'reset') return RESET;
  return Number.isInteger(value) ? value : Number(value.toPrecision(MOST_DIGITS));
}

/** Returns an answer as the description shows it. */
export function shown(answer: unknown): unknown {
  /** Fields of the items of the lists that are shown: a further list of such items is empty. */
  const forms = new Set<string>();

  function part(value: unknown, key: string, within: string): unknown {
    if (typeof value === 'string') return shownText(value, key);
    if (key === 'cached') return false;
    if (WHOLE.has(key)) return value;
    if (typeof value === 'number') return shownNumber(value, key);
    if (Array.isArray(value)) return shownList(value, within);
    if (typeof value !== 'object' || value === null) return value;
    const place = key === RESULT ? key : within;
    const isRun = 'strategy' in value;
    const entries = Object.entries(value).filter(
      ([name]) => !isRun || (name !== TEAR_SHEET && (name !== STATISTICS || place !== RESULT)),
    );
    const kept = OPEN_OBJECTS.has(key) ? entries.slice(0, MOST_ENTRIES) : entries;
    return Object.fromEntries(kept.map(([name, one]) => [name, part(one, name, place)]));
  }

  function shownList(list: readonly unknown[], within: string): unknown {
    const hasObjects = list.some((one) => typeof one === 'object' && one !== null);
    const [first] = list;
    const form = hasObjects && !Array.isArray(first) ? Object.keys(Object(first)).join() : '';
    if (forms.has(form)) return [];
    if (form !== '') forms.add(form);
    return list.slice(0, hasObjects ? MOST_OBJECTS : MOST_WORDS).map((one) => part(one, '', within));
  }

  return part(answer, '', '');
}
