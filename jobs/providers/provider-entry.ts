/** Records of providers, read before one is opened. */
import type { z } from 'zod';
import type { Provider } from './provider.ts';
import { day, list } from './variables.ts';

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
