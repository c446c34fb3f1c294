/** Metrics of the files and tables of the market. */
import type { Registry } from 'prom-client';
import { selectOrphanState } from '../../db/lake/lake-tables.ts';
import { lakeSessionsBehind } from '../../jobs/quality/freshness.ts';
import { gauge, shared } from './gauges.ts';
import type { Services } from './services.ts';

/** Errors of the catalog and of reads of files are in `http_requests_total`, by their routes. */
export function addTables(registers: Registry[], { pool, now }: Pick<Services, 'pool' | 'now'>): void {
  gauge(registers, 'lake_sessions_behind', 'Loaded sessions that the files and tables of the market lack', () =>
    lakeSessionsBehind(pool, now()),
  );
  const readOrphans = shared(() => selectOrphanState(pool));
  gauge(registers, 'lake_orphan_objects', 'Stored objects that no kept snapshot of a table names', async () => {
    return (await readOrphans()).count;
  });
  gauge(registers, 'lake_oldest_orphan_seconds', 'How long the oldest of them has waited for its removal', async () => {
    const { oldest } = await readOrphans();
    return oldest ? (now() - oldest.getTime()) / 1000 : 0;
  });
}
