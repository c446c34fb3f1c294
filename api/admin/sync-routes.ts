/** Loads from the data provider: `/api/admin/data/sync-jobs`. */
import type { Queryable } from '../../db/pool.ts';
import { type FileReading, selectFileReadings } from '../../db/queue/file-readings.ts';
import {
  SYNC_JOB_TYPES,
  SYNC_STATUSES,
  type SyncJob,
  selectSyncJob,
  selectSyncJobs,
} from '../../db/queue/sync-jobs.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { found } from '../../engine/util/errors.ts';
import type { SyncSpec } from '../../jobs/contracts/sync.ts';
import { cancelSync, enqueueSync, retrySync } from '../../jobs/sync/enqueue.ts';
import { audited, auditIntent, changeRecord, entriesWith } from '../call/audited.ts';
import type { Route } from '../call/route.ts';
import { Accepted } from '../http/answer/reply.ts';
import { symbolListBody } from '../http/input/body.ts';
import {
  assertDayRange,
  dateField,
  idField,
  instant,
  listSchema,
  pageQuery,
  symbolField,
  z,
} from '../http/input/fields.ts';
import type { Problem } from '../http/input/problems.ts';
import { findInstrument } from '../market/directory.ts';
import { type AdminCall, defineRoute, type Services } from './services.ts';

const syncJobSchema = z
  .object({
    id: z.int(),
    job_type: z.enum(SYNC_JOB_TYPES),
    status: z.enum(SYNC_STATUSES).meta({ description: 'A load that waits is `running`, with `started_at` null' }),
    requested_by: z.string(),
    request: z.record(z.string(), z.unknown()),
    progress_pct: z
      .number()
      .min(0)
      .max(100)
      .meta({ description: 'The share of the load that is done, also of a failed load' }),
    symbols_total: z.int().nullable().meta({
      description: 'The named instruments, or all that were listed in the range. Null until a worker starts it',
    }),
    symbols_done: z.int().meta({
      description:
        'Instruments with at least one row that the load has loaded so far. Instruments without a row at the provider are ' +
        'never counted',
    }),
    rows_written: z.int(),
    rows_rejected: z.int().meta({ description: 'Rejected rows, including those of units that were not loaded' }),
    rows_rejected_by_reason: z.record(z.string(), z.int().min(0)).meta({
      description: '`rows_rejected` by reason. `unknown_instrument` never fails a load',
      example: { unknown_instrument: 120, bad_price: 3 },
    }),
    attempts: z.int(),
    error: z.string().nullable(),
    queued_at: instant,
    started_at: instant.nullable(),
    finished_at: instant.nullable(),
  })
  .meta({ id: 'SyncJob' });

const count = z.int().min(0);
export const fileSchema = z
  .object({
    path: z.string().meta({ description: 'Within the folder; a member of an archive is `a.zip!b.csv`' }),
    layout: z.string().nullable().meta({ description: 'Null: the file is not read' }),
    lines: count.meta({ description: 'header + blank + loaded + repeated + rejected + left_out' }),
    header: count,
    blank: count,
    loaded: count,
    repeated: count.meta({ description: 'Lines that another line equals, in this file or another one' }),
    rejected: count,
    left_out: count,
    reason: z.string().nullable().meta({ description: 'Why the file is not loaded; null: it is' }),
    first_line: z.string().nullable(),
    by_reason: z.record(z.string(), count).meta({ description: 'Rejected lines and those that were left out' }),
    rejected_lines: z
      .array(z.object({ line: z.int().min(1), text: z.string(), reason: z.string() }))
      .meta({ description: 'The first hundred, as they stand in the file' }),
    told: z.array(z.string()).meta({ description: 'What was assumed or noticed' }),
  })
  .meta({ id: 'SyncJobFile' });

function fileView({ bytes: _, modifiedMs: __, leftOut, firstLine, byReason, rejectedLines, ...file }: FileReading) {
  const lines = rejectedLines.map((line) => ({ ...line }));
  const views = { left_out: leftOut, first_line: firstLine, by_reason: byReason, rejected_lines: lines };
  return { ...file, ...views, told: [...file.told] };
}

const COMMON = { tag: 'Back office: market data', access: 'admin', limit: 'back_office' } as const;
const PATH = '/api/admin/data/sync-jobs';
const idPath = z.object({ id: idField });

function syncView({ queued_at, started_at, finished_at, ...job }: SyncJob): z.input<typeof syncJobSchema> {
  return {
    ...job,
    queued_at: queued_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
  };
}

const MAX_SYMBOLS = 10_000;

const syncBody = z
  .strictObject({
    job_type: z.enum(SYNC_JOB_TYPES),
    start: dateField.optional(),
    end: dateField.optional(),
    symbols: z.array(symbolField).min(1).max(MAX_SYMBOLS).optional(),
    venue_mode: z.enum(VENUE_BASES).optional().meta({ description: 'Default: all venue bases' }),
  })
  .superRefine(({ job_type, ...range }, context) => {
    if (job_type === 'daily_bars') return;
    for (const [name, value] of Object.entries(range)) {
      if (value !== undefined) {
        const problem: Problem = { code: 'only_for', details: { kind: 'daily_bars' } };
        context.addIssue({ code: 'custom', path: [name], params: { problem } });
      }
    }
  });

const accepted = (job: SyncJob) => new Accepted(`${PATH}/${job.id}`, syncView(job));

const dayText = (day: Day | undefined) => (day === undefined ? undefined : formatDay(day));

async function createSync(call: AdminCall, body: z.output<typeof syncBody>): Promise<Accepted> {
  const { boss, market } = call.services;
  const { job_type: jobType, start, end, symbols, venue_mode } = body;
  assertDayRange({ start, end });
  const spec: SyncSpec = {
    start: dayText(start),
    end: dayText(end),
    venue_mode,
    symbols: symbols?.map((symbol) => findInstrument(market.directory, symbol).instrument.symbol),
  };
  const { requestId } = call.context;
  const requestedBy = call.caller.account.userId;
  const intent = auditIntent(call, { details: { job_type: jobType, request: spec } });
  const job = await audited(call, intent, async (connection) => {
    const id = await enqueueSync(connection, boss, { jobType, spec, requestedBy, requestId });
    if (id === null) throw new Error('only a scheduled load can be refused');
    return {
      result: found(await selectSyncJob(connection, id)),
      entries: entriesWith(intent, { targetId: String(id) }),
    };
  });
  return accepted(job);
}

const QUEUED = { successStatus: 202, acceptedSchema: syncJobSchema, dataSchema: syncJobSchema } as const;

export const SYNC_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listSyncJobs',
    ...COMMON,
    method: 'get',
    path: PATH,
    summary: 'List loads, newest first',
    querySchema: z.object({
      job_type: z.enum(SYNC_JOB_TYPES).optional().meta({ description: 'Only loads of this kind' }),
      status: z.enum(SYNC_STATUSES).optional().meta({ description: 'Only loads with this status' }),
      ...pageQuery,
    }),
    dataSchema: listSchema(syncJobSchema),
    errors: [],
    handle: async ({ query: { job_type, status, page, size }, services: { pool } }) => {
      const { total, items } = await selectSyncJobs(pool, { jobType: job_type, status }, { page, size });
      return { total, page, size, items: items.map(syncView) };
    },
  }),
  defineRoute({
    operationId: 'createSyncJob',
    ...COMMON,
    ...QUEUED,
    method: 'post',
    takesIdempotencyKey: true,
    path: PATH,
    summary: 'Queue a load',
    description:
      'Loads units (a session or a file), each completely or not at all. Without dates, it loads all that the ' +
      'provider has. A unit that cannot be read or has more than 1% malformed rows is left ' +
      'out, as is a session with more than 1% and at least ten of them. The load then ends as `failed`, and ' +
      '`error` names them.',
    audit: { action: 'sync.create', target: 'sync_job' },
    bodySchema: syncBody,
    bodyExample: { job_type: 'daily_bars', start: '2026-05-01', end: '2026-05-29', venue_mode: 'consolidated' },
    bodyLimits: symbolListBody(MAX_SYMBOLS),
    errors: ['invalid_date', 'invalid_date_range', 'invalid_symbol', 'market_not_open', 'symbol_not_found'],
    handle: ({ body, ...call }) => createSync(call, body),
  }),
  defineRoute({
    operationId: 'getSyncJob',
    ...COMMON,
    method: 'get',
    path: `${PATH}/{id}`,
    summary: 'Get a load with its progress',
    pathSchema: idPath,
    dataSchema: syncJobSchema,
    errors: ['not_found'],
    handle: async ({ path, services: { pool } }) => syncView(found(await selectSyncJob(pool, path.id))),
  }),
  defineRoute({
    operationId: 'listSyncJobFiles',
    ...COMMON,
    method: 'get',
    path: `${PATH}/{id}/files`,
    summary: 'List the files of a load',
    description:
      'What became of every line, those with something to tell first. A load of daily bars has all files of the folder, by the ' +
      'newest reading of each. Only the provider `files` has any.',
    pathSchema: idPath,
    querySchema: z.object(pageQuery),
    dataSchema: listSchema(fileSchema),
    errors: ['not_found'],
    handle: async ({ path, query: { page, size }, services: { pool } }) => {
      const job = found(await selectSyncJob(pool, path.id));
      const { total, items } = await selectFileReadings(pool, job, { page, size });
      return { total, page, size, items: items.map(fileView) };
    },
  }),
  defineRoute({
    operationId: 'retrySyncJob',
    ...COMMON,
    ...QUEUED,
    method: 'post',
    takesIdempotencyKey: true,
    path: `${PATH}/{id}/retry`,
    summary: 'Retry a failed load',
    description: 'Loads the units that failed and those that were not reached. Everything that was loaded stays.',
    audit: { action: 'sync.retry', target: 'sync_job', parameter: 'id' },
    pathSchema: idPath,
    errors: ['not_found', 'wrong_state', 'already_running'],
    handle: async ({ path: { id }, ...call }) => {
      const { boss } = call.services;
      const { requestId } = call.context;
      const select = (db: Queryable) => selectSyncJob(db, id);
      return accepted(await changeRecord(call, select, (db, job) => retrySync(db, boss, job, requestId)));
    },
  }),
  defineRoute({
    operationId: 'cancelSyncJob',
    ...COMMON,
    ...QUEUED,
    method: 'post',
    takesIdempotencyKey: true,
    path: `${PATH}/{id}/cancel`,
    summary: 'Cancel a load that waits or runs',
    description: 'The load becomes `failed`. Everything that was loaded stays.',
    audit: { action: 'sync.cancel', target: 'sync_job', parameter: 'id' },
    pathSchema: idPath,
    errors: ['not_found', 'wrong_state'],
    errorDetails: { wrong_state: { needed: 'running', status: 'ok' } },
    handle: async ({ path: { id }, ...call }) => {
      const { boss } = call.services;
      const { userId } = call.caller.account;
      const select = (db: Queryable) => selectSyncJob(db, id);
      return accepted(await changeRecord(call, select, (db, job) => cancelSync(db, boss, job, userId)));
    },
  }),
];
