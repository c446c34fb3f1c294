/** Signals of watches: written once for each watch, session, and version of the data. */
import { isMissingReference } from '../errors.ts';
import { selectDataVersion } from '../market/data-versions.ts';
import { type Connection, type Pool, type Queryable, transaction } from '../pool.ts';
import { type Page, type PageRequest, runQuery, type Statements, selectPage, statements } from '../query-builder.ts';
import type { Rows } from '../schema/tables.ts';
import { insertDeliveries } from '../webhooks/webhooks.ts';

export interface Signal {
  readonly instrumentId: number;
  /** `<TICKER>.US` */
  readonly symbol: string;
  readonly kind: Rows['signals']['kind'];
  readonly reason: string;
  readonly close: number;
  /** Values of the rule by their text; null: undefined. */
  readonly figures: Readonly<Record<string, number | null>>;
}

export interface Evaluation {
  readonly watch: { readonly id: number; readonly name: string };
  readonly userId: number;
  /** YYYY-MM-DD */
  readonly session: string;
  readonly dataVersion: string;
  readonly signals: readonly Signal[];
  /** Whether the owner wants a mail about them. */
  readonly sendsMail: boolean;
  readonly at: Date;
}

/**
 * Records an evaluation with its signals, all or nothing. Returns false when another attempt has recorded it, the watch
 * was deleted, or the data have changed, perhaps while they were read: the newer version is due next. If an earlier
 * evaluation of the session gave other signals, these replace them and are marked as corrections.
 */
export async function recordEvaluation(pool: Pool, evaluation: Evaluation): Promise<boolean> {
  try {
    return await transaction(pool, (connection) => record(connection, evaluation));
  } catch (error) {
    if (isMissingReference(error)) return false;
    throw error;
  }
}

async function record(connection: Connection, evaluation: Evaluation): Promise<boolean> {
  const { watch, userId, session, dataVersion, signals, at } = evaluation;
  const watchId = watch.id;
  // Serializes concurrent attempts for one watch.
  const { rowCount } = await connection.query('select from watches where id = $1 for no key update', [watchId]);
  if (rowCount === 0 || (await selectDataVersion(connection)) !== dataVersion) return false;
  const before = await selectEarlier(connection, watchId, session);
  const isCorrection = before !== null && before.signals !== identity(signals);
  const inserted = await connection.query(
    `insert into signal_evaluations (watch_id, session, data_version, evaluated_at, is_correction)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [watchId, session, dataVersion, at, isCorrection],
  );
  if (inserted.rowCount === 0) return false;
  if (before !== null && !isCorrection) return true;
  if (before !== null) await recordImpacts(connection, evaluation, before);
  await connection.query('delete from signals where watch_id = $1 and session = $2', [watchId, session]);
  await insertSignals(connection, evaluation, isCorrection);
  if (signals.length > 0 || isCorrection) {
    const data = { watch, session, signals: signals.length, corrected: isCorrection };
    await insertDeliveries(connection, { userId, event: 'signals.ready', at, data });
  }
  if (evaluation.sendsMail && signals.length > 0) {
    await connection.query('insert into signal_digests (user_id, session) values ($1, $2) on conflict do nothing', [
      userId,
      session,
    ]);
  }
  return true;
}

/** Returns the identity of a set of signals, without the figures behind them, which may change in their last digit. */
function identity(signals: readonly Pick<Signal, 'instrumentId' | 'kind' | 'close'>[]): string {
  const ordered = signals.map(({ instrumentId, kind, close }) => `${instrumentId} ${kind} ${close}`).sort();
  return ordered.join('\n');
}

interface Earlier {
  /** The identity of its signals. */
  readonly signals: string;
  readonly count: number;
  readonly at: Date;
}

/** The evaluation before; null: there was none. */
async function selectEarlier(connection: Connection, watchId: number, session: string): Promise<Earlier | null> {
  const { rows: evaluations } = await connection.query<{ at: Date }>(
    `select evaluated_at as at from signal_evaluations where watch_id = $1 and session = $2
     order by evaluated_at desc limit 1`,
    [watchId, session],
  );
  if (evaluations.length === 0) return null;
  const { rows } = await connection.query<Pick<Signal, 'instrumentId' | 'kind' | 'close'>>(
    'select instrument_id as "instrumentId", kind, close from signals where watch_id = $1 and session = $2',
    [watchId, session],
  );
  return { signals: identity(rows), count: rows.length, at: evaluations[0].at };
}

/** Names the loads that have revised something since the evaluation before, by which the signals are others now. */
async function recordImpacts(connection: Connection, { watch, signals }: Evaluation, before: Earlier): Promise<void> {
  await connection.query(
    `insert into impacts (sync_job_id, watch_id, state, before, after)
     select distinct sync_job_id, $1::bigint, 'changed', $2::jsonb, $3::jsonb from revisions
     where recorded_at >= $4 and sync_job_id is not null
     on conflict (watch_id, sync_job_id) do update set after = excluded.after`,
    [watch.id, { signals: before.count }, { signals: signals.length }, before.at],
  );
}

async function insertSignals(
  connection: Connection,
  { watch, session, signals }: Evaluation,
  isCorrection: boolean,
): Promise<void> {
  if (signals.length === 0) return;
  await connection.query(
    `insert into signals (watch_id, session, instrument_id, symbol, kind, reason, close, figures, is_correction)
     select $1, $2, s."instrumentId", s.symbol, s.kind, s.reason, s.close, s.figures, $4
     from json_to_recordset($3) s ("instrumentId" integer, symbol text, kind text, reason text, close double precision,
       figures json)`,
    [watch.id, session, JSON.stringify(signals), isCorrection],
  );
}

export interface SignalFilter {
  readonly watchId?: number;
  /** First session of the signals, YYYY-MM-DD. */
  readonly since?: string;
}

export interface ListedSignal extends Omit<Signal, 'instrumentId'> {
  readonly watchId: number;
  readonly watch: string;
  readonly session: string;
  readonly isCorrection: boolean;
}

const LISTED = {
  watchId: 'signals.watch_id',
  watch: 'watches.name',
  symbol: 'signals.symbol',
  session: 'signals.session',
  kind: 'signals.kind',
  reason: 'signals.reason',
  close: 'signals.close',
  figures: 'signals.figures',
  isCorrection: 'signals.is_correction',
} as const;

function signalsOf({ rowsOf }: Statements, userId: number) {
  return rowsOf('signals').join('watches', 'watches.id', 'signals.watch_id').where('watches.user_id', userId);
}

/** Newest session first, then by watch and symbol. */
export async function selectSignals(
  db: Queryable,
  userId: number,
  { watchId, since }: SignalFilter,
  page: PageRequest,
): Promise<Page<ListedSignal>> {
  const matching = signalsOf(await statements(), userId);
  if (watchId !== undefined) matching.where('signals.watch_id', watchId);
  if (since !== undefined) matching.where('signals.session', '>=', since);
  return selectPage(db, matching, page, (signals) =>
    signals
      .select(LISTED)
      .orderBy([
        { column: 'signals.session', order: 'desc' },
        { column: 'watches.name' },
        { column: 'signals.symbol' },
      ]),
  );
}

export interface Digest {
  readonly userId: number;
  readonly session: string;
  readonly email: string;
  readonly language: string;
}

/** Digests that were not sent, oldest first. */
export async function selectUnsentDigests(db: Queryable, limit: number): Promise<Digest[]> {
  const { rows } = await db.query<Digest>(
    `select d.user_id as "userId", d.session, u.email, u.language from signal_digests d
       join users u on u.id = d.user_id and u.status = 'active'
     where d.sent_at is null order by d.session, d.user_id limit $1`,
    [limit],
  );
  return rows;
}

/** The signals of a session that an account wants mail about. */
export async function selectDigestSignals(db: Queryable, { userId, session }: Digest): Promise<ListedSignal[]> {
  const wanted = signalsOf(await statements(), userId)
    .where('watches.sends_mail', true)
    .where('signals.session', session);
  return runQuery<ListedSignal>(db, wanted.select(LISTED).orderBy(['watches.name', 'signals.symbol']));
}

export async function markDigestSent(db: Queryable, { userId, session }: Digest, at: Date): Promise<void> {
  await db.query('update signal_digests set sent_at = $3 where user_id = $1 and session = $2', [userId, session, at]);
}
