-- Least privilege: one role owns the schema and migrates it, another one serves. Run as a superuser, once, connected to the
-- service's database, before the first migration:
--
--   psql "$ADMIN_URL" -v owner_password=... -v app_password=... -f ops/deploy/roles.sql
--
-- Migrate with the owner's DATABASE_URL (npm run ops -- db migrate), run api, worker and scheduler with the other one.
\set ON_ERROR_STOP on

create role market_owner login password :'owner_password';
create role market_app login password :'app_password';

select format('grant all on database %I to market_owner', current_database()) \gexec
select format('grant connect, temporary on database %I to market_app', current_database()) \gexec
alter schema public owner to market_owner;
create schema if not exists pgboss authorization market_owner;

grant usage on schema public, pgboss to market_app;
-- What the owner will create.
alter default privileges for role market_owner in schema public, pgboss
  grant select, insert, update, delete on tables to market_app;
alter default privileges for role market_owner in schema public, pgboss grant usage, select on sequences to market_app;
alter default privileges for role market_owner in schema public, pgboss grant execute on functions to market_app;
