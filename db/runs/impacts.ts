/** The impact of loads: whose figures change by the bars and events that a load has revised. */

import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import type { Queryable } from '../pool.ts';
import type { Page, PageRequest } from '../query-builder.ts';
import { recordImpactSteps } from '../queue/session-steps.ts';
import type { ImpactFigures } from '../schema/runs.ts';
import type { Rows } from '../schema/tables.ts';
import { insertDeliveries } from '../webhooks/webhooks.ts';
import { addKeptReads, type Hit, selectHit } from './kept-reads.ts';
import type { KeptKind } from './kept-runs.ts';

type State = Rows['impacts']['state'];

/** Loads that have ended since they were last planned, and have revised something; oldest first. */
export async function selectUnplannedLoads(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `select s.id from sync_jobs s left join load_impacts l on l.sync_job_id = s.id
     where s.status <> 'running' and (l.sync_job_id is null or s.finished_at > l.planned_at)
       and exists (select from revisions r where r.sync_job_id = s.id) order by s.id`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Records who may be hit by a load, to be computed again. Has no further effect when another attempt has done it. `isLate`: only adds what
 * was kept since.
 */
export async function planImpact(db: Queryable, load: number, isLate = false): Promise<void> {
  await addKeptReads(db);
  const hit = await selectHit(db, load);
  const runs = hit.flatMap(({ backtestId }) => backtestId ?? []);
  const studies = hit.flatMap(({ sweepId }) => sweepId ?? []);
  await db.query(
    `insert into load_impacts (sync_job_id, first_revision, last_revision, revisions, kept, hit, unproved, planned_at)
     select $1::bigint, min(id), max(id), count(*), k.kept, $2::int, k.unproved, now()
     from revisions, (select count(*) filter (where is_read) as kept, count(*) filter (where not is_read) as unproved
       from (select exists (select from kept_reads r where r.backtest_id = b.id) as is_read from backtests b) each) k
     where sync_job_id = $1 group by k.kept, k.unproved
     on conflict (sync_job_id) do update set first_revision = excluded.first_revision, last_revision = excluded.last_revision,
       revisions = excluded.revisions, kept = excluded.kept, hit = excluded.hit, unproved = excluded.unproved
       ${isLate ? '' : ', planned_at = excluded.planned_at, done_at = null, published_at = null'}`,
    [load, runs.length],
  );
  const known = isLate ? 'nothing' : `update set state = 'waiting'`;
  await db.query(
    `insert into impacts (sync_job_id, backtest_id, state)
     select $1, id, 'waiting' from backtests where id = any($2::bigint[]) order by id
     on conflict (backtest_id, sync_job_id) do ${known}`,
    [load, runs],
  );
  await db.query(
    `insert into impacts (sync_job_id, sweep_id, state)
     select $1, id, 'waiting' from sweeps where id = any($2::uuid[]) order by created_at, id
     on conflict (sweep_id, sync_job_id) do ${known}`,
    [load, studies],
  );
}

export interface WaitingImpact extends Hit {
  readonly id: number;
  readonly load: number;
  /** Ids of the first and the last revision of the load. */
  readonly first: number;
  readonly last: number;
}

/** Runs and studies that are to be computed again, those of the oldest load first. */
export async function selectWaitingImpacts(db: Queryable, limit: number): Promise<WaitingImpact[]> {
  const { rows } = await db.query<WaitingImpact>(
    `select i.id, i.sync_job_id as load, i.backtest_id as "backtestId", i.sweep_id as "sweepId",
       l.first_revision as first, l.last_revision as last
     from impacts i join load_impacts l using (sync_job_id)
     where i.state = 'waiting' order by i.sync_job_id, i.id limit $1`,
    [limit],
  );
  return rows;
}

export type EarlierFigures = Pick<Rows['impacts'], 'after' | 'digest'>;

/** The figures of a run or study after the last load before `load` that has changed them; null: none has. */
export async function selectEarlierFigures(
  db: Queryable,
  { backtestId, sweepId, load }: WaitingImpact,
): Promise<EarlierFigures | null> {
  const { rows } = await db.query<EarlierFigures>(
    `select after, digest from impacts
     where (backtest_id = $1 or sweep_id = $2) and sync_job_id < $3 and state = 'changed'
     order by sync_job_id desc limit 1`,
    [backtestId, sweepId, load],
  );
  return rows[0] ?? null;
}

export type Computed = Pick<Rows['impacts'], 'state' | 'before' | 'after' | 'digest' | 'change'>;

export async function saveImpact(db: Queryable, id: number, computed: Computed): Promise<void> {
  const { state, before, after, digest, change } = computed;
  await db.query('update impacts set state = $2, before = $3, after = $4, digest = $5, change = $6 where id = $1', [
    id,
    state,
    before,
    after,
    digest,
    change,
  ]);
}

/** SQL: whether a session of venue basis $1 is held that load `l` has revised. */
const IS_HELD = `exists (
  select from session_checks c where c.basis = $1 and c.problems <> '{}' and c.released_by is null and exists (
    select from revisions r where r.sync_job_id = l.sync_job_id and r.basis = c.basis and r.day = c.day))`;

/** SQL: whether something hit by load `l` is to be computed. */
const IS_WAITING = `exists (select from impacts i where i.sync_job_id = l.sync_job_id and i.state = 'waiting')`;

/**
 * SQL: whether something that will be kept began before load `l` was planned and may have read what was before it. Clocks of workers, by
 * which studies begin, may be ahead.
 */
const IS_AWAITED = `(
  exists (select from job_claims c join runs r on r.id = c.job_id where r.is_saved and c.claimed_at <= l.planned_at)
  or exists (select from sweeps s where s.kind = 'factors' and s.status = 'running'
    and s.started_at <= l.planned_at + interval '1 minute'))`;

/**
 * Adds what has ended since loads were planned, marks the loads whose hit runs are all computed, and publishes those that have revised no
 * held session of a venue basis: kept runs name their change, and accounts are told that have asked for it. Returns the published loads.
 */
export async function publishImpacts(db: Queryable, venueBasis: VenueBasis, at: Date): Promise<number[]> {
  const { rows: complete } = await db.query<{ load: number }>(
    `select sync_job_id as load from load_impacts l where done_at is null and not ${IS_AWAITED} order by 1 for update`,
  );
  for (const { load } of complete) await planImpact(db, load, true);
  await db.query(
    `update load_impacts l set done_at = $1 where done_at is null and sync_job_id = any($2) and not ${IS_WAITING}`,
    [at, complete.map(({ load }) => load)],
  );
  const { rows } = await db.query<{ load: number }>(
    `update load_impacts l set published_at = $2 where done_at is not null and published_at is null and not ${IS_HELD} returning sync_job_id as load`,
    [VENUE_BASIS_CODE[venueBasis], at],
  );
  const loads = rows.map(({ load }) => load).sort((a, b) => a - b);
  for (const load of loads) await tellOwners(db, load, at);
  if (loads.length > 0) await recordImpactSteps(db, loads, at);
  return loads;
}

/** Whether a load can be planned, computed, or published. */
export async function hasDueImpact(db: Queryable, venueBasis: VenueBasis): Promise<boolean> {
  if ((await selectUnplannedLoads(db)).length > 0) return true;
  const { rowCount } = await db.query(
    `select from load_impacts l where published_at is null
       and case when done_at is null then ${IS_WAITING} or not ${IS_AWAITED} else not ${IS_HELD} end limit 1`,
    [VENUE_BASIS_CODE[venueBasis]],
  );
  return rowCount === 1;
}

/** Runs that one delivery lists. */
const TOLD_RUNS = 20;

async function tellOwners(db: Queryable, load: number, at: Date): Promise<void> {
  await db.query(
    `update backtests b set revised = json_build_object('load', i.sync_job_id, 'at', $2::text, 'before', i.before, 'after', i.after)
     from impacts i where i.sync_job_id = $1 and i.backtest_id = b.id and i.state = 'changed'`,
    [load, at.toISOString()],
  );
  await db.query(
    `insert into impact_mails (user_id, sync_job_id)
     select distinct b.user_id, i.sync_job_id from impacts i join backtests b on b.id = i.backtest_id
       join users u on u.id = b.user_id and u.mails_revisions
     where i.sync_job_id = $1 and i.state = 'changed' on conflict do nothing`,
    [load],
  );
  const { rows: owners } = await db.query<{ userId: number }>(
    `select distinct b.user_id as "userId" from impacts i join backtests b on b.id = i.backtest_id
       join webhooks h on h.user_id = b.user_id and h.is_enabled and 'run.revised' = any(h.events)
     where i.sync_job_id = $1 and i.state = 'changed'`,
    [load],
  );
  for (const { userId } of owners) {
    const { total, items } = await selectImpacts(db, { loads: [load], userId }, { page: 1, size: TOLD_RUNS });
    const runs = items.map(({ kind, id, name, before, after }) => ({ kind, id, name, before, after }));
    await insertDeliveries(db, { userId, event: 'run.revised', at, data: { load, count: total, runs } });
  }
}

export interface Impact {
  readonly load: number;
  readonly kind: KeptKind | 'watch' | 'factor_study' | 'forward';
  readonly id: number | string;
  readonly name: string | null;
  /** The link of a shared run. */
  readonly slug: string | null;
  readonly before: ImpactFigures | null;
  readonly after: ImpactFigures | null;
}

export interface ImpactFilter {
  /** Default: all. */
  readonly loads?: readonly number[];
  /** Only what is this account's, or what is shared, or what its owners may know. */
  readonly userId?: number;
  readonly isShared?: boolean;
  readonly isPublished?: boolean;
}

/** Everything that has changed, the newest load first, and in it the largest change. */
export async function selectImpacts(
  db: Queryable,
  { loads, userId, isShared = false, isPublished = false }: ImpactFilter,
  { page, size }: PageRequest,
): Promise<Page<Impact>> {
  const matching = `from impacts i join load_impacts l using (sync_job_id) left join backtests b on b.id = i.backtest_id
      left join watches w on w.id = i.watch_id left join sweeps s on s.id = i.sweep_id
      left join forward_records f on f.id = i.forward_id
    where i.state = 'changed' and ($1::bigint[] is null or i.sync_job_id = any($1)) and ($2::bigint is null or coalesce(b.user_id, w.user_id, s.user_id, f.user_id) = $2) and (not $3 or coalesce(b.is_shared, f.is_shared))
      and (not $4 or l.published_at is not null)`;
  const given = [loads, userId, isShared, isPublished];
  const { rows: counts } = await db.query<{ count: number }>(`select count(*)::int as count ${matching}`, given);
  const { rows } = await db.query<Impact>(
    `select i.sync_job_id as load, coalesce(b.kind, case when w.id is not null then 'watch' when f.id is not null then 'forward' else 'factor_study' end) as kind,
       coalesce(to_json(b.id), to_json(w.id), to_json(f.id), to_json(s.id)) as id, coalesce(b.name, w.name, f.name) as name,
       case when b.is_shared then b.slug when f.is_shared then f.slug end as slug, i.before, i.after
     ${matching} order by i.sync_job_id desc, i.change desc nulls last, i.id limit $5 offset $6`,
    [...given, size, (page - 1) * size],
  );
  return { total: counts[0].count, items: rows };
}

/** The impact of a load in counts; null: none is known. */
export interface LoadImpact {
  readonly load: number;
  readonly revisions: number;
  readonly kept: number;
  readonly hit: number;
  readonly unproved: number;
  readonly isDone: boolean;
  readonly isPublished: boolean;
  /** States of the kept runs that were hit. */
  readonly waiting: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly unknown: number;
}

const counted = (state: State) =>
  `(select count(*)::int from impacts i where i.sync_job_id = l.sync_job_id and i.backtest_id is not null
     and i.state = '${state}') as ${state}`;

/** The known impacts of some loads, newest first. */
export async function selectLoadImpacts(db: Queryable, loads: readonly number[]): Promise<LoadImpact[]> {
  const { rows } = await db.query<LoadImpact>(
    `select sync_job_id as load, revisions, kept, hit, unproved, done_at is not null as "isDone",
       published_at is not null as "isPublished", ${counted('waiting')}, ${counted('changed')}, ${counted('unchanged')},
       ${counted('unknown')}
     from load_impacts l where sync_job_id = any($1::bigint[]) order by sync_job_id desc`,
    [loads],
  );
  return rows;
}

export interface ImpactMail {
  readonly load: number;
  readonly userId: number;
  readonly email: string;
  readonly language: string;
}

/** Mails that were not sent, oldest first. */
export async function selectUnsentImpactMails(db: Queryable, limit: number): Promise<ImpactMail[]> {
  const { rows } = await db.query<ImpactMail>(
    `select m.sync_job_id as load, m.user_id as "userId", u.email, u.language from impact_mails m
       join users u on u.id = m.user_id and u.status = 'active'
     where m.sent_at is null order by m.sync_job_id, m.user_id limit $1`,
    [limit],
  );
  return rows;
}

export async function markImpactMailSent(
  db: Queryable,
  { load, userId }: Pick<ImpactMail, 'load' | 'userId'>,
  at: Date,
): Promise<void> {
  await db.query('update impact_mails set sent_at = $3 where sync_job_id = $1 and user_id = $2', [load, userId, at]);
}
