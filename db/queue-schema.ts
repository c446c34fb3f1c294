/** The schema of pg-boss. It exists before our migrations run, because they put triggers on its jobs. */
import { PgBoss } from 'pg-boss';

/** Creates or upgrades the schema. Where it is current nothing is written, so that a role without rights to it can start. */
export async function migrateQueueSchema(url: string): Promise<void> {
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false, migrate: true });
  boss.on('error', () => {}); // start() rejects with it.
  await boss.start();
  await boss.stop({ graceful: false });
}
