/** Dashboards and alerts use existing metrics and existing sections of the runbook. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { QUEUES } from '../../jobs/contracts/queues.ts';
import { SNAPSHOT_FORMAT } from '../../jobs/contracts/snapshot.ts';
import { SampleProvider } from '../../jobs/providers/sample/sample-provider.ts';
import { MAX_SNAPSHOT_SESSIONS_BEHIND } from '../../jobs/quality/freshness.ts';
import { CHECKS } from '../../ops/doctor/checks.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { runSyncJob } from '../support/market-folder.ts';

const read = (name: string) => readFileSync(new URL(`../../ops/${name}`, import.meta.url), 'utf8');
const NOW = Date.parse('2024-09-04T16:00:00Z');
let database: TestDatabase;
let api: TestApi;
let names: Set<string>;

beforeAll(async () => {
  database = await createTestDatabase();
  const provider = new SampleProvider({ symbols: 50, now: () => NOW });
  await runSyncJob(database.pool, provider, 'symbols');
  await runSyncJob(database.pool, provider, 'daily_bars', { venue_mode: 'consolidated', start: '2024-08-20' });
  await database.pool.query(
    `insert into provider_ranges values (1, 'sample', '2024-07-01', '2024-09-03', now()) on conflict do nothing`,
  );
  await database.pool.query(
    `insert into snapshots (object_key, checksum_sha256, bytes, instruments, bars, as_of, through, data_version, engine_version, exported_at,
       format, means_key, means_checksum_sha256, means_bytes)
     values ('x', 'x', 1, 1, 1, '2024-08-30', '2024-09-03', 'x', $2, $1, $3, 'x', 'x', 1)`,
    [new Date(NOW - 60_000), ENGINE_VERSION, SNAPSHOT_FORMAT],
  );
  await database.pool.query(
    `insert into lake (schema_version, data_version, through, newest_session, written_at) values (1, 'x', '2024-09-03', '2024-08-29', $1)`,
    [new Date(NOW)],
  );
  await database.pool.query(`insert into lake_orphans values ('lake/tables/x', $1)`, [new Date(NOW - 3_600_000)]);
  api = await openTestApi({ database, provider, now: () => NOW });
  await api.get('/v1/static/NOPE');
  const { text } = await supertest(api.app).get('/metrics');
  names = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [name, `${name}_bucket`] : [name],
    ),
  );
  values = new Map([...text.matchAll(/^(\w+) ([\d.e+]+)$/gm)].map(([, name, value]) => [name, Number(value)]));
});
let values: Map<string, number>;
afterAll(async () => {
  await api.close();
  await database.drop();
});

/** Matches the names of our metrics in an expression. */
const metricsIn = (text: string) =>
  [
    ...text.matchAll(/\b((?:http|rate_limited|market|snapshot|queue|database|process|disk|sync|service|lake)_\w+)/g),
  ].map(([, name]) => name);

it.each(['monitoring/alerts.yml', 'monitoring/grafana-dashboard.json'])('%s uses existing metrics', (file) => {
  const asked = metricsIn(read(file).replaceAll('market-', ''));
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.filter((name) => !names.has(name))).toEqual([]);
});

it('names a section of the runbook for every alert, queue and check of the doctor, and each one exists', () => {
  const sections = [...read('docs/RUNBOOK.md').matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  const alerts = read('monitoring/alerts.yml');
  const ofAlerts = [...alerts.matchAll(/RUNBOOK\.md#([\w-]+)/g)].map(([, name]) => name);
  expect(ofAlerts).toHaveLength([...alerts.matchAll(/- alert: /g)].length);
  const links = [
    ...`${read('docs/RELIABILITY.md')}${read('docs/RUNBOOK.md')}`.matchAll(/(?:RUNBOOK\.md|\]\()#([\w-]+)/g),
  ];
  const named = [
    ...ofAlerts,
    ...links.map(([, name]) => name),
    ...CHECKS.map(({ runbook }) => runbook),
    ...Object.values(QUEUES).map(({ runbook }) => runbook),
  ];
  expect(named.filter((name) => !sections.includes(name))).toEqual([]);
  expect(sections.filter((name) => !named.includes(name))).toEqual([]);
});

it('measures how far loads and the snapshot are behind', () => {
  expect(values.get('market_sessions_behind')).toBe(0);
  expect(values.get('snapshot_sessions_behind')).toBe(1);
  expect(read('monitoring/alerts.yml')).toContain(`max(snapshot_sessions_behind) > ${MAX_SNAPSHOT_SESSIONS_BEHIND}\n`);
  expect(values.get('lake_sessions_behind')).toBe(2);
  expect([values.get('lake_orphan_objects'), values.get('lake_oldest_orphan_seconds')]).toEqual([1, 3600]);
  expect(values.get('market_sessions_held')).toBe(0);
  expect(values.get('snapshot_age_seconds')).toBe(60);
  expect(values.get('sync_jobs_failing')).toBe(0);
});
