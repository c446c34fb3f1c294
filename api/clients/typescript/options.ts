/** Checks options at run time, because no compiler has checked a program in JavaScript. */
import { InvalidOption } from './errors.ts';
import { RETRIES, type RetryPolicy } from './transport.ts';

/** The values that an option can have: their name, and a check. */
interface Form {
  readonly words: string;
  readonly is: (value: unknown) => boolean;
}

type Forms = Readonly<Record<string, Form>>;

const isNumber = (value: unknown): value is number => typeof value === 'number' && value >= 0;
const TEXT: Form = { words: 'a text', is: (value) => typeof value === 'string' };
const COUNT: Form = { words: 'a whole number from 0 on', is: (value) => isNumber(value) && Number.isInteger(value) };
const MILLISECONDS: Form = { words: 'a number of milliseconds', is: isNumber };
const FUNCTION: Form = { words: 'a function', is: (value) => typeof value === 'function' };
const OBJECT: Form = { words: 'an object', is: (value) => typeof value === 'object' && value !== null };
const SIGNAL: Form = { words: 'an AbortSignal', is: (value) => OBJECT.is(value) && value instanceof EventTarget };

const POLICY: Forms = { maxRetries: COUNT, firstWaitMs: MILLISECONDS, maxWaitMs: MILLISECONDS };
const CLIENT: Forms = {
  url: TEXT,
  key: TEXT,
  language: TEXT,
  fetch: FUNCTION,
  retries: { words: COUNT.words, is: (value) => COUNT.is(value) || OBJECT.is(value) },
};
const CALL: Forms = { timeoutMs: MILLISECONDS, signal: SIGNAL, headers: OBJECT, idempotencyKey: TEXT };
const WAIT: Forms = { timeoutMs: MILLISECONDS, signal: SIGNAL, onProgress: FUNCTION };
const RUN: Forms = { ...CALL, ...WAIT };

const shown = (value: unknown) => (typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value));

function check(options: object, forms: Forms, place = ''): void {
  for (const [name, value] of Object.entries(options)) {
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    const named = `${place}${name}: `;
    if (!form) throw new InvalidOption(`${named}there is no such option; there are ${Object.keys(forms).join(', ')}`);
    if (value !== undefined && !form.is(value)) throw new InvalidOption(`${named}${shown(value)} is not ${form.words}`);
  }
}

export const checkClientOptions = (options: object) => check(options, CLIENT);
export const checkCallOptions = (options: object) => check(options, CALL);
export const checkWaitOptions = (options: object) => check(options, WAIT);
/** Those of a run that is called and awaited at once. */
export const checkRunOptions = (options: object) => check(options, RUN);

/** The policy of a number of retries, or of its parts. Throws `InvalidOption`. */
export function policyOf(retries: number | Partial<RetryPolicy> = {}): RetryPolicy {
  const given = typeof retries === 'number' ? { maxRetries: retries } : retries;
  check(given, POLICY, 'retries.');
  return { ...RETRIES, ...given };
}

/** The address of a service without a slash at its end. `name` is that of the option or variable. Throws `InvalidOption`. */
export function addressOf(url: string, name: string): string {
  if (/^https?:\/\/[^/]/i.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '');
  const guess = `http://${url}`;
  const isBare = !url.includes('://') && url !== '' && URL.canParse(guess);
  throw new InvalidOption(`${name}: "${url}" is not an address${isBare ? `; did you mean "${guess}"?` : ''}`);
}
