/** The counts of connections to the database are those of the code, wherever operators read them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { connectionsOf } from '../../db/connection-counts.ts';
import { readConfig } from '../../ops/config.ts';

const PAGE = 'ops/docs/RELIABILITY.md';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8').replaceAll(/\s+/g, ' ');

const [api, worker, thread, scheduler] = (['api', 'worker', 'thread', 'scheduler'] as const).map(connectionsOf);

describe('the connections', () => {
  it('are those of the code where operators read them, on one page', () => {
    const rule =
      `\`DATABASE_POOL\` + ${api} of each API process, ${worker} + ${thread} per slot of each worker, ` +
      `and ${scheduler} of each scheduler`;
    expect(read(PAGE).split(rule)).toHaveLength(2);
    const pages = readdirSync(join(ROOT, 'ops/docs')).map((name) => `ops/docs/${name}`);
    expect(pages.filter((page) => /`DATABASE_POOL` \+ \d+/.test(read(page)))).toEqual([PAGE]);
    for (const page of ['ops/docs/DEPLOY.md', 'ops/docs/RUNBOOK.md']) {
      expect(read(page)).toContain('(RELIABILITY.md#connections)');
    }
  });

  it('are added up in the example', () => {
    const processes = 8 * (readConfig({}).DATABASE_POOL + api);
    const workers = 12 * (worker + 4 * thread);
    const schedulers = 2 * scheduler;
    const page = read(PAGE);
    expect(page).toContain(
      `8 API processes (${processes}), 12 workers with 4 slots each (${workers}), and 2 schedulers (${schedulers}). ` +
        `That leaves ${490 - processes - workers - schedulers} for operators`,
    );
  });

  it('are limited by the counts', () => {
    const files = ['api/server/services.ts', 'jobs/worker/worker.ts', 'jobs/queue/boss.ts'];
    const pools = [...files, 'jobs/worker/job-thread.ts', 'ops/processes/scheduler.ts'].flatMap((path) => [
      ...read(path).matchAll(/\bmax: ([^,}]+)[,}]/g),
    ]);
    const sizes = pools.map(([, size]) => size).filter((size) => !size.startsWith('MAX_'));
    expect(sizes.length).toBeGreaterThanOrEqual(9);
    expect(sizes.filter((size) => !/^databasePool|CONNECTIONS\./.test(size))).toEqual([]);
  });

  it('are opened nowhere else', () => {
    const sources = ['api', 'jobs'].flatMap((room) =>
      readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
        .map((name) => join(room, name)),
    );
    const opening = sources.filter((path) => /(?<!function )\b(createPool|listen|openBoss)\(\{/.test(read(path)));
    expect(opening.sort()).toEqual([
      'api/server/services.ts',
      'jobs/queue/consumer.ts',
      'jobs/worker/job-thread.ts',
      'jobs/worker/worker.ts',
    ]);
  });
});
