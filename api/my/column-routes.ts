/** Own columns of accounts: `/v1/my/columns`. */
import { deleteColumn } from '../../db/research/column-writes.ts';
import { selectColumns } from '../../db/research/own-columns.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import {
  dateField,
  deletedSchema,
  fileBody,
  listSchema,
  onePage,
  pageQuery,
  symbolField,
  z,
} from '../http/input/fields.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { OF_ACCOUNT, startsWith, stateRoute } from '../runs/routes.ts';
import { runStateFields } from '../runs/schemas.ts';
import { defineRoute, type Services } from '../runs/services.ts';
import {
  columnDetail,
  columnDetailSchema,
  columnPath,
  columnQuery,
  columnRowSchema,
  columnRows,
  columnSchema,
  columnView,
  uploadSpec,
  writtenColumn,
  writtenSchema,
} from './columns.ts';

const TAG = 'Own columns';
const COMMON = { tag: TAG, access: 'member', limit: 'account' } as const;
const PATH = '/v1/my/columns';
const ONE = `${PATH}/{name}`;
const { awaited } = startsWith<Services>();

export const FILE_TYPES = [
  'text/csv',
  'application/x-ndjson',
  'application/vnd.apache.parquet',
  'application/vnd.apache.arrow.stream',
] as const;

export const COLUMNS: OfferedKind<Services> = {
  tag: TAG,
  own: [
    awaited({
      ...COMMON,
      operationId: 'updateColumn',
      method: 'put',
      path: ONE,
      summary: 'Write a column',
      description:
        'Rows of `symbol`, `date`, `known_at` (a day, or a time, in New York without an offset), and `value` as CSV, NDJSON, ' +
        'Parquet, or Arrow, recognized by content. A value is seen at no close before it was known: a day counts from the next session on. ' +
        'Each write is a version. More than 1% and ten of malformed lines, or more rows than the plan has, keep nothing.',
      pathSchema: columnPath,
      querySchema: columnQuery,
      bodySchema: fileBody,
      bodyTypes: FILE_TYPES,
      dataSchema: writtenSchema,
      errors: ['quota_exceeded', 'column_refused', 'body_too_large', 'storage_full'],
      read: async ({ path, query, body, ...call }) => ({
        kind: 'column',
        spec: await uploadSpec(call, path.name, { settings: query, isCommon: false, body }),
        show: (run) => writtenColumn(call, run),
      }),
    }),
    defineRoute({
      ...COMMON,
      operationId: 'listColumns',
      method: 'get',
      path: PATH,
      summary: 'List the columns that rules may name',
      description: "The account's own, and everyone's, by name.",
      dataSchema: listSchema(columnSchema),
      errors: [],
      handle: async ({ caller, services: { pool } }) =>
        onePage((await selectColumns(pool, caller.account.userId)).map(columnView)),
    }),
    defineRoute({
      ...COMMON,
      operationId: 'getColumn',
      method: 'get',
      path: ONE,
      summary: 'Get a column with its versions and coverage',
      pathSchema: columnPath,
      dataSchema: columnDetailSchema,
      errors: ['not_found'],
      handle: ({ path, ...call }) => columnDetail(call, path.name),
    }),
    defineRoute({
      ...COMMON,
      operationId: 'listColumnRows',
      method: 'get',
      path: `${ONE}/rows`,
      summary: 'List rows of a column',
      pathSchema: columnPath,
      querySchema: z.object({
        symbol: symbolField.optional().meta({ description: 'Needed unless the column is of the market' }),
        start: dateField.optional().meta({ description: 'The first `date`' }),
        end: dateField.optional().meta({ description: 'The last `date`' }),
        as_of: dateField.optional().meta({ description: 'Only rows that were seen by the close of this day' }),
        ...pageQuery,
      }),
      dataSchema: listSchema(columnRowSchema),
      errors: [
        'not_found',
        'invalid_symbol',
        'symbol_not_found',
        'market_not_open',
        'invalid_date',
        'invalid_date_range',
      ],
      handle: ({ path, query, ...call }) => columnRows(call, path.name, query),
    }),
    defineRoute({
      ...COMMON,
      operationId: 'deleteColumn',
      method: 'delete',
      path: ONE,
      summary: 'Delete a column with its versions',
      pathSchema: columnPath,
      dataSchema: deletedSchema,
      errors: ['not_found'],
      handle: async ({ path, caller, services: { pool } }) => {
        if (!(await deleteColumn(pool, caller.account.userId, path.name))) throw new ServiceError('not_found');
        return { deleted: true as const };
      },
    }),
  ],
  state: stateRoute('column', TAG, {
    operationId: 'getColumnJob',
    summary: 'Get the state and result of a write',
    description: OF_ACCOUNT,
    dataSchema: z.object({
      ...runStateFields,
      progress_pct: z.number().min(0).max(100),
      result: z.union([writtenSchema, z.null()]),
    }),
    errors: [],
    show: (call, run) => writtenColumn(call, run),
    more: ({ progressPct }) => ({ progress_pct: progressPct }),
  }),
};
