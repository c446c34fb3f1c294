/** Forward records: `/v1/my/forward`, and those that are shared under `/v1/forward`. */
import { selectForwardRecord, selectForwardRecords, selectHeads } from '../../db/research/forward.ts';
import { found } from '../../engine/util/errors.ts';
import { accountOf } from '../access/caller.ts';
import { localeOf } from '../access/request-context.ts';
import { TRADING_ERRORS } from '../backtests/routes.ts';
import { idField, listSchema, localeField, pageQuery, z } from '../http/input/fields.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { OF_ACCOUNT, startsWith, stateRoute } from '../runs/routes.ts';
import { sharingSchema, stateOf } from '../runs/schemas.ts';
import type { RunCall } from '../runs/services.ts';
import type { DoneRun } from '../runs/state.ts';
import { defineRoute, type Services } from '../screener/services.ts';
import {
  entriesOf,
  ownRecord,
  recordDetail,
  recordView,
  sharedDetail,
  sharedRecord,
  shareRecord,
  stopRecord,
} from './records.ts';
import { sealBody, sealSpecOf } from './request.ts';
import { entrySchema, recordDetailSchema, recordSchema, sharedRecordSchema } from './schemas.ts';

const { awaited } = startsWith<Services>();
const TAG = 'Forward records';
const COMMON = { tag: TAG, access: 'member', limit: 'account' } as const;
const OWN = '/v1/my/forward';
const onePath = z.object({ forward_id: idField });
const SHARED = { tag: TAG, access: 'anyone', limit: 'public' } as const;
const slugPath = z.object({ slug: z.string().min(6).max(32).meta({ example: 'p7Xk2mQ9' }) });
const entries = listSchema(entrySchema);

async function sealed(call: RunCall, { result }: DoneRun) {
  const { pool } = call.services;
  const userId = accountOf(call.caller)?.userId ?? 0;
  const { id }: { readonly id: number } = JSON.parse(result.summary);
  return recordDetail(pool, found(await selectForwardRecord(pool, userId, id)), call.context.locale);
}

export const FORWARD: OfferedKind<Services> = {
  tag: TAG,
  own: [
    awaited({
      operationId: 'sealRun',
      path: OWN,
      tag: TAG,
      summary: 'Seal a run, which goes on from here',
      description:
        'Computes the run through the newest session and seals its specification, engine, data, and what it predicts: bands of the growth ' +
        'of the next 250 sessions. After each load a job appends the session with positions, orders, and return to a chain of digests ' +
        'that nobody can rewrite. The first session that counts is that after the day of the seal in New York. The plan allows ' +
        '`forward_max` records that go on.',
      access: 'member',
      limit: 'backtest',
      bodySchema: sealBody,
      bodyExample: { run: { kind: 'backtest', id: 1 } },
      dataSchema: recordDetailSchema,
      errors: [...TRADING_ERRORS, 'column_deleted', 'plan_capability', 'quota_exceeded', 'rotation_invalid'],
      errorDetails: {
        plan_capability: { plan: 'guest', category: 'forward_max' },
        column_deleted: { name: 'score' },
        quota_exceeded: { plan: 'free', quota: 'forward_max', max: 3, count: 4 },
      },
      read: async ({ body, ...call }) => {
        const spec = await sealSpecOf(call, body);
        return { kind: 'seal', spec, show: (run) => sealed(call, run) };
      },
    }),
    defineRoute({
      ...COMMON,
      operationId: 'listForwardRecords',
      method: 'get',
      path: OWN,
      summary: 'List forward records, newest first',
      querySchema: z.object({ ...pageQuery, locale: localeField }),
      dataSchema: listSchema(recordSchema),
      errors: [],
      handle: async ({ query, caller, services: { pool }, context }) => {
        const { page, size } = query;
        const { total, items } = await selectForwardRecords(pool, caller.account.userId, query);
        return { total, page, size, items: items.map((one) => recordView(one, localeOf(query, context))) };
      },
    }),
    defineRoute({
      ...COMMON,
      operationId: 'getForwardRecord',
      method: 'get',
      path: `${OWN}/{forward_id}`,
      summary: 'Get a forward record with its bands and curves',
      pathSchema: onePath,
      querySchema: z.object({ locale: localeField }),
      dataSchema: recordDetailSchema,
      errors: ['not_found'],
      handle: async ({ path, query, ...call }) =>
        recordDetail(call.services.pool, await ownRecord(call, path.forward_id), localeOf(query, call.context)),
    }),
    defineRoute({
      ...COMMON,
      operationId: 'listForwardEntries',
      method: 'get',
      path: `${OWN}/{forward_id}/entries`,
      summary: 'List the entries of a forward record, oldest first',
      pathSchema: onePath,
      querySchema: z.object(pageQuery),
      dataSchema: entries,
      errors: ['not_found'],
      handle: async ({ path, query, ...call }) =>
        entriesOf(call.services.pool, await ownRecord(call, path.forward_id), query),
    }),
    defineRoute({
      ...COMMON,
      operationId: 'shareForwardRecord',
      method: 'post',
      path: `${OWN}/{forward_id}/share`,
      summary: 'Share a forward record by a link, or revoke the link',
      description: 'The count of the records of the account stands beside it, ended ones included.',
      takesIdempotencyKey: true,
      pathSchema: onePath,
      bodySchema: z.strictObject({ shared: z.boolean().default(true) }),
      bodyExample: { shared: true },
      dataSchema: sharingSchema,
      errors: ['not_found'],
      handle: ({ path, body, ...call }) => shareRecord(call, path.forward_id, body.shared),
    }),
    defineRoute({
      ...COMMON,
      operationId: 'stopForwardRecord',
      method: 'post',
      path: `${OWN}/{forward_id}/stop`,
      summary: 'Stop a forward record, which stays listed',
      takesIdempotencyKey: true,
      pathSchema: onePath,
      dataSchema: recordSchema,
      errors: ['not_found', 'wrong_state'],
      handle: ({ path, ...call }) => stopRecord(call, path.forward_id, call.context.locale),
    }),
    defineRoute({
      ...SHARED,
      operationId: 'listForwardHeads',
      method: 'get',
      path: '/v1/forward/heads',
      summary: 'List the digests of all forward records by day',
      description:
        'The digests at which chains stood on each day before today (UTC), whose they are aside. Who kept one can prove that nothing ' +
        'before it was changed.',
      querySchema: z.object(pageQuery),
      dataSchema: listSchema(z.object({ day: z.iso.date(), sha256: z.string().length(64) })),
      caching: 'for_minutes',
      errors: [],
      handle: async ({ query, services: { pool, now } }) => {
        const { page, size } = query;
        const today = new Date(now()).toISOString().slice(0, 10);
        const { total, items } = await selectHeads(pool, today, query);
        return { total, page, size, items: [...items] };
      },
    }),
    defineRoute({
      ...SHARED,
      operationId: 'getSharedForwardRecord',
      method: 'get',
      path: '/v1/forward/{slug}',
      summary: 'Get a shared forward record',
      pathSchema: slugPath,
      querySchema: z.object({ locale: localeField }),
      dataSchema: sharedRecordSchema,
      errors: ['not_found'],
      handle: async ({ path, query, services: { pool }, context }) =>
        sharedDetail(pool, await sharedRecord(pool, path.slug), localeOf(query, context)),
    }),
    defineRoute({
      ...SHARED,
      operationId: 'listSharedForwardEntries',
      method: 'get',
      path: '/v1/forward/{slug}/entries',
      summary: 'List the entries of a shared forward record, oldest first',
      pathSchema: slugPath,
      querySchema: z.object(pageQuery),
      dataSchema: entries,
      errors: ['not_found'],
      handle: async ({ path, query, services: { pool } }) =>
        entriesOf(pool, await sharedRecord(pool, path.slug), query),
    }),
  ],
  state: stateRoute('seal', TAG, {
    operationId: 'getSealJob',
    summary: 'Get the state of a sealing',
    description: OF_ACCOUNT,
    dataSchema: stateOf(recordDetailSchema),
    show: sealed,
  }),
};
