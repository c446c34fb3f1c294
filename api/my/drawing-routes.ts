/** Drawings on charts: `/v1/my/drawings`. */
import { lockUser } from '../../db/accounts/users.ts';
import { transaction } from '../../db/pool.ts';
import { countDrawings, deleteDrawing, insertDrawing, selectDrawings } from '../../db/research/drawings.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import type { AccountCaller } from '../access/caller.ts';
import type { Route } from '../call/route.ts';
import { deletedSchema, idField, listSchema, onePage, z } from '../http/input/fields.ts';
import { findInstrument } from '../market/directory.ts';
import { SYMBOL_ERRORS, symbolPath } from '../market/schemas.ts';
import { defineRoute, type Services } from './services.ts';

const COMMON = { tag: 'Drawings', access: 'member', limit: 'account' } as const;
const MAX_ON_CHART = 200;
const MAX_OF_ACCOUNT = 10_000;
/** With it a drawing takes at most 2 KB. */
const MAX_NOTE = 500;

const point = z.strictObject({
  date: z.iso.date(),
  price: z.number().positive().max(1e12).meta({ description: 'On the share count of today' }),
});
const note = z.string().max(MAX_NOTE).default('').meta({ description: 'Plain text beside the drawing' });
const shape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('line'), points: z.tuple([point, point]), note }),
  z.strictObject({ kind: z.literal('level'), points: z.tuple([point]), note }),
  z.strictObject({ kind: z.literal('range'), points: z.tuple([point, point]), note }),
]);
const drawingSchema = z.object({ id: z.int(), shape }).meta({ id: 'Drawing' });

export const DRAWING_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listDrawings',
    ...COMMON,
    method: 'get',
    path: '/v1/my/drawings/{symbol}',
    summary: 'List the drawings of the account on the chart of a symbol, oldest first',
    pathSchema: symbolPath,
    dataSchema: listSchema(drawingSchema),
    errors: SYMBOL_ERRORS,
    handle: async ({ path, ...call }) => onePage(await selectDrawings(call.services.pool, chartOf(call, path.symbol))),
  }),
  defineRoute({
    operationId: 'createDrawing',
    ...COMMON,
    method: 'post',
    path: '/v1/my/drawings/{symbol}',
    summary: 'Draw on the chart of a symbol',
    description:
      'A line through two points, a price level, or a range between two corners. An account keeps at most ' +
      `${MAX_ON_CHART} drawings on a symbol, and ${MAX_OF_ACCOUNT} on all.`,
    successStatus: 201,
    takesIdempotencyKey: true,
    pathSchema: symbolPath,
    bodySchema: z.strictObject({ shape }),
    bodyExample: { shape: { kind: 'level', points: [{ date: '2026-05-29', price: 41.5 }], note: 'The last high' } },
    dataSchema: drawingSchema,
    errors: [...SYMBOL_ERRORS, 'quota_exceeded'],
    handle: async ({ path, body, ...call }) => {
      const { pool, now } = call.services;
      const chart = chartOf(call, path.symbol);
      const id = await transaction(pool, async (connection) => {
        await lockUser(connection, chart.userId);
        const { onChart, ofAccount } = await countDrawings(connection, chart);
        assertFewer(call.caller, 'drawings_on_a_symbol', MAX_ON_CHART, onChart);
        assertFewer(call.caller, 'drawings', MAX_OF_ACCOUNT, ofAccount);
        return insertDrawing(connection, chart, body.shape, new Date(now()));
      });
      return { id, shape: body.shape };
    },
  }),
  defineRoute({
    operationId: 'deleteDrawing',
    ...COMMON,
    method: 'delete',
    path: '/v1/my/drawings/{symbol}/{drawing_id}',
    summary: 'Delete a drawing',
    pathSchema: symbolPath.extend({ drawing_id: idField }),
    dataSchema: deletedSchema,
    errors: [...SYMBOL_ERRORS, 'not_found'],
    handle: async ({ path, ...call }) => {
      const isDeleted = await deleteDrawing(call.services.pool, chartOf(call, path.symbol), path.drawing_id);
      if (!isDeleted) throw new ServiceError('not_found');
      return { deleted: true as const };
    },
  }),
];

type DrawingCall = { readonly services: Services; readonly caller: AccountCaller };

function chartOf({ services: { market }, caller }: DrawingCall, symbol: string) {
  return { userId: caller.account.userId, instrumentId: findInstrument(market.directory, symbol).id };
}

function assertFewer({ plan }: AccountCaller, quota: string, max: number, kept: number): void {
  if (kept >= max) throw new ServiceError('quota_exceeded', { plan, quota, max, count: kept + 1 });
}
