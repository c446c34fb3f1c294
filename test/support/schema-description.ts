import type { Queryable } from '../../db/pool.ts';

/** Object of the schema → its definition. */
export type SchemaDescription = Readonly<Record<string, string>>;

/**
 * All that migrations make: tables, views, columns, constraints, indexes, sequences, functions, triggers (those on jobs of the queue
 * too), statistics, types, their comments and grants, and rows. The columns of a table are in no order.
 */
export async function describeSchema(db: Queryable): Promise<SchemaDescription> {
  const { rows } = await db.query<{ name: string; definition: string }>(OBJECTS);
  const described = rows.map(({ name, definition }) => [name, definition.replaceAll(/\s+/g, ' ').trim()] as const);
  return Object.fromEntries(described.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const OBJECTS = `
  with ours as (select * from pg_class where relnamespace = 'public'::regnamespace and relname not like 'knex%')
  select case relkind when 'v' then 'view ' else 'table ' end || relname as name,
    concat_ws('; ', case relpersistence when 'u' then 'unlogged' end, array_to_string(reloptions, ', '),
      case relkind when 'v' then pg_get_viewdef(oid) end, case when relrowsecurity then 'row security' end,
      'access ' || relacl::text, obj_description(oid, 'pg_class')) as definition
  from ours where relkind in ('r', 'p', 'v')
  union all
  -- A default number may be written with quotes and a type.
  select format('column %s.%s', c.relname, a.attname),
    concat_ws('; ', format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
      'default ' || regexp_replace(pg_get_expr(d.adbin, d.adrelid), '^''(-?[0-9.]+)''::[a-z ]+$', '\\1'),
      'identity ' || nullif(a.attidentity::text, ''), 'generated ' || nullif(a.attgenerated::text, ''),
      case when a.attstorage <> t.typstorage then 'storage ' || a.attstorage::text end,
      'compression ' || nullif(a.attcompression::text, ''),
      case when a.attcollation <> t.typcollation then 'collation ' || a.attcollation::regcollation::text end,
      'statistics ' || a.attstattarget, array_to_string(a.attoptions, ', '), 'access ' || a.attacl::text,
      col_description(c.oid, a.attnum))
  from ours c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped
  union all
  select format('constraint %s of %s', conname, conrelid::regclass),
    concat_ws('; ', pg_get_constraintdef(oid), obj_description(oid, 'pg_constraint'))
  from pg_constraint where conrelid in (select oid from ours) and contype <> 'n'
  union all
  select 'index ' || c.relname,
    concat_ws('; ', pg_get_indexdef(c.oid), array_to_string(c.reloptions, ', '), obj_description(c.oid, 'pg_class'))
  from ours c join pg_index i on i.indexrelid = c.oid
  where not exists (select from pg_constraint where conindid = c.oid and contype in ('p', 'u'))
  union all
  select 'sequence ' || c.relname,
    concat_ws('; ', s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache, s.seqcycle,
      (select format('of %s.%s', d.refobjid::regclass, a.attname)
       from pg_depend d join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
       where d.objid = c.oid and d.deptype in ('a', 'i')), 'access ' || c.relacl::text)
  from ours c join pg_sequence s on s.seqrelid = c.oid
  union all
  select 'statistics ' || stxname, pg_get_statisticsobjdef(oid)
  from pg_statistic_ext where stxnamespace = 'public'::regnamespace
  union all
  select format('trigger %s of %s', t.tgname, t.tgrelid::regclass),
    concat_ws('; ', pg_get_triggerdef(t.oid), case when t.tgenabled <> 'O' then 'enabled ' || t.tgenabled::text end)
  from pg_trigger t join pg_proc p on p.oid = t.tgfoid
  where not t.tgisinternal and t.tgparentid = 0 and p.pronamespace = 'public'::regnamespace
  union all
  select 'function ' || oid::regprocedure,
    concat_ws('; ', pg_get_functiondef(oid), 'access ' || proacl::text, obj_description(oid, 'pg_proc'))
  from pg_proc where pronamespace = 'public'::regnamespace
  union all
  select 'type ' || typname, pg_catalog.format_type(oid, null)
  from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r')
  union all
  select 'rows of data_versions', string_agg(scope || ' ' || version, ', ' order by scope) from data_versions
  union all
  select 'rows of limiter_clock', count(*)::text from limiter_clock`;
