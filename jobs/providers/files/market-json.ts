/** `market.json` of a folder: what cannot be told from its files. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import { codeOf, toError } from '../../../engine/util/errors.ts';
import { ProviderError } from '../provider.ts';
import { DELIMITERS } from '../text-chunks.ts';
import { BAR_FIELDS, LAYOUT_IDS } from './layouts/layout.ts';
import { DATE_FORMS } from './values.ts';

const isTimeZone = (name: string) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
};
const isPattern = (text: string) => {
  if (text === 'column' || text === 'name') return true;
  try {
    return new RegExp(`${text}|`).exec('')?.length === 2;
  } catch {
    return false;
  }
};

const schema = z.strictObject({
  layout: z.enum(LAYOUT_IDS).optional(),
  prices: z.enum(['as_traded', 'split_adjusted', 'total_adjusted']).optional(),
  conflicts: z.enum(['reject', 'newest_file']).optional(),
  consolidated_from: z.iso.date('a day, YYYY-MM-DD').optional(),
  symbol_from: z.string().max(200).refine(isPattern, 'column, name, or a pattern with one group').optional(),
  date_format: z.enum(DATE_FORMS).optional(),
  timezone: z.string().refine(isTimeZone, 'a time zone such as America/New_York').optional(),
  delimiter: z.enum(DELIMITERS).optional(),
  decimal: z.enum(['.', ',']).optional(),
  columns: z.partialRecord(z.enum(['symbol', ...BAR_FIELDS]), z.string()).optional(),
  ignore: z.array(z.string()).optional(),
});

export type MarketJson = z.infer<typeof schema>;

export const MARKET_JSON = 'market.json';

/** The settings of a folder; none when it has no such file. A `ProviderError` names what is wrong, and the nearest right one. */
export async function readMarketJson(folder: string): Promise<MarketJson> {
  return (await readSettings(join(folder, MARKET_JSON), schema)) ?? {};
}

/** The settings of a JSON file; null when there is none. Throws as above. */
export async function readSettings<S extends z.ZodObject>(path: string, schema: S): Promise<z.infer<S> | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new ProviderError(`${path} cannot be read: ${toError(error).message}`, { cause: error });
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ProviderError(`${path} is not JSON: ${toError(error).message}`, { cause: error });
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new ProviderError(
    `${path}: ${parsed.error.issues.map((issue) => describeIssue(issue, Object.keys(schema.shape))).join('; ')}`,
  );
}

function describeIssue(issue: z.core.$ZodIssue, known: readonly string[]): string {
  const at = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const [unknown] = issue.keys;
    return `"${unknown}" is not a setting; did you mean "${closest(unknown, known)}"? There are ${known.join(', ')}`;
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map((value) => JSON.stringify(value));
    const nearest =
      typeof issue.input === 'string' ? `; did you mean ${closest(JSON.stringify(issue.input), values)}?` : '';
    return `"${at}" must be one of ${values.join(', ')}${nearest}`;
  }
  if (issue.code === 'invalid_type') return `"${at}" must be of type ${issue.expected}`;
  if (issue.code === 'too_big') return `"${at}" must be at most ${issue.maximum}`;
  if (issue.code === 'too_small') return `"${at}" must be at least ${issue.minimum}`;
  return `"${at}" must be ${issue.message}`;
}
