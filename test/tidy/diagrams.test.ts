/** The state diagrams of the architecture page against the constraints of the live schema. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const page = readFileSync(new URL('../../ops/ARCHITECTURE.md', import.meta.url), 'utf8');

/** State names of the Mermaid diagram under a heading. */
function drawnStates(heading: string): string[] {
  const section = page.split(`\n### ${heading}\n`)[1]?.split(/^#+ /m)[0] ?? '';
  const diagram = /```mermaid\nstateDiagram-v2\n(.*?)```/s.exec(section)?.[1] ?? '';
  const states = [...diagram.matchAll(/^ +(\S+) --> ([^\s:]+)/gm)].flatMap(([, from, to]) => [from, to]);
  return [...new Set(states)].filter((state) => state !== '[*]').sort();
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Values that the one CHECK on a table's `status` alone allows. */
async function allowedStatuses(table: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ rule: string }>(
    `select pg_get_constraintdef(oid) as rule from pg_constraint where conrelid = $1::regclass and contype = 'c'
       and pg_get_constraintdef(oid) like 'CHECK ((status = ANY (ARRAY[%'`,
    [table],
  );
  expect(rows).toHaveLength(1);
  return [...rows[0].rule.matchAll(/'(\w+)'::text/g)].map(([, value]) => value).sort();
}

describe('the state diagrams', () => {
  it.each([
    ['A run', 'backtest_runs'],
    ['An export', 'exports'],
    ['A sync job', 'sync_jobs'],
  ])('%s: shows the states that the table allows', async (heading, table) => {
    expect(drawnStates(heading)).toEqual(await allowedStatuses(table));
  });

  it('A job: shows the states of the queue', async () => {
    const { rows } = await database.pool.query<{ state: string }>(
      `select unnest(enum_range(null::pgboss.job_state))::text as state order by 1`,
    );
    expect(drawnStates('A job')).toEqual(rows.map(({ state }) => state).sort());
  });
});
