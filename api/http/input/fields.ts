/** Field types of requests and responses, for validation and for the interface description. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import { type Day, formatDay, MS_PER_DAY, parseDay } from '../../../engine/market/dates.ts';
import { INTERVALS } from '../../../engine/market/minute-bars.ts';
import { PERIODS } from '../../../engine/market/series.ts';
import { MARKETS } from '../../../engine/market/symbols.ts';
import { type ErrorCode, ServiceError } from '../../../engine/util/errors.ts';
import { ONE_LINE } from './control-characters.ts';
import type { Problem } from './problems.ts';
import type { Refusal } from './request-failure.ts';

export { z };

const MAX_TEXT = 200;

/** One line of text, trimmed. */
export function text(min: number, max: number) {
  return z.string().trim().min(min).max(max).regex(ONE_LINE);
}

/**
 * One of `words`, or an alias of one. Any other text is well-formed but has no meaning, which is 400 with `errorCode` instead of 422.
 */
export function domainWord<const T extends string>(
  words: readonly T[],
  errorCode: ErrorCode,
  aliases: ReadonlyMap<string, T> = new Map(),
  isCaseless = false,
) {
  return z
    .string()
    .max(MAX_TEXT)
    .transform((text, context) => {
      const word = words.find((w) => w === (isCaseless ? text.toUpperCase() : text)) ?? aliases.get(text);
      if (word !== undefined) return word;
      const refusal: Refusal = { code: errorCode, details: { value: text, allowed: words.join(', ') } };
      context.addIssue({ code: 'custom', params: { refusal } });
      return z.NEVER;
    })
    .meta({ enum: [...words, ...aliases.keys()] });
}

export const periodField = domainWord(PERIODS, 'invalid_period');
export const adjustField = domainWord(['none', 'qfq', 'total'] as const, 'invalid_adjust', new Map([['split', 'qfq']]));
export const intervalField = domainWord(INTERVALS, 'invalid_interval');
export const marketField = domainWord(MARKETS, 'invalid_market', new Map(), true);

/** YYYY-MM-DD, parsed to a `Day`. */
export const dateField = z
  .string()
  .max(MAX_TEXT)
  .transform((text, context) => {
    const day = parseDay(text);
    if (day !== null) return day;
    const refusal: Refusal = { code: 'invalid_date', details: { value: text, expected: 'YYYY-MM-DD' } };
    context.addIssue({ code: 'custom', params: { refusal } });
    return z.NEVER;
  })
  .meta({ format: 'date' });

const ISO_INSTANT = z.iso.datetime({ offset: true });

const INSTANT_FORMS = 'YYYY-MM-DD / YYYY-MM-DDThh:mm:ssZ';

/** Parameters of a custom issue: a separate error, or a problem of its field. */
type IssueParams = { readonly refusal: Refusal } | { readonly problem: Problem };

/** An instant, or a day (UTC) for its first or last moment. */
function instantOrDay(edge: 'first' | 'last', paramsOf: (text: string) => IssueParams) {
  return z
    .string()
    .max(MAX_TEXT)
    .transform((text, context) => {
      const day = parseDay(text);
      if (day !== null) return new Date(day * MS_PER_DAY + (edge === 'first' ? 0 : MS_PER_DAY - 1));
      if (ISO_INSTANT.safeParse(text).success) return new Date(text);
      context.addIssue({ code: 'custom', params: { ...paramsOf(text) } });
      return z.NEVER;
    })
    .meta({
      description: `An ISO time with its offset, or YYYY-MM-DD for the ${edge} moment of the day (UTC)`,
    });
}

/** A bound of a time filter; a day is included as a whole. A malformed value is an invalid date (400). */
export function momentFilter(bound: 'from' | 'to') {
  return instantOrDay(bound === 'from' ? 'first' : 'last', (value) => ({
    refusal: { code: 'invalid_date', details: { value, expected: INSTANT_FORMS } },
  }));
}

/** An instant in a body. `dayMeans`: which moment of a day is meant by a day. */
export function instantField(dayMeans: 'first' | 'last') {
  return instantOrDay(dayMeans, () => ({
    problem: { code: 'expected_instant', details: { expected: INSTANT_FORMS } },
  }));
}

const MORE_DIGITS_THAN_ANY_BOUND = 20;

/** A whole number in a query string or a path. */
export function queryInteger(min: number, max: number) {
  return z.preprocess((value, context) => {
    if (typeof value !== 'string') return value;
    if (/^-?\d+$/.test(value)) {
      const plain = value.replace(/^(-?)0+(?=\d)/, '$1');
      return Number(plain.slice(0, MORE_DIGITS_THAN_ANY_BOUND));
    }
    context.addIssue({ code: 'invalid_type', expected: 'int', input: value });
    return z.NEVER;
  }, z.number().min(min, { abort: true }).max(max, { abort: true }).int());
}

/** The spellings that HTTP libraries use for a boolean, such as `True` in Python. */
const FLAG_WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
const flag = z.preprocess(
  (value) => (typeof value === 'string' ? (FLAG_WORDS.get(value.toLowerCase()) ?? value) : value),
  z.boolean(),
);

/** A boolean in a query string. */
export function queryFlag(value: boolean) {
  return flag.prefault(value);
}

/** A boolean or nothing in a query string. */
export const optionalFlag = flag.optional();

/** A text to search for, in a query string. */
export function searchText(max: number) {
  return z
    .string()
    .trim()
    .max(max)
    .regex(ONE_LINE)
    .transform((part) => part || undefined)
    .optional();
}

/** An instant in a response. */
export const instant = z.iso.datetime();

/** The answer of a deletion. */
export const deletedSchema = z.object({ deleted: z.literal(true) });

/** The id of a record, in a path. */
export const idField = queryInteger(1, Number.MAX_SAFE_INTEGER).meta({ example: 1 });

/** The id of a record, in a body. */
export const idNumber = z.int().min(1).meta({ example: 1 });

/** The page of a list, in a query string. */
export const pageQuery = {
  page: queryInteger(1, 1_000_000).prefault(1).meta({ description: 'The page; the first is 1' }),
  size: queryInteger(1, 200).prefault(20).meta({ description: 'Items per page' }),
};

/** A file in place of JSON, which the handler reads as it comes. */
export const fileBody = z
  .custom<Readable>((value) => value instanceof Readable)
  .meta({ id: 'File', override: { type: 'string', format: 'binary' } });

/** One page of a list. */
export function listSchema<T extends z.ZodType>(item: T) {
  return z.object({ total: z.int(), page: z.int(), size: z.int(), items: z.array(item) });
}

/** A list that always fits on one page. */
export function onePage<T>(items: readonly T[]) {
  return { total: items.length, page: 1, size: items.length, items: [...items] };
}

export const symbolField = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'A ticker with or without `.US`, in any case' });
export const localeField = z
  .string()
  .max(100)
  .optional()
  .meta({ description: 'Language: en, zh-CN, zh-TW, and their aliases' });

/** Throws when the start is after the end. */
export function assertDayRange({ start, end }: { readonly start?: Day | null; readonly end?: Day | null }): void {
  if (start == null || end == null || start <= end) return;
  throw new ServiceError('invalid_date_range', { start: formatDay(start), end: formatDay(end) });
}

/** Throws when the first moment is after the last. */
export function assertTimeRange(first: Date | undefined, last: Date | undefined): void {
  if (!first || !last || first <= last) return;
  throw new ServiceError('invalid_date_range', { start: first.toISOString(), end: last.toISOString() });
}
