-- Least privilege: one role owns and migrates the schema, and the service uses another one. Run as a superuser, once per
-- database, connected to it, before the first migration or a restore:
--
--   psql "$ADMIN_URL" -v owner_password=... -v app_password=... -f ops/deploy/roles.sql
--
-- Migrate with the owner's DATABASE_URL (npm run ops -- db migrate), run api, worker and scheduler with the other one.
\set ON_ERROR_STOP on
\if :{?owner_password} \else \set owner_password '' \endif
\if :{?app_password} \else \set app_password '' \endif

-- Roles belong to the server: for a second database they exist already, and keep their passwords.
select format('create role market_owner login password %L', :'owner_password')
  where not exists (select from pg_roles where rolname = 'market_owner') \gexec
select format('create role market_app login password %L', :'app_password')
  where not exists (select from pg_roles where rolname = 'market_app') \gexec

select format('grant all on database %I to market_owner', current_database()) \gexec
select format('grant connect, temporary on database %I to market_app', current_database()) \gexec
alter schema public owner to market_owner;
create schema if not exists pgboss authorization market_owner;

grant usage on schema public, pgboss to market_app;
-- For everything that the owner will create.
alter default privileges for role market_owner in schema public, pgboss
  grant select, insert, update, delete on tables to market_app;
alter default privileges for role market_owner in schema public, pgboss grant usage, select on sequences to market_app;
alter default privileges for role market_owner in schema public, pgboss grant execute on functions to market_app;
