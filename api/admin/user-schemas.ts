/** Requests and responses of accounts in the back office. */

import { LOGIN_KINDS, USER_PLANS, USER_STATUSES } from '../../db/accounts/users.ts';
import { CLIENT_KINDS } from '../../db/log/access-records.ts';
import { apiKeySchema, userSchema } from '../accounts/schemas.ts';
import { instant, instantField, z } from '../http/input/fields.ts';
import { historyItemSchema } from '../runs/schemas.ts';
import { trendSchema } from './trend.ts';

export const adminUserSchema = userSchema
  .extend({
    login: z.string().nullable().meta({ description: 'The login name of an administrator' }),
    register_ip: z.string().nullable(),
    last_login_ip: z.string().nullable(),
    api_key_count: z.int(),
    backtest_count: z.int(),
    calls_30d: z.int(),
  })
  .meta({ id: 'AdminUser' });

export const loginEventSchema = z
  .object({
    at: instant,
    kind: z.enum(LOGIN_KINDS),
    ip: z.string().nullable(),
    country: z.string().nullable(),
    country_name: z.string().nullable(),
  })
  .meta({ id: 'LoginEvent' });

export const userDetailSchema = adminUserSchema
  .extend({
    api_keys: z.array(apiKeySchema),
    backtests: z.array(historyItemSchema).meta({ description: 'The last 20' }),
    calls_trend: trendSchema,
    access_records: z
      .array(
        z.object({
          at: instant,
          client_kind: z.enum(CLIENT_KINDS),
          method: z.string(),
          path: z.string(),
          status: z.int(),
          duration_ms: z.number(),
          country: z.string().nullable(),
        }),
      )
      .meta({ description: 'The last 20' }),
    login_events: z.array(loginEventSchema).meta({ description: 'The last 20 registrations and logins' }),
    login_events_total: z.int(),
    login_events_truncated: z.boolean(),
  })
  .meta({ id: 'AdminUserDetail' });

export const userChangeBody = z.strictObject({
  plan: z.enum(USER_PLANS).optional(),
  status: z.enum(USER_STATUSES).optional(),
  is_admin: z.boolean().optional(),
  plan_expires_at: instantField('first')
    .nullable()
    .optional()
    .meta({ description: 'An ISO time with its offset, or YYYY-MM-DD (00:00 UTC). Null: the plan does not expire' }),
});
export type UserChangeBody = z.output<typeof userChangeBody>;
