/** Accounts in the back office: `/api/admin/users`. */
import { selectLoginEvents, selectUserCountries, selectUsers, USER_SORTS } from '../../db/accounts/user-list.ts';
import { selectUser, USER_PLANS, USER_STATUSES } from '../../db/accounts/users.ts';
import { found } from '../../engine/util/errors.ts';
import { countryName } from '../access/countries.ts';
import type { Route } from '../call/route.ts';
import {
  deletedSchema,
  idField,
  listSchema,
  onePage,
  optionalFlag,
  pageQuery,
  searchText,
  z,
} from '../http/input/fields.ts';
import { defineRoute, type Services } from './services.ts';
import {
  adminUserSchema,
  adminUserViews,
  changeUser,
  loginEventSchema,
  loginEventView,
  revokeKey,
  userChangeBody,
  userDetailSchema,
  viewUser,
} from './users.ts';

const COMMON = { tag: 'Back office: users', access: 'admin', limit: 'back_office' } as const;
const userPath = z.object({ user_id: idField });

export const USER_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listUsers',
    ...COMMON,
    method: 'get',
    path: '/api/admin/users',
    summary: 'List accounts',
    querySchema: z.object({
      q: searchText(120).meta({ description: 'Part of the e-mail address, nickname, or name' }),
      plan: z.enum(USER_PLANS).optional().meta({ description: 'The assigned plan, expired or not' }),
      status: z.enum(USER_STATUSES).optional().meta({ description: 'Only accounts with this status' }),
      is_admin: optionalFlag.meta({ description: 'Only administrators (`true`) or only others (`false`)' }),
      country: z
        .string()
        .regex(/^[A-Za-z]{2}$/)
        .transform((code) => code.toUpperCase())
        .optional()
        .meta({ description: 'The country of the registration, two letters' }),
      sort: z.enum(USER_SORTS).default('created_at').meta({ description: 'What to sort by' }),
      order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'The direction of the sort' }),
      ...pageQuery,
    }),
    dataSchema: listSchema(adminUserSchema),
    errors: [],
    handle: async ({ query, context, services: { pool, now, accessLog } }) => {
      const { q, plan, status, is_admin: isAdmin, country, sort, order, page, size } = query;
      await accessLog.caughtUp();
      const filter = { text: q, plan, status, isAdmin, country };
      const { total, items } = await selectUsers(
        pool,
        filter,
        { sort, isDescending: order === 'desc' },
        { page, size },
      );
      return { total, page, size, items: await adminUserViews(pool, items, now(), context.locale) };
    },
  }),
  defineRoute({
    operationId: 'listUserCountries',
    ...COMMON,
    method: 'get',
    path: '/api/admin/users/countries',
    summary: 'Count registrations per country, most first',
    description: 'Without accounts of an unknown country.',
    dataSchema: listSchema(z.object({ country: z.string(), country_name: z.string().nullable(), users: z.int() })),
    errors: [],
    handle: async ({ context: { locale }, services: { pool } }) => {
      const countries = await selectUserCountries(pool);
      return onePage(
        countries.map(({ country, users }) => ({ country, country_name: countryName(country, locale), users })),
      );
    },
  }),
  defineRoute({
    operationId: 'getUser',
    ...COMMON,
    method: 'get',
    path: '/api/admin/users/{user_id}',
    summary: 'Get everything about an account',
    description: 'The audit log records that the account was viewed.',
    audit: { action: 'user.view', target: 'user', parameter: 'user_id' },
    pathSchema: userPath,
    dataSchema: userDetailSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => viewUser(call, path.user_id),
  }),
  defineRoute({
    operationId: 'updateUser',
    revokesAccess: true,
    ...COMMON,
    method: 'patch',
    path: '/api/admin/users/{user_id}',
    summary: 'Change the plan, status, role, or expiry of an account',
    description:
      'Changes only the fields that are sent, from the next call on. Administrators cannot demote themselves or ' +
      'change their own status.',
    audit: { action: 'user.update', target: 'user', parameter: 'user_id' },
    pathSchema: userPath,
    bodySchema: userChangeBody,
    bodyExample: { plan: 'pro', plan_expires_at: '2027-06-30' },
    dataSchema: adminUserSchema,
    errors: ['not_found', 'self_change'],
    handle: async ({ path, body, ...call }) => {
      const user = await changeUser(call, path.user_id, body);
      const { pool, now } = call.services;
      return (await adminUserViews(pool, [user], now(), call.context.locale))[0];
    },
  }),
  defineRoute({
    operationId: 'deleteUserApiKey',
    revokesAccess: true,
    ...COMMON,
    method: 'delete',
    path: '/api/admin/users/{user_id}/api-keys/{key_id}',
    summary: 'Revoke one API key of an account',
    description:
      'Deletes the key: the next call with it is refused. Other keys of the account keep working, and the past usage of the ' +
      'key remains in the statistics of the account. The audit log records its name and prefix.',
    audit: { action: 'user.key_revoke', target: 'user', parameter: 'user_id' },
    pathSchema: userPath.extend({ key_id: idField }),
    dataSchema: deletedSchema,
    errors: ['not_found'],
    handle: async ({ path, ...call }) => {
      await revokeKey(call, path.user_id, path.key_id);
      return { deleted: true } as const;
    },
  }),
  defineRoute({
    operationId: 'listLoginEvents',
    ...COMMON,
    method: 'get',
    path: '/api/admin/users/{user_id}/login-events',
    summary: 'List registrations and logins of an account, newest first',
    pathSchema: userPath,
    querySchema: z.object(pageQuery),
    dataSchema: listSchema(loginEventSchema),
    errors: ['not_found'],
    handle: async ({ path, query: { page, size }, context, services: { pool } }) => {
      found(await selectUser(pool, path.user_id));
      const { total, items } = await selectLoginEvents(pool, path.user_id, { page, size });
      return { total, page, size, items: items.map((event) => loginEventView(event, context.locale)) };
    },
  }),
];
