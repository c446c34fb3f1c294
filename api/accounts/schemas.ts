/** Requests and responses of accounts. */
import { type KeyGrant, SCOPES } from '../../db/accounts/api-keys.ts';
import { USER_PLANS, USER_STATUSES } from '../../db/accounts/users.ts';
import { PLAN_CODES, quotasSchema, RATE_CATEGORIES } from '../access/plans.ts';
import { ONE_LINE } from '../http/input/control-characters.ts';
import { instant, text, z } from '../http/input/fields.ts';
import { LOCALES } from '../http/language/locale.ts';

const country = z.string().length(2).nullable();

export const emailField = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email())
  .meta({ format: 'email', example: 'ada@example.com' });
const codeField = z
  .string()
  .regex(/^\d{6}$/)
  .meta({ example: '042137' });
export const challengeField = z.string().min(1).max(64).meta({ example: 'Zk3tqW1c0bVd9sYxLrE2Hg' });
export const phoneField = z
  .string()
  .trim()
  .regex(/^\+?[0-9][0-9 ()-]{4,30}$/)
  .meta({ example: '+1 212 555 0100' });
export const nameField = text(1, 100);
export const nicknameField = text(1, 50).nullable();
/** An optional field. Blank text, which forms send for an empty input, counts as absent. */
function blankMeansAbsent<T extends z.ZodType>(field: T) {
  return z
    .preprocess((value) => (typeof value === 'string' && value.trim() === '' ? undefined : value), field.optional())
    .optional();
}
export const languageField = z.enum(LOCALES);
export const refreshTokenField = z.string().min(1).max(200);
export const keyNameField = text(1, 100);
export const pagePathField = z
  .string()
  .max(500)
  .startsWith('/')
  .regex(ONE_LINE)
  .transform((path) => path.split(/[?#]/)[0])
  .meta({ example: '/articles/what-is-a-trailing-stop' });
export const referrerField = text(0, 1000);

export const userSchema = z
  .object({
    id: z.int(),
    email: z.string(),
    nickname: z.string().nullable(),
    name: z.string(),
    phone: z.string().nullable(),
    language: z.enum(LOCALES),
    plan: z.enum(USER_PLANS),
    effective_plan: z.enum(PLAN_CODES).meta({ description: 'The plan in force: `free` once the plan has expired' }),
    plan_expires_at: instant.nullable().meta({ description: 'Null: the plan does not expire' }),
    status: z.enum(USER_STATUSES),
    is_admin: z.boolean(),
    register_country: country,
    register_country_name: z.string().nullable(),
    last_login_country: country,
    last_login_country_name: z.string().nullable(),
    login_count: z.int(),
    created_at: instant,
    last_login_at: instant.nullable(),
    revision_mail: z.boolean().meta({ description: 'Whether it gets a mail when a load changes figures of its runs' }),
  })
  .meta({ id: 'User' });

export const verifyBody = z.strictObject({
  email: emailField,
  code: codeField,
  challenge: challengeField.optional().meta({ description: 'Of the request for this code' }),
  name: blankMeansAbsent(nameField),
  phone: blankMeansAbsent(phoneField),
  nickname: blankMeansAbsent(nicknameField),
  language: languageField.optional(),
});

const pair = {
  access_token: z.string(),
  refresh_token: z.string().nullable().meta({ description: 'Null for the web site, which has it in a cookie' }),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ description: 'Lifetime of the access token, in seconds' }),
};
export const tokenPairSchema = z.object(pair).meta({ id: 'TokenPair' });
export const adminLoginSchema = z.object({ ...pair, user: userSchema });
export const verifySchema = z.object({
  ...pair,
  is_new: z.boolean(),
  api_key: z.string().nullable().meta({ description: 'For a new account only, and shown only once' }),
  user: userSchema,
});

const apiKey = {
  id: z.int(),
  name: z.string(),
  prefix: z.string().meta({ description: 'The first 11 characters', example: 'md_1f0c9a3b' }),
  enabled: z.boolean(),
  created_at: instant,
  last_used_at: instant.nullable(),
  scopes: z.array(z.enum(SCOPES)),
  expires_at: instant.nullable(),
  trial_limit: z.int(),
  trials: z.int().meta({ description: 'That assistants have made of `trial_limit`' }),
};
export const apiKeySchema = z.object(apiKey).meta({ id: 'ApiKey' });
export const newApiKeySchema = z
  .object({ ...apiKey, key: z.string().meta({ description: 'The key itself, shown only once' }) })
  .meta({ id: 'NewApiKey' });

const MAX_TRIALS = 1_000_000;
/** Fields of a key that its owner decides. */
export const keyGrant = {
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .optional()
    .meta({ description: 'Reading, runs, changes of what the account keeps. Default: all' }),
  expires_at: instant.nullable().optional().meta({ description: 'When the key ends; null: never' }),
  trial_limit: z.int().min(0).max(MAX_TRIALS).optional().meta({ description: 'Trials of assistants. Default: 1,000' }),
};
type KeyGrantBody = { readonly [K in keyof typeof keyGrant]?: z.output<(typeof keyGrant)[K]> };

export function grantOf({ scopes, expires_at: end, trial_limit: trialLimit }: KeyGrantBody): KeyGrant {
  return { scopes, expiresAt: typeof end === 'string' ? new Date(end) : end, trialLimit };
}

export const usageSchema = z.object({
  days: z.int(),
  total: z.int(),
  by_day: z.array(z.object({ date: z.iso.date(), calls: z.int() })),
  by_endpoint: z.array(z.object({ endpoint: z.string(), calls: z.int() })),
});

const categoryState = z
  .object({
    limit: z.int(),
    window_seconds: z.int(),
    remaining: z.int(),
    reset: z.int().meta({ description: 'Unix seconds at which the full limit is available again' }),
  })
  .meta({ id: 'RateLimitState' });
export const accountPlanSchema = z.object({
  plan: z.enum(USER_PLANS),
  effective_plan: z.enum(PLAN_CODES),
  plan_expires_at: instant.nullable(),
  rate_limits: z.object(Object.fromEntries(RATE_CATEGORIES.map((category) => [category, categoryState]))),
  quotas: quotasSchema,
  usage: z.object({ api_keys: z.int(), backtests_saved: z.int(), backtests_running: z.int(), watches: z.int() }),
});
