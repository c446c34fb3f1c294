/** Every error of the API, with its HTTP status and texts. The codes are declared in `engine/util/errors.ts`. */
import type { ErrorCode, ErrorDetails } from '../../../engine/util/errors.ts';
import { fill, type Locale, type Text } from '../language/locale.ts';
import { PLAN_NAMES } from '../language/plan-names.ts';
import { ACCOUNT_ERRORS, BACK_OFFICE_ERRORS } from './accounts.ts';
import type { ErrorEntry } from './entry.ts';
import { MARKET_ERRORS } from './market.ts';
import { REQUEST_ERRORS, SERVICE_ERRORS } from './requests.ts';
import { RESEARCH_ERRORS } from './research.ts';

export const ERRORS: Readonly<Record<ErrorCode, ErrorEntry>> = {
  ...REQUEST_ERRORS,
  ...ACCOUNT_ERRORS,
  ...MARKET_ERRORS,
  ...RESEARCH_ERRORS,
  ...BACK_OFFICE_ERRORS,
  ...SERVICE_ERRORS,
};

/** An error as a caller sees it, inside or outside the failure envelope. */
export interface ErrorView {
  /** Equals the HTTP status. */
  readonly code: number;
  readonly key: string;
  readonly message: string;
}

export function errorView(code: ErrorCode, details: ErrorDetails, locale: Locale): ErrorView {
  const entry = ERRORS[code];
  const text = textFor(entry, details);
  const plan = PLANS[String(details.plan)]?.[locale];
  return {
    code: entry.status,
    key: `error.${code}`,
    message: fill(text[locale], plan ? { ...details, plan } : details),
  };
}

const PLANS: Readonly<Record<string, Text | undefined>> = PLAN_NAMES;

function textFor({ notLoaded, because = {}, ...entry }: ErrorEntry, details: ErrorDetails): Text {
  if (notLoaded && 'missing' in details) return notLoaded;
  return because[String(details.because)] ?? entry;
}
