/**
 * Reads what an account has kept, for its download. Every statement names its columns, so that no secret is among them. Rows have the
 * names of the API; JSON is as it is stored.
 */
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import type { Connection } from '../pool.ts';

/** SQL: the served symbol of instrument `i`. */
const SYMBOL = `i.symbol || '${qualifiedSymbol('')}'`;

const STATEMENTS = {
  account: `select id, email, login, nickname, name, phone, language, plan, plan_expires_at, status, is_admin, register_country,
      last_login_country, login_count, created_at, last_login_at, mails_revisions as revision_mail
    from users where id = $1`,
  'api-keys': `select k.id, k.name, k.prefix, k.enabled, k.created_at, k.last_used_at, k.scopes, k.expires_at, k.trial_limit,
      (select coalesce(sum(t.trials), 0)::int from key_trials t where t.api_key_id = k.id) as trials
    from api_keys k where k.user_id = $1 and k.client_id is null order by k.id`,
  'assistant-grants': `select k.id, k.client_id, k.name, k.created_at, k.last_used_at, k.scopes, k.trial_limit,
      (select coalesce(sum(t.trials), 0)::int from key_trials t where t.api_key_id = k.id) as trials
    from api_keys k where k.user_id = $1 and k.client_id is not null order by k.id`,
  'login-sessions': `select login_method, created_at, revoked_at from sessions where user_id = $1 order by created_at, id`,
  strategies: `select s.id, s.name, v.description, v.rules, v.parameters, s.version, s.is_shared as shared, s.slug, s.created_at,
      s.updated_at
    from own_strategies s join own_strategy_versions v on v.strategy_id = s.id and v.version = s.version
    where s.user_id = $1 order by s.name, s.id`,
  'strategy-versions': `select v.strategy_id, v.version, v.description, v.rules, v.parameters, v.created_at
    from own_strategies s join own_strategy_versions v on v.strategy_id = s.id
    where s.user_id = $1 order by v.strategy_id, v.version`,
  watches: `select id, name, strategy, strategy_id, strategy_version, params,
      (select array_agg(${SYMBOL} order by i.symbol collate "C") from instruments i where i.id = any(w.instrument_ids)) as symbols,
      screen ->> 'where' as screen_where, screen -> 'assetTypes' as screen_asset_types,
      (select array_agg(${SYMBOL} order by i.symbol collate "C") from json_array_elements_text(screen -> 'ids') listed (id)
         join instruments i on i.id = listed.id::int) as screen_symbols,
      rotation, sends_mail as mail, created_at
    from watches w where user_id = $1 order by name`,
  signals: `select json_build_object('id', w.id, 'name', w.name) as watch, g.symbol, g.session as date, g.kind, g.reason, g.close,
      g.figures as values, g.is_correction as corrected
    from signals g join watches w on w.id = g.watch_id where w.user_id = $1 order by g.session desc, w.name, g.symbol`,
  drawings: `select d.id, ${SYMBOL} as symbol, d.shape, d.created_at
    from drawings d join instruments i on i.id = d.instrument_id where d.user_id = $1 order by d.id`,
  'forward-records': `select id, name, kind, spec, seal, seal_sha256, sealed_at, bands, lowered_bands, sealed, live, status, ended_at,
      head, sessions, last_session, is_shared as shared, slug
    from forward_records where user_id = $1 order by id`,
  'forward-entries': `select e.record_id, e.number, e.session, e.kind, e.entry, e.sha256, e.appended_at
    from forward_entries e join forward_records r on r.id = e.record_id where r.user_id = $1 order by e.record_id, e.number`,
  columns: `select c.name, v.version, v.kind, v.is_market as market, v.dimension, v.unit, v.about, v.day_means, v.lag, v.stale_after,
      v.rows, v.symbols, v.first_day, v.last_day, v.sha256, v.loaded_at
    from own_columns c join column_versions v on v.column_id = c.id where c.account_id = $1 order by c.name, v.version`,
  webhooks: `select id, url, events, is_enabled as enabled, created_at from webhooks where user_id = $1 order by id`,
  sweeps: `select id, kind, status, request, spec, cells, cells_done, chunks, chunks_done, cells_bytes, cells_sha256, error_code,
      note_codes, worker_seconds, created_at, started_at, finished_at
    from sweeps where user_id = $1 order by created_at, id`,
  runs: `select id, kind, name, tags, is_cached as cached, is_shared as shared, slug, verdict, verified_at, look_ahead, revised,
      created_at, spec, summary, selection, line
    from backtests where user_id = $1 order by id`,
} as const;

export type AccountPart = keyof typeof STATEMENTS;

/** Few, because the request of a sweep may name the whole market. */
const FETCHED = 20;

/** The rows of a part, one at a time, in the caller's transaction, which reads one part at a time. */
export async function* readAccountPart(
  connection: Connection,
  part: AccountPart,
  userId: number,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  await connection.query(`declare account_part no scroll cursor for ${STATEMENTS[part]}`, [userId]);
  for (;;) {
    const { rows } = await connection.query(`fetch ${FETCHED} from account_part`);
    yield* rows;
    if (rows.length < FETCHED) break;
  }
  await connection.query('close account_part');
}

/** The ids of what an account keeps as stored objects, oldest first. The driver reads no empty array of bigint. */
export async function selectKeptIdsOf(
  connection: Connection,
  userId: number,
): Promise<{ readonly runs: readonly number[]; readonly sweeps: readonly string[] }> {
  const { rows } = await connection.query(
    `select array(select id::float8 from backtests where user_id = $1 order by id) as runs,
       array(select id::text from sweeps where user_id = $1 and status = 'done' order by created_at, id) as sweeps`,
    [userId],
  );
  return rows[0];
}
