/** The job that brings all forward records up to the newest session. */
import { type Instrument, selectInstruments } from '../../db/market/instruments.ts';
import {
  type ForwardRecord,
  growRecord,
  selectDueRecords,
  selectEntries,
  selectOwner,
} from '../../db/research/forward.ts';
import { insertDeliveries } from '../../db/webhooks/webhooks.ts';
import type { Entry } from '../../engine/forward/record.ts';
import { FiguresOverflow } from '../../engine/market/figures.ts';
import { FORWARD_MAX } from '../contracts/forward.ts';
import { isOutOfSpace, isPermanent, type JobContext } from '../contracts/job-context.ts';
import { withMeasured } from '../evidence/kinds.ts';
import { type NewestSession, newestEvaluable } from '../signals/enqueue.ts';
import { type Appended, appendTo, liveFigures } from './append.ts';
import { linked, returnSince, type Told, toldIn } from './chain.ts';

type ForwardContext = Pick<JobContext, 'pool' | 'now' | 'log' | 'signal' | 'rotationBars'>;

const PAGE = 50;

export async function appendToRecords(context: ForwardContext): Promise<void> {
  const { pool, now, log, signal } = context;
  const newest = await newestEvaluable(pool, now());
  if (newest === null) return;
  const instruments = new Map((await selectInstruments(pool)).map((one) => [one.id, one]));
  let grown = 0;
  for (
    let last = 0, page = await dueAfter(context, newest, 0);
    page.length > 0;
    page = await dueAfter(context, newest, last)
  ) {
    for (const record of page) {
      signal.throwIfAborted();
      if (await bringUp(context, record, newest, instruments)) grown++;
      last = record.id;
    }
  }
  if (grown > 0) log.info({ session: newest.session, records: grown }, 'forward records have gone on');
}

function dueAfter({ pool }: ForwardContext, newest: NewestSession, last: number): Promise<ForwardRecord[]> {
  return selectDueRecords(pool, newest, last, PAGE);
}

/** Whether entries were appended. A fault of one record does not keep the others waiting. */
async function bringUp(
  context: ForwardContext,
  record: ForwardRecord,
  newest: NewestSession,
  instruments: ReadonlyMap<number, Instrument>,
): Promise<boolean> {
  const { pool, now, log } = context;
  const at = new Date(now());
  const told = toldIn(await selectEntries(pool, record.id));
  try {
    return await append(context, record, told, await appendedTo(context, record, told, newest, instruments), newest);
  } catch (error) {
    if (!(error instanceof FiguresOverflow) && (!isPermanent(error) || isOutOfSpace(error))) throw error;
    log.error({ err: error, record: record.id }, 'a forward record could not go on');
    const { head, sessions, baseEquity } = record;
    const nothing = {
      head,
      entries: [],
      sessions,
      baseEquity,
      live: null,
      status: 'live',
      revised: null,
      newest,
      at,
    } as const;
    await growRecord(pool, record, nothing, async () => {});
    return false;
  }
}

async function appendedTo(
  context: ForwardContext,
  record: ForwardRecord,
  told: Told,
  { day, dataVersion }: NewestSession,
  instruments: ReadonlyMap<number, Instrument>,
): Promise<Appended> {
  if (await isGivenUp(context, record)) return { entries: [], isAbandoned: true, baseEquity: record.baseEquity };
  return withMeasured(record, (kind) => {
    const spec = kind.spec.parse(withPresentFacts(record.spec, instruments));
    return appendTo(context, { kind, record, spec, dataVersion }, told, day);
  });
}

async function append(
  { pool, now }: ForwardContext,
  record: ForwardRecord,
  told: Told,
  { entries: fresh, isAbandoned, baseEquity }: Appended,
  newest: NewestSession,
): Promise<boolean> {
  const { id, name, userId, head, lastSession, sealedDay } = record;
  const at = new Date(now());
  const added = fresh.flatMap((entry) => ('kind' in entry ? [] : [entry]));
  const session = added.at(-1)?.session ?? lastSession ?? sealedDay;
  const ending: Entry[] = isAbandoned ? [{ kind: 'abandoned', session }] : [];
  const entries = linked(head, [...fresh, ...ending]);
  const newestEntry = entries.at(-1);
  const sessions = [...told.sessions, ...added];
  const live = newestEntry === undefined ? null : liveFigures(record, sessions);
  const status = isAbandoned ? 'abandoned' : 'live';
  const revised = fresh.flatMap((entry) => ('kind' in entry && entry.kind === 'revised' ? [entry] : []));
  const known = new Map([...told.revised, ...revised.map(({ session: day, after }) => [day, after] as const)]);
  const returns = { before: returnSince(told), after: returnSince({ sessions: told.sessions, revised: known }) };
  const growth = {
    head,
    entries,
    sessions: sessions.length,
    baseEquity,
    live,
    status,
    revised: revised.length === 0 ? null : returns,
    newest,
    at,
  } as const;
  const isGrown = await growRecord(pool, record, growth, (connection) => {
    const data = { id, name, session: newest.session, sha256: newestEntry?.sha256 };
    return insertDeliveries(connection, { userId, event: 'forward.appended', at, data });
  });
  return isGrown && newestEntry !== undefined;
}

/** Whether the account may not have the record go on: it is closed, or its plan allows fewer. */
async function isGivenUp({ pool, now }: ForwardContext, record: ForwardRecord): Promise<boolean> {
  const owner = await selectOwner(pool, record);
  // Deleted meanwhile, and the record with it.
  if (owner === null) return true;
  const { plan, planExpiresAt, status, place } = owner;
  const isExpired = planExpiresAt !== null && planExpiresAt.getTime() <= now();
  return status !== 'active' || place > FORWARD_MAX[isExpired ? 'free' : plan];
}

/** A specification with what is known of its instruments today: some are delisted since. */
function withPresentFacts(spec: unknown, instruments: ReadonlyMap<number, Instrument>): unknown {
  return JSON.parse(JSON.stringify(spec), (_, value) => {
    const present = typeof value === 'object' && value !== null ? instruments.get(value.instrumentId) : undefined;
    if (present === undefined || !('delistedOn' in value)) return value;
    const { listedOn, delistedOn } = present;
    return { ...value, listedOn, delistedOn };
  });
}
