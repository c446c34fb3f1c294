/** The account console (`/api/account`), and page views of the web application (`/api/visits`). */
import { countApiKeys, deleteApiKey, selectApiKeys, updateApiKey } from '../../db/accounts/api-keys.ts';
import { countWatches } from '../../db/research/watches.ts';
import { countKeptRuns } from '../../db/runs/kept-runs.ts';
import { countActiveRuns } from '../../db/runs/runs.ts';
import { found } from '../../engine/util/errors.ts';
import { ownerOf } from '../access/caller.ts';
import { PLANS } from '../access/plans.ts';
import type { Route } from '../call/route.ts';
import { type BodyLimits, COMMON_BODY } from '../http/input/body.ts';
import { deletedSchema, idField, listSchema, onePage, queryInteger, z } from '../http/input/fields.ts';
import { countedPage } from '../site/pages.ts';
import { createKey, type IssuedKey, keyView, resetKeys } from './api-keys.ts';
import { usageOf } from './profile.ts';
import {
  accountPlanSchema,
  apiKeySchema,
  grantOf,
  keyGrant,
  keyNameField,
  newApiKeySchema,
  pagePathField,
  referrerField,
  usageSchema,
} from './schemas.ts';
import { defineRoute, type Services } from './services.ts';

const COMMON = { tag: 'Account console', access: 'console', limit: 'account' } as const;
/** A path of 500 and a referrer of 1,000 characters, both in ASCII. */
const VISIT_BODY: BodyLimits = { ...COMMON_BODY, maxBytes: 4096 };
const keyPath = z.object({ key_id: idField });

function issuedKeyView({ record, plaintext }: IssuedKey): z.input<typeof newApiKeySchema> {
  return { ...keyView(record), key: plaintext };
}

export const ACCOUNT_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listApiKeys',
    ...COMMON,
    method: 'get',
    path: '/api/account/keys',
    summary: 'List API keys',
    dataSchema: listSchema(apiKeySchema),
    errors: [],
    handle: async ({ caller, services: { pool, accessLog } }) => {
      await accessLog.caughtUp();
      const keys = await selectApiKeys(pool, caller.account.userId);
      return onePage(keys.map(keyView));
    },
  }),
  defineRoute({
    operationId: 'createApiKey',
    ...COMMON,
    method: 'post',
    path: '/api/account/keys',
    summary: 'Create an API key',
    description: "Refused when the plan's `api_keys_max` is reached; disabled keys count.",
    successStatus: 201,
    bodySchema: z.strictObject({ name: keyNameField, ...keyGrant }),
    bodyExample: { name: 'Research notebook', scopes: ['read', 'research'] },
    dataSchema: newApiKeySchema,
    errors: ['api_keys_max'],
    handle: async ({ body, caller, services }) =>
      issuedKeyView(await createKey(services, caller.account.userId, caller.plan, body.name, grantOf(body))),
  }),
  defineRoute({
    operationId: 'resetApiKeys',
    ...COMMON,
    revokesAccess: true,
    method: 'post',
    path: '/api/account/keys/reset',
    summary: 'Replace all keys with one new key',
    description: 'The new key takes slot 1 with its counters: a reset does not renew the allowance.',
    successStatus: 201,
    dataSchema: newApiKeySchema,
    errors: [],
    handle: async ({ caller, services }) => issuedKeyView(await resetKeys(services, caller.account.userId)),
  }),
  defineRoute({
    operationId: 'updateApiKey',
    ...COMMON,
    revokesAccess: true,
    method: 'patch',
    path: '/api/account/keys/{key_id}',
    summary: 'Rename, enable, disable, or narrow a key',
    pathSchema: keyPath,
    bodySchema: z.strictObject({ name: keyNameField.optional(), enabled: z.boolean().optional(), ...keyGrant }),
    bodyExample: { name: 'Nightly job', enabled: true },
    dataSchema: apiKeySchema,
    errors: ['not_found'],
    handle: async ({ path, body, caller, services: { pool } }) => {
      const { name, enabled } = body;
      const change = { name, enabled, ...grantOf(body) };
      return keyView(found(await updateApiKey(pool, caller.account.userId, path.key_id, change)));
    },
  }),
  defineRoute({
    operationId: 'deleteApiKey',
    ...COMMON,
    revokesAccess: true,
    method: 'delete',
    path: '/api/account/keys/{key_id}',
    summary: 'Delete a key',
    description: 'The past usage of the key remains in the statistics of the account.',
    pathSchema: keyPath,
    dataSchema: deletedSchema,
    errors: ['not_found'],
    handle: async ({ path, caller, services: { pool } }) => {
      found(await deleteApiKey(pool, caller.account.userId, path.key_id));
      return { deleted: true } as const;
    },
  }),
  defineRoute({
    operationId: 'getUsage',
    ...COMMON,
    method: 'get',
    path: '/api/account/usage',
    summary: 'Get calls by day and by endpoint',
    description:
      'Calls that were counted in a rate category other than `account`, by UTC day, today included. ' +
      'A call appears within a second.',
    querySchema: z.object({
      days: queryInteger(1, 90).prefault(30).meta({ description: 'UTC calendar days, today included' }),
    }),
    dataSchema: usageSchema,
    errors: [],
    handle: ({ query, caller, services }) => usageOf(services, caller.account.userId, query.days),
  }),
  defineRoute({
    operationId: 'getAccountPlan',
    ...COMMON,
    method: 'get',
    path: '/api/account/plan',
    summary: 'Get the plan with its limits and quotas, and what is left of them',
    description:
      'Shows what is left for the console token, without consuming a call. The slots of API keys have separate counters.',
    dataSchema: accountPlanSchema,
    errors: [],
    handle: async ({ caller, services: { pool, limiter } }) => {
      const { userId, plan, planExpiresAt } = caller.account;
      return {
        plan,
        effective_plan: caller.plan,
        plan_expires_at: planExpiresAt?.toISOString() ?? null,
        rate_limits: await limiter.peek(caller),
        quotas: PLANS[caller.plan].quotas,
        usage: {
          api_keys: await countApiKeys(pool, userId),
          backtests_saved: await countKeptRuns(pool, userId),
          backtests_running: await countActiveRuns(pool, ownerOf(caller)),
          watches: await countWatches(pool, caller.account.userId),
        },
      };
    },
  }),
  defineRoute({
    operationId: 'createVisit',
    method: 'post',
    takesIdempotencyKey: true,
    path: '/api/visits',
    tag: 'Public',
    summary: 'Record a page view',
    description:
      'For the web application; `X-Visitor-Id` identifies the browser. Views are counted by page of the site ' +
      '(`/articles/{slug}`); any other path counts as `other`.',
    access: 'anyone',
    limit: 'public',
    successStatus: 201,
    bodyLimits: VISIT_BODY,
    bodySchema: z.strictObject({ path: pagePathField, referrer: referrerField.optional() }),
    bodyExample: { path: '/articles/what-is-a-trailing-stop', referrer: 'https://example.com/' },
    dataSchema: z.object({ recorded: z.literal(true) }),
    errors: [],
    handle: ({ body, context }) => {
      context.pageView = { path: countedPage(body.path), referrer: body.referrer || null };
      return { recorded: true } as const;
    },
  }),
];
