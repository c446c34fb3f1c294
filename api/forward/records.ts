/** Forward records of accounts: shown, shared, stopped. */

import type { Queryable } from '../../db/pool.ts';
import {
  countRecords,
  type ForwardRecord,
  growRecord,
  selectEntries,
  selectForwardRecord,
  selectSharedRecord,
  updateRecordSharing,
} from '../../db/research/forward.ts';
import { insertDeliveries } from '../../db/webhooks/webhooks.ts';
import { PREDICTED } from '../../engine/forward/bands.ts';
import type { Entry } from '../../engine/forward/record.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { doublesOf, linked, rounded, toldIn } from '../../jobs/forward/chain.ts';
import type { z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { newSlug } from '../runs/keep.ts';
import type { sharingSchema } from '../runs/schemas.ts';
import type { AccountCall } from '../runs/services.ts';
import type { entrySchema, recordDetailSchema, recordSchema, sharedRecordSchema } from './schemas.ts';
import { sentencesOn } from './words.ts';

type Counts = Awaited<ReturnType<typeof countRecords>>;

const statusOf = ({
  status,
  sessions,
}: Pick<ForwardRecord, 'status' | 'sessions'>): z.input<typeof recordSchema>['status'] =>
  status === 'live' && sessions > PREDICTED ? 'beyond' : status;

function liveView(live: ForwardRecord['live']): z.input<typeof recordSchema>['live'] {
  if (live === null) return null;
  const { appraisal_interval: interval } = live;
  return { ...live, appraisal_interval: interval && [interval[0], interval[1]] };
}

export function recordView(record: ForwardRecord, locale: Locale, account?: Counts): z.input<typeof recordSchema> {
  const { id, name, kind, sealedAt, endedAt, sessions, lastSession, sealSha256, head, isShared, slug } = record;
  const { sealed, live } = record;
  const status = statusOf(record);
  return {
    id,
    name,
    kind,
    status,
    sealed_at: sealedAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    sessions,
    last_session: lastSession,
    seal_sha256: sealSha256,
    head,
    sealed,
    live: liveView(live),
    shared: isShared,
    slug,
    sentences: sentencesOn({ status, sealed, live, account }, locale),
  };
}

export async function ownRecord({ services, caller }: AccountCall, id: number): Promise<ForwardRecord> {
  return found(await selectForwardRecord(services.pool, caller.account.userId, id));
}

export async function sharedRecord(db: Queryable, slug: string): Promise<ForwardRecord> {
  return found(await selectSharedRecord(db, slug));
}

export async function recordDetail(
  db: Queryable,
  record: ForwardRecord,
  locale: Locale,
): Promise<z.input<typeof recordDetailSchema>> {
  const account = await countRecords(db, record.userId);
  return { ...recordView(record, locale, account), ...(await detailOf(db, record, account)) };
}

export async function sharedDetail(
  db: Queryable,
  record: ForwardRecord,
  locale: Locale,
): Promise<z.input<typeof sharedRecordSchema>> {
  const { id: _id, shared: _shared, ...shown } = await recordDetail(db, record, locale);
  return shown;
}

async function detailOf(db: Queryable, record: ForwardRecord, account: Counts) {
  return {
    of_account: account,
    seal: { ...record.seal },
    bands: bandsView(record.bands),
    lowered_bands: bandsView(record.loweredBands),
    before: beforeOf(record),
    after: afterOf(await selectEntries(db, record.id)),
  };
}

const bandsView = (bands: ForwardRecord['bands']) => bands && { growth: [...bands.growth], excess: [...bands.excess] };

/** The end of the sealed curve, 1 at the seal. */
function beforeOf({ days, returns, market }: Pick<ForwardRecord, 'days' | 'returns' | 'market'>) {
  const sessions = new Int32Array(Uint8Array.from(days).buffer);
  const [own, held] = [doublesOf(returns), doublesOf(market)];
  const first = Math.max(0, sessions.length - PREDICTED);
  const points: { ts: string; growth: number; market: number }[] = [];
  for (let t = sessions.length - 1, growth = 1, beside = 1; t >= first; t--) {
    points.push({ ts: formatDay(sessions[t]), growth: rounded(growth), market: rounded(beside) });
    growth /= 1 + own[t];
    beside /= 1 + held[t];
  }
  return points.reverse();
}

function afterOf(entries: Awaited<ReturnType<typeof selectEntries>>) {
  const { sessions, revised } = toldIn(entries);
  let [growth, beside, now] = [1, 1, 1];
  const first = sessions.findIndex(({ session }) => revised.has(session));
  return sessions.map((one, i) => {
    growth *= 1 + one.return;
    beside *= 1 + one.benchmark;
    now *= 1 + (revised.get(one.session)?.return ?? one.return);
    return {
      ts: one.session,
      growth: rounded(growth),
      market: rounded(beside),
      revised: first >= 0 && i >= first ? rounded(now) : null,
    };
  });
}

export async function entriesOf(
  db: Queryable,
  { id }: Pick<ForwardRecord, 'id'>,
  { page, size }: { readonly page: number; readonly size: number },
) {
  const all = await selectEntries(db, id);
  const items = all.slice((page - 1) * size, page * size).map(({ appended_at, entry, ...one }) => ({
    ...one,
    entry: entryView(entry),
    appended_at: appended_at.toISOString(),
  }));
  return { total: all.length, page, size, items };
}

function entryView(entry: Entry): z.input<typeof entrySchema>['entry'] {
  if ('kind' in entry) return entry;
  const { columns, positions, orders } = entry;
  return { ...entry, columns: [...columns], positions: [...positions], orders: [...orders] };
}

export async function shareRecord(
  { services, caller }: AccountCall,
  id: number,
  isShared: boolean,
): Promise<z.input<typeof sharingSchema>> {
  const { pool, publicApiBase } = services;
  const changed = found(
    await updateRecordSharing(pool, { userId: caller.account.userId, id }, { isShared, newSlug: newSlug() }),
  );
  const { slug } = changed;
  return {
    slug,
    shared: changed.isShared,
    url: changed.isShared ? `${publicApiBase}/f/${slug}` : null,
    api_url: changed.isShared ? `${publicApiBase}/v1/forward/${slug}` : null,
  };
}

/** Appends that it was stopped: it stays listed. */
export async function stopRecord(call: AccountCall, id: number, locale: Locale): Promise<z.input<typeof recordSchema>> {
  const { pool, now } = call.services;
  const record = await ownRecord(call, id);
  if (record.status !== 'live') throw new ServiceError('wrong_state', { needed: 'live', status: record.status });
  const session = record.lastSession ?? record.sealedDay;
  const entries = linked(record.head, [{ kind: 'stopped', session }]);
  const { head, sessions } = record;
  const growth = {
    head,
    entries,
    sessions,
    baseEquity: null,
    live: null,
    status: 'stopped',
    revised: null,
    newest: null,
    at: new Date(now()),
  } as const;
  await growRecord(pool, record, growth, (connection) => {
    const data = { id, name: record.name, session, sha256: entries[0].sha256 };
    return insertDeliveries(connection, { userId: record.userId, event: 'forward.appended', at: growth.at, data });
  });
  return recordView(await ownRecord(call, id), locale);
}
