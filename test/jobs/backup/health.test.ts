/** The health checks of backups. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { required } from '../../../engine/util/values.ts';
import { HEALTH_CHECKS, type ProblemKind } from '../../../jobs/health/checks.ts';
import { readOnce } from '../../../jobs/health/installation.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const PLAN = { location: 'backups', minute: 150, daily: 7, weekly: 4 };
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('truncate backups, backup_drills restart identity'));

function found(kind: ProblemKind, backups: typeof PLAN | null = PLAN) {
  const check = required(HEALTH_CHECKS.find((one) => one.kind === kind));
  const storage = () => openStorage({ folder: '/nonexistent' });
  const installation = readOnce({ pool: database.pool, now: () => NOW, backups, storage });
  return check.findProblems(installation, required(check.threshold));
}

const addBackup = (hoursAgo: number, error: string | null = null) =>
  database.pool.query(
    `insert into backups (object_key, state, started_at, ended_at, last_migration, bytes, rows, sha256, error)
     values (gen_random_uuid(), case when $2::text is null then 'done' else 'failed' end, $1, $1, 'x', $3::int, $3::int, $3::int::text, $2)`,
    [new Date(NOW - hoursAgo * 3_600_000), error, error === null ? 1 : null],
  );
const addDrill = (daysAgo: number, state: string, error: string | null = null) =>
  database.pool.query(
    `insert into backup_drills (backup_id, state, started_at, ended_at, error) values (1, $2, $1, $1, $3)`,
    [new Date(NOW - daysAgo * 86_400_000), state, error],
  );

describe('backup_late', () => {
  it('says nothing where backups are off', async () => {
    expect(await found('backup_late', null)).toEqual([]);
  });

  it('waits for the first one, and then for one that is younger than 30 hours', async () => {
    expect(await found('backup_late')).toMatchObject([{ text: 'there is none', isUnderWay: true }]);
    await addBackup(30);
    expect(await found('backup_late')).toEqual([]);
    await database.pool.query('truncate backups cascade');
    await addBackup(31);
    expect(await found('backup_late')).toMatchObject([
      { text: 'the last one began 31 h ago', count: 31, isUnderWay: false },
    ]);
  });

  it('says why the last one failed', async () => {
    await addBackup(50);
    await addBackup(1, '403 AccessDenied');
    expect(await found('backup_late')).toMatchObject([
      { text: 'the last one began 50 h ago: 403 AccessDenied', detail: '403 AccessDenied', isUnderWay: false },
    ]);
  });
});

describe('drill_failed', () => {
  beforeEach(() => addBackup(1));

  it('says nothing where backups are off, before the first drill, and for 8 days after one that worked', async () => {
    expect(await found('drill_failed')).toEqual([]);
    await addDrill(8, 'passed');
    expect(await found('drill_failed')).toEqual([]);
    await addDrill(1, 'damaged', 'it is cut off');
    expect(await found('drill_failed', null)).toEqual([]);
  });

  it('says that a drill is missing', async () => {
    await addDrill(9, 'passed');
    expect(await found('drill_failed')).toMatchObject([
      { text: 'one was restored 9 d ago; no drill was made since', count: 9 },
    ]);
  });

  it.each(['damaged', 'failed'])('says what a drill found that is %s', async (state) => {
    await addDrill(2, state, 'it is cut off');
    expect(await found('drill_failed')).toMatchObject([
      { text: 'none was ever restored; the last drill found: it is cut off', detail: 'it is cut off' },
    ]);
    await addDrill(1, 'passed');
    await addDrill(0, state, 'it is cut off');
    expect(await found('drill_failed')).toMatchObject([
      { text: 'one was restored 1 d ago; the last drill found: it is cut off', count: 1 },
    ]);
    await addDrill(0, 'passed');
    expect(await found('drill_failed')).toEqual([]);
  });
});
