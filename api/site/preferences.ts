/** Language, theme, and colors that a reader chose, stored in cookies so that the server sends pages with the right look. */
import { parseCookie } from 'cookie';
import type { Request } from 'express';
import { type Locale, matchLocale } from '../http/language/locale.ts';

export const THEMES = ['light', 'dark'] as const;

export interface Preferences {
  readonly locale: Locale | null;
  /** Null: as the system has it. */
  readonly theme: (typeof THEMES)[number] | null;
  /** Whether gains are red and losses green, as Chinese readers know them. */
  readonly isRedUp: boolean;
  /** The role that the browser believes it is signed in with; used only to show the right links at once. */
  readonly signedIn: 'member' | 'admin' | null;
}

export function preferencesOf(request: Request): Preferences {
  const cookies = parseCookie(request.headers.cookie ?? '');
  const { lang, theme, gain, signed_in: signedIn } = cookies;
  return {
    locale: lang === undefined ? null : matchLocale(lang),
    theme: THEMES.find((name) => name === theme) ?? null,
    isRedUp: gain === 'red',
    signedIn: signedIn === 'admin' || signedIn === 'member' ? signedIn : null,
  };
}
