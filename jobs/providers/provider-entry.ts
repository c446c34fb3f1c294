/** Records of providers, read before one is opened, and the forms of their variables of the environment. */

import { resolve } from 'node:path';
import { z } from 'zod';
import type { Provider } from './provider.ts';

/** The surroundings of a provider in the process that opens it. */
export interface ProviderPlace {
  readonly now: () => number;
  /** Folder for caches of the provider; it may be deleted at any time. */
  readonly cacheDir: string;
}

export type ProviderLabel = Readonly<Record<'en' | 'zh-CN' | 'zh-TW', string>>;

export interface ProviderEntry<V extends Readonly<Record<string, z.ZodType>>> {
  readonly settings: {
    /** The form of each variable of the environment. */
    readonly variables: V;
    /** Those without which it is not configured. */
    readonly required: readonly (keyof V & string)[];
  };
  /** Imports the code of the provider, which may bring a client of its own. */
  readonly open: (variables: Variables<V>, place: ProviderPlace) => Promise<Provider>;
  /** Description of its data, in the languages of the service. */
  readonly label: ProviderLabel;
}

export type Variables<V extends Readonly<Record<string, z.ZodType>>> = Readonly<z.output<z.ZodObject<V>>>;

export function defineProvider<V extends Readonly<Record<string, z.ZodType>>>(
  entry: ProviderEntry<V>,
): ProviderEntry<V> {
  return entry;
}

/** The value of a variable that an entry names as required. */
export function requiredVariable(name: string, value: string | undefined): string {
  if (value) return value;
  throw new Error(`${name} is not set`);
}

export const integer = (min: number, max: number) => {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z.string().regex(/^\d+$/, rule).transform(Number).pipe(z.number().min(min, rule).max(max, rule));
};

export const text = (length = 1) => z.string().min(length);

export const url = (...protocols: readonly string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join('|')})$`),
    error: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
  });

export const folder = text().transform((path) => resolve(path));

const day = z.iso.date('must be a day, YYYY-MM-DD');

/** Values separated by commas. `example` completes "is not". */
export const list = (isOne: (value: string) => boolean, example: string) =>
  z.string().transform((text, context) => {
    const listed = text.split(',').map((value) => value.trim());
    const wrong = listed.find((value) => !isOne(value));
    if (wrong === undefined) return listed;
    context.addIssue({ code: 'custom', message: `"${wrong}" is not ${example}` });
    return z.NEVER;
  });

/** Variables of vendors that answer with the history of one instrument at a time. */
export const HISTORIES = {
  HISTORY_SYMBOLS: list((symbol) => /^[A-Z0-9.-]{1,20}$/.test(symbol), 'a symbol such as BRK.B')
    .optional()
    .describe('symbols to load from `tiingo` or `eodhd`, by commas; default: all US stocks and funds of exchanges'),
  HISTORY_FROM: day.prefault('2000-01-03').describe('first day that is asked of them'),
};

/** Variables of vendors that have minutes. */
export const PRIMARY_SESSION = {
  PRIMARY_SESSION_FROM: day
    .optional()
    .describe('first day of `primary_session` bars rebuilt from minutes, up to 2024-06-28; default: none are'),
};
