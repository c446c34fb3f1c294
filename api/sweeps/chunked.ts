/** Work that is computed in chunks, whatever they compute: its list, result, resumption, and removal. */
import type { Readable } from 'node:stream';
import { transaction } from '../../db/pool.ts';
import type { RunWord } from '../../db/run-words.ts';
import { selectSweeps } from '../../db/sweeps/sweep-list.ts';
import { type Sweep, type SweepKind, selectSweep } from '../../db/sweeps/sweeps.ts';
import { formatDay, MS_PER_DAY } from '../../engine/market/dates.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { EXPORT_CONTENT_TYPES } from '../../jobs/contracts/export.ts';
import { CELLS_KEPT_DAYS } from '../../jobs/contracts/sweep.ts';
import { removeSweep, retrySweep } from '../../jobs/sweep/enqueue.ts';
import { sweepCellsKey, sweepResultKey } from '../../storage/keys.ts';
import { type AccountCaller, accountOf, assertScope } from '../access/caller.ts';
import type { Route } from '../call/route.ts';
import { type Accepted, JsonStream, openObject, storedFile } from '../http/answer/reply.ts';
import { deletedSchema, listSchema, type pageQuery, type z } from '../http/input/fields.ts';
import { runPath } from '../runs/schemas.ts';
import { acceptedAt, ownRun, type RunRecord } from '../runs/state.ts';
import { defineRoute, type ScreenCall, type Services } from '../screener/services.ts';
import { notesOf, pauseNotices, type ViewingCall } from './view.ts';

export type ChunkedCall = ScreenCall<AccountCaller>;

/** One kind of it. `words`: as summaries and names of files name it. */
export interface ChunkedWork {
  readonly kind: SweepKind;
  readonly record: RunRecord<Sweep>;
  readonly tag: string;
  /** Parts of the names of operations. */
  readonly noun: { readonly one: string; readonly many: string };
  readonly words: { readonly one: string; readonly many: string; readonly file: string };
}

export function chunkedRecord(kind: SweepKind, path: string, idName: string): RunRecord<Sweep> {
  return {
    path,
    idName,
    select: async (db, caller, id) => {
      const sweep = await selectSweep(db, id);
      return sweep?.kind === kind && sweep.userId === accountOf(caller)?.userId ? sweep : null;
    },
  };
}

/** Who asks for a change, and when. */
export function factsOf({ services, context: { requestId }, caller }: ChunkedCall) {
  return { userId: caller.account.userId, requestId, at: new Date(services.now()) };
}

export async function acceptedWork(call: ChunkedCall, record: RunRecord<Sweep>, id: string): Promise<Accepted> {
  return acceptedAt(record.path, await ownRun(call, record, id), { id });
}

/** Work that is done. Throws if it failed or has not finished. */
export async function finishedWork(call: ChunkedCall, record: RunRecord<Sweep>, id: string): Promise<Sweep> {
  const sweep = await ownRun(call, record, id);
  if (sweep.status === 'failed') throw new ServiceError('sweep_failed');
  if (sweep.status !== 'done') throw new ServiceError('sweep_not_finished', { status: sweep.status });
  return sweep;
}

/** The result as the worker has stored it, with the notes in the caller's language added. */
async function resultOf(call: ChunkedCall, record: RunRecord<Sweep>, id: string): Promise<JsonStream> {
  const sweep = await finishedWork(call, record, id);
  const content = await openObject(call.services.storage, sweepResultKey(sweep.userId, id), 'not_found');
  return new JsonStream(textOf(content, notesOf(call, sweep.noteCodes)));
}

/** The JSON of an object with `notes` added as its first member. */
async function* textOf(content: Readable, notes: object): AsyncGenerator<string> {
  content.setEncoding('utf8');
  let isFirst = true;
  for await (const piece of content) {
    const text = String(piece);
    yield isFirst ? text.replace(/^\{/, `{"notes":${JSON.stringify(notes)},`) : text;
    isFirst = false;
  }
}

/** The file of all that was computed. `part`: of its name. Throws once it has expired. */
export async function fileOf(call: ChunkedCall, { record, words }: ChunkedWork, id: string, part: string) {
  const { storage, now } = call.services;
  const { userId, finishedAt, cellsBytes, cellsSha256, createdAt } = await finishedWork(call, record, id);
  const isOld = finishedAt === null || finishedAt.getTime() + CELLS_KEPT_DAYS * MS_PER_DAY <= now();
  if (isOld || cellsBytes === null || cellsSha256 === null) throw new ServiceError('sweep_expired');
  const day = formatDay(Math.floor(createdAt.getTime() / MS_PER_DAY));
  const stored = {
    key: sweepCellsKey(userId, id),
    name: `${words.file}-${day}-${id.slice(0, 8)}-${part}.parquet`,
    contentType: EXPORT_CONTENT_TYPES.parquet,
    bytes: cellsBytes,
    checksum: cellsSha256,
  };
  return storedFile(storage, stored, 'sweep_expired');
}

const OF_ACCOUNT = { access: 'member', limit: 'account' } as const;

const pathOf = ({ path, idName }: RunRecord<Sweep>) => `${path}/{${idName}}`;

export function listRoute<Q extends z.ZodType<z.output<z.ZodObject<typeof pageQuery>>>, D extends z.ZodType>(
  { kind, record, tag, noun, words }: ChunkedWork,
  shown: {
    readonly querySchema: Q;
    readonly dataSchema: D;
    readonly words?: (query: z.output<Q>) => readonly RunWord[];
    readonly view: (call: ViewingCall, sweep: Sweep, pauses: ReturnType<typeof pauseNotices>) => Promise<z.input<D>>;
  },
): Route<Services> {
  return defineRoute({
    ...OF_ACCOUNT,
    tag,
    operationId: `list${noun.many}`,
    method: 'get',
    path: record.path,
    summary: `List ${words.many} of the account, newest first`,
    querySchema: shown.querySchema,
    dataSchema: listSchema(shown.dataSchema),
    errors: [],
    handle: async ({ query, ...call }) => {
      const { services, caller } = call;
      const searched = shown.words?.(query) ?? [];
      const { total, items } = await selectSweeps(services.pool, caller.account.userId, kind, searched, query);
      const pauses = pauseNotices(call);
      const views = await Promise.all(items.map((sweep) => shown.view(call, sweep, pauses)));
      return { total, page: query.page, size: query.size, items: views };
    },
  });
}

export function resultRoute(
  { record, tag, noun, words }: ChunkedWork,
  shown: { readonly description: string; readonly dataSchema: z.ZodType },
): Route<Services> {
  return defineRoute({
    ...OF_ACCOUNT,
    ...shown,
    tag,
    operationId: `get${noun.one}Result`,
    method: 'get',
    path: `${pathOf(record)}/result`,
    pathSchema: runPath(record.idName),
    summary: `Get the result of ${words.one}`,
    errors: ['not_found', 'sweep_failed', 'sweep_not_finished'],
    handle: ({ path, ...call }) => resultOf(call, record, path[record.idName]),
  });
}

/** Resumption and removal. */
export function changeRoutes(
  { record, tag, noun, words }: ChunkedWork,
  jobSchema: z.ZodType,
): readonly Route<Services>[] {
  const pathSchema = runPath(record.idName);
  return [
    defineRoute({
      ...OF_ACCOUNT,
      tag,
      pathSchema,
      operationId: `retry${noun.one}`,
      method: 'post',
      path: `${pathOf(record)}/retry`,
      summary: `Resume ${words.one.replace(' ', ' failed ')}`,
      description: 'Chunks that were computed are not computed again.',
      limit: 'optimize',
      successStatus: 202,
      dataSchema: jobSchema,
      errors: ['not_found', 'wrong_state'],
      handle: async ({ path, ...call }) => {
        const { pool, boss, now } = call.services;
        const id = path[record.idName];
        const sweep = await ownRun(call, record, id);
        await transaction(pool, (connection) => retrySweep(connection, boss, sweep, new Date(now())));
        return acceptedWork(call, record, id);
      },
    }),
    defineRoute({
      ...OF_ACCOUNT,
      tag,
      pathSchema,
      operationId: `delete${noun.one}`,
      method: 'delete',
      // A key that may begin the work may end it; to remove a result needs more.
      scope: 'research',
      path: pathOf(record),
      summary: `Cancel and remove ${words.one}`,
      dataSchema: deletedSchema,
      errors: ['not_found'],
      handle: async ({ path, ...call }) => {
        const { pool, boss } = call.services;
        const { id, finishedAt } = await ownRun(call, record, path[record.idName]);
        if (finishedAt !== null) assertScope('account', call.caller);
        found(await transaction(pool, (connection) => removeSweep(connection, boss, { id, ...factsOf(call) })));
        return { deleted: true as const };
      },
    }),
  ];
}
