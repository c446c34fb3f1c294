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
import { formatDay } from '../../engine/market/dates.ts';
import { FORWARD_MAX } from '../contracts/forward.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { withMeasured } from '../evidence/kinds.ts';
import { type NewestSession, newestEvaluable } from '../signals/enqueue.ts';
import { type Appended, appendTo, liveFigures } from './append.ts';
import { linked, type Told, toldIn } from './chain.ts';

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

/** Whether entries were appended. */
async function bringUp(
  context: ForwardContext,
  record: ForwardRecord,
  newest: NewestSession,
  instruments: ReadonlyMap<number, Instrument>,
): Promise<boolean> {
  const { pool, now } = context;
  const { day, dataVersion } = newest;
  const told = toldIn(await selectEntries(pool, record.id));
  const appended = (await isGivenUp(context, record))
    ? { entries: [], isAbandoned: true, baseEquity: record.baseEquity }
    : await withMeasured(record, (kind) => {
        const spec = kind.spec.parse(withPresentFacts(record.spec, instruments));
        return appendTo(context, { kind, record, spec, dataVersion }, told, day);
      });
  const session = record.lastSession ?? record.sealedDay;
  const ending: Entry[] = appended.isAbandoned ? [{ kind: 'abandoned', session: newestOf(appended) ?? session }] : [];
  const entries = linked(record.head, [...appended.entries, ...ending]);
  const sessions = [...told.sessions, ...sessionsIn(appended)];
  const at = new Date(now());
  const growth = {
    head: record.head,
    entries,
    sessions: sessions.length,
    baseEquity: appended.baseEquity,
    live: entries.length === 0 ? null : liveFigures(record, sessions),
    status: appended.isAbandoned ? 'abandoned' : 'live',
    newest,
    at,
  } as const;
  const isGrown = await growRecord(pool, record, growth, (connection) => {
    const data = {
      id: record.id,
      name: record.name,
      session: formatDay(day),
      sha256: entries[entries.length - 1].sha256,
    };
    return insertDeliveries(connection, { userId: record.userId, event: 'forward.appended', at, data });
  });
  return isGrown && entries.length > 0;
}

const sessionsIn = ({ entries }: Pick<Appended, 'entries'>): Told['sessions'] =>
  entries.flatMap((entry) => ('kind' in entry ? [] : [entry]));
const newestOf = (appended: Pick<Appended, 'entries'>) => sessionsIn(appended).at(-1)?.session;

/** Whether the account may not have the record go on: it is closed, or its plan allows fewer. */
async function isGivenUp({ pool, now }: ForwardContext, record: ForwardRecord): Promise<boolean> {
  const { plan, planExpiresAt, status, place } = await selectOwner(pool, record);
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
