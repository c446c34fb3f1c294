/** Watches and their signals: `/v1/my/watches`, `/v1/my/signals`. */
import { selectSignals } from '../../db/research/signals.ts';
import { selectWatches } from '../../db/research/watches.ts';
import { formatDay } from '../../engine/market/dates.ts';
import type { Route } from '../call/route.ts';
import { dateField, deletedSchema, idField, listSchema, pageQuery, queryInteger, z } from '../http/input/fields.ts';
import { defineRoute, type Services } from './services.ts';
import { signalSchema, signalView, watchSchema, watchViews } from './watch-views.ts';
import {
  changeWatch,
  createWatch,
  removeWatch,
  WATCH_EXAMPLE,
  watchBody,
  watchChangeBody,
  watchOfAccount,
} from './watches.ts';

const COMMON = { tag: 'Signals', access: 'member', limit: 'account' } as const;
const watchPath = z.object({ watch_id: idField });

export const WATCH_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listWatches',
    ...COMMON,
    method: 'get',
    path: '/v1/my/watches',
    summary: 'List watches of the account, by name',
    querySchema: z.object(pageQuery),
    dataSchema: listSchema(watchSchema),
    errors: [],
    handle: async (call) => {
      const { query, caller, services } = call;
      const { total, items } = await selectWatches(services.pool, caller.account.userId, query);
      const { page, size } = query;
      return { total, page, size, items: await watchViews(call, items) };
    },
  }),
  defineRoute({
    operationId: 'createWatch',
    ...COMMON,
    method: 'post',
    path: '/v1/my/watches',
    summary: 'Watch symbols, or a screen, with a strategy',
    description:
      'After each load the newest session that may be distributed is evaluated: the strategy runs on the whole history, ' +
      'with fills at the close, and an entry or exit at that session is a signal. The plan allows `watches_max` watches.',
    takesIdempotencyKey: true,
    successStatus: 201,
    bodySchema: watchBody,
    bodyExample: WATCH_EXAMPLE,
    dataSchema: watchSchema,
    errors: [
      'invalid_strategy',
      'invalid_symbol',
      'market_not_open',
      'symbol_not_found',
      'invalid_asset_type',
      'rule_invalid',
      'not_found',
      'name_taken',
      'quota_exceeded',
    ],
    handle: ({ body, ...call }) => createWatch(call, body),
  }),
  defineRoute({
    operationId: 'getWatch',
    ...COMMON,
    method: 'get',
    path: '/v1/my/watches/{watch_id}',
    summary: 'Get a watch',
    pathSchema: watchPath,
    dataSchema: watchSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => watchOfAccount(call, path.watch_id),
  }),
  defineRoute({
    operationId: 'updateWatch',
    ...COMMON,
    method: 'patch',
    path: '/v1/my/watches/{watch_id}',
    summary: 'Rename a watch, or switch its mail on or off',
    pathSchema: watchPath,
    bodySchema: watchChangeBody,
    bodyExample: { mail: false },
    dataSchema: watchSchema,
    errors: ['not_found', 'name_taken'],
    handle: ({ path, body, ...call }) => changeWatch(call, path.watch_id, body),
  }),
  defineRoute({
    operationId: 'deleteWatch',
    ...COMMON,
    method: 'delete',
    path: '/v1/my/watches/{watch_id}',
    summary: 'Delete a watch with its signals',
    pathSchema: watchPath,
    dataSchema: deletedSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => removeWatch(call, path.watch_id),
  }),
  defineRoute({
    operationId: 'listSignals',
    ...COMMON,
    method: 'get',
    path: '/v1/my/signals',
    summary: 'List signals of the watches, newest session first',
    description:
      'Each session is evaluated once per version of the data. Signals that change with the data replace the earlier ' +
      'ones, with `corrected`.',
    querySchema: z.object({
      since: dateField.optional().meta({ description: 'Of this session and later ones' }),
      watch_id: queryInteger(1, Number.MAX_SAFE_INTEGER).optional().meta({ description: 'Only those of this watch' }),
      ...pageQuery,
    }),
    dataSchema: listSchema(signalSchema),
    errors: ['invalid_date'],
    handle: async ({ query, caller, services: { pool } }) => {
      const { since, watch_id: watchId, page, size } = query;
      const filter = { watchId, since: since === undefined ? undefined : formatDay(since) };
      const { total, items } = await selectSignals(pool, caller.account.userId, filter, { page, size });
      return { total, page, size, items: items.map(signalView) };
    },
  }),
];
