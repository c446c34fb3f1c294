/** Compares the state diagrams and the trigger table of DATABASE.md with the live schema. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(new URL('../../ops/docs/DATABASE.md', import.meta.url), 'utf8');

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
    ['A run', 'runs'],
    ['An export', 'exports'],
    ['A sync job', 'sync_jobs'],
    ['A sweep', 'sweeps'],
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

/** Source text of a file of the project. */
const sourceOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The text of a file, with that of the modules that name its channels: these are constants of db. */
function channelsOf(path: string): string[] {
  const constants = [...sourceOf(path).matchAll(/\[([A-Z_]+_CHANNEL)\]:/g)].map(([, name]) => name);
  const imports = [...sourceOf(path).matchAll(/from '((?:\.\.?\/)+(?:db\/)[^']+)'/g)].map(([, from]) =>
    from.replace(/^[./]+/, ''),
  );
  return constants.map((name) => {
    const values = imports.flatMap((file) => new RegExp(`${name} = '(\\w+)'`).exec(sourceOf(file))?.[1] ?? []);
    expect([path, name, values]).toEqual([path, name, [expect.any(String)]]);
    return values[0];
  });
}

describe('the table of triggers', () => {
  const section = page.split('\n## Triggers\n')[1].split(/^## /m)[0];
  const listed = [...section.matchAll(/^\| `(\w+)` \| `([\w.]+)` \| (.*?) \| ?(.*?) ?\|$/gm)].map(
    ([, name, table, does, wakes]) => ({
      name,
      table,
      channel: /notifies `(\w+)`/.exec(does)?.[1] ?? null,
      wakes: [...wakes.matchAll(/`([\w/-]+\.ts)`/g)].map(([, path]) => path),
    }),
  );

  it('lists the triggers of the database, each with the channel that its function notifies', async () => {
    const { rows } = await database.pool.query<{ name: string; table: string; source: string }>(
      `select t.tgname as name, t.tgrelid::regclass::text as "table", p.prosrc as source
       from pg_trigger t join pg_proc p on p.oid = t.tgfoid
       where not t.tgisinternal and t.tgparentid = 0 and p.pronamespace = 'public'::regnamespace order by 1`,
    );
    const there = rows.map(({ name, table, source }) => ({
      name,
      table,
      channel: /pg_notify\('(\w+)'/.exec(source)?.[1] ?? null,
    }));
    const byName = listed.map(({ name, table, channel }) => ({ name, table, channel }));
    expect(byName.sort((a, b) => a.name.localeCompare(b.name, 'en'))).toEqual(there);
  });

  it('names every file that listens to a channel of a trigger', () => {
    const documented = listed.flatMap(({ channel, wakes }) => wakes.map((path) => `${channel} ${path}`));
    const files = execFileSync('git', ['grep', '-l', '_CHANNEL\\]:', '--', 'api', 'jobs', 'ops'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const paths = files
      .trim()
      .split('\n')
      .filter((path) => path.endsWith('.ts'));
    const channels = new Set(listed.map(({ channel }) => channel));
    const listening = paths.flatMap((path) =>
      channelsOf(path)
        .filter((channel) => channels.has(channel))
        .map((channel) => `${channel} ${path}`),
    );
    expect(documented.sort()).toEqual(listening.sort());
  });
});
