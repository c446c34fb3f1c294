/** The checks of backups, where they are on. */
import { selectLastBackup, selectLastDrill } from '../../db/backup/backups.ts';
import { type HealthCheck, SCHEMA } from './process-checks.ts';

const MS_PER_HOUR = 3_600_000;
const FOLLOWS = ['a worker runs', 'a scheduler runs', 'no queue is paused'];

export const BACKUP_CHECKS = [
  {
    kind: 'backup_late',
    name: 'backups are made',
    runbook: 'backups',
    /** Hours since the last one began: a day, and what one may take. */
    threshold: 30,
    reads: SCHEMA,
    follows: FOLLOWS,
    command: () => 'npm run ops -- backup now',
    findNote: async ({ backups }) => (backups === null ? 'off, because BACKUP_BUCKET is not set' : null),
    findProblems: async ({ pool, now, backups }, most) => {
      if (backups === null) return [];
      const [done, last] = [await selectLastBackup(pool, true), await selectLastBackup(pool, false)];
      const count = done && Math.floor((now() - done.startedAt.getTime()) / MS_PER_HOUR);
      if (count !== null && count <= most) return [];
      const when = count === null ? 'there is none' : `the last one began ${count} h ago`;
      const isUnderWay = last === null || last.state === 'running';
      const detail = last?.error ?? undefined;
      return [
        { text: detail === undefined ? when : `${when}: ${detail}`, count: count ?? undefined, detail, isUnderWay },
      ];
    },
  },
  {
    kind: 'drill_failed',
    name: 'the newest backup can be restored',
    runbook: 'drills',
    /** Days since the last drill that worked: a week, and a day to try again. */
    threshold: 8,
    reads: SCHEMA,
    follows: [...FOLLOWS, 'backups are made'],
    command: () => 'npm run ops -- backup drill',
    findNote: async ({ pool, backups }) =>
      backups === null || (await selectLastDrill(pool)) === null ? 'no drill has restored one' : null,
    findProblems: async ({ pool, now, backups }, most) => {
      const last = backups && (await selectLastDrill(pool));
      if (!last) return [];
      const passed = await selectLastDrill(pool, 'passed');
      const count = passed && Math.floor((now() - passed.startedAt.getTime()) / (24 * MS_PER_HOUR));
      if (last.state === 'passed' && (count ?? 0) <= most) return [];
      const detail = last.error ?? undefined;
      const why = last.state === 'passed' ? 'no drill was made since' : `the last drill found: ${detail}`;
      const when = count === null ? 'none was ever restored' : `one was restored ${count} d ago`;
      return [{ text: `${when}; ${why}`, count: count ?? undefined, detail }];
    },
  },
] as const satisfies readonly HealthCheck[];
