/** House rules that are checked by tests instead of by reviewers; those of imports are in `test/judges/structure/import-rules.ts`, of code in `.biome.json`. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ROUTES } from '../../api/routes.ts';
import { MIGRATIONS } from '../../migrations/index.ts';
import { SECTIONS } from '../../ops/variables.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROOMS = ['engine', 'db', 'storage', 'jobs', 'api', 'ops', 'migrations'] as const;
type Room = (typeof ROOMS)[number];

interface Source {
  readonly path: string;
  readonly room: Room;
  readonly text: string;
  readonly lines: readonly string[];
}

const sources: Source[] = ROOMS.flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/(^|\/)node_modules\//.test(name))
    .map((name) => {
      const text = readFileSync(join(ROOT, room, name), 'utf8');
      return { path: join(room, name), room, text, lines: text.split('\n') };
    }),
);

/** Files in which a pattern occurs, without comments. */
function occurrences(pattern: RegExp, where: (source: Source) => boolean): string[] {
  return sources.filter(where).flatMap(({ path, lines }) =>
    lines
      .map((line, i) => ({ line: line.replace(/^\s*(\/\/|\*|\/\*).*/, ''), at: `${path}:${i + 1}` }))
      .filter(({ line }) => pattern.test(line))
      .map(({ at }) => at),
  );
}

/** Their SQL is DuckDB's, over the files of the lake. */
const OVER_THE_LAKE = new Set([
  'jobs/sql/sandbox.ts',
  'jobs/sql/views.ts',
  'api/sql/routes.ts',
  'api/site/guides/calls.ts',
  'ops/commands/remote/forward-columns.ts',
  'ops/commands/remote/forward-market.ts',
  'api/site/browser/pages/sql.ts',
  'api/site/browser/pages/data.ts',
]);

const ENV_HEAD =
  '# Every variable with its default; an empty one counts as not set. Bad values stop the start and are named.\n';

/** The default as one writes it; empty: none, or what the description says. */
const defaultOf = (variable: z.ZodType) => (variable instanceof z.ZodPrefault ? String(variable.def.defaultValue) : '');

/** Path → text of the pages that list the variables. */
function configurationPages(): Readonly<Record<string, string>> {
  const path = 'ops/docs/CONFIGURATION.md';
  const rowOf = ([name, variable]: [string, z.ZodType]) => {
    const value = defaultOf(variable).replaceAll(/[*<]/g, '\\$&');
    return `| \`${name}\`${value && ` (${value})`} | ${variable.description} |`;
  };
  const linesOf = ([name, variable]: [string, z.ZodType]) => {
    const text = String(variable.description).replaceAll(/`|\[(.*?)\]\(.*?\)/g, '$1');
    return `# ${text}\n${name}=${defaultOf(variable)}`;
  };
  const sections = Object.entries(SECTIONS);
  const tables = sections.map(
    ([title, section]) =>
      `## ${title}\n\n| variable (default) | meaning |\n|---|---|\n${Object.entries(section).map(rowOf).join('\n')}`,
  );
  const lists = sections.map(([title, section]) => `# ${title}\n\n${Object.entries(section).map(linesOf).join('\n')}`);
  const page = readFileSync(join(ROOT, path), 'utf8').replace(
    /(<!-- variables:begin -->\n).*(\n<!-- variables:end -->)/s,
    (_, begin, end) => `${begin}\n${tables.join('\n\n')}\n${end}`,
  );
  return { [path]: page, '.env.example': `${ENV_HEAD}\n${lists.join('\n\n')}\n` };
}

describe('the house', () => {
  it('keeps SQL in db (and in migrations, and queries over the lake)', () => {
    const isElsewhere = ({ room }: Source) => !['db', 'migrations'].includes(room);
    const isOfTheDatabase = (source: Source) => isElsewhere(source) && !OVER_THE_LAKE.has(source.path);
    expect(occurrences(/\.query(<[^>]*>)?\(/, isElsewhere)).toEqual([]);
    expect(occurrences(/\b(select .* from|insert into|delete from|update \w+ set)\b/i, isOfTheDatabase)).toEqual([]);
  });

  it('reads the tables of pg-boss only in two files and in those of the records that jobs work for, and never writes them', () => {
    const isService = ({ room }: Source) => room !== 'migrations';
    const files = occurrences(/\bpgboss\.(?!job_state)/, isService).map((at) => at.replace(/:\d+$/, ''));
    expect([...new Set(files)]).toEqual([
      'db/market/comparisons.ts',
      'db/queue/exports.ts',
      'db/queue/queue-jobs.ts',
      'db/queue/queues.ts',
      'db/queue/sync-jobs.ts',
      'db/schema/queue.ts',
    ]);
    expect(occurrences(/\b(insert into|update|delete from|truncate) pgboss\b/i, isService)).toEqual([]);
  });

  it('builds no SQL from values', () => {
    const interpolated = /(=|like|in|values) ?\(?'?\$\{(?![A-Z_]+[.}[]|venueBasisCode)/i;
    expect(occurrences(interpolated, ({ room }) => room === 'db')).toEqual([]);
  });

  it('logs every action of administrators', () => {
    const changes = ROUTES.filter(({ path, method }) => path.startsWith('/api/admin') && method !== 'get');
    expect(changes.filter(({ audit }) => !audit).map(({ path }) => path)).toEqual([]);
    expect(changes.filter(({ access, limit }) => access !== 'admin' || limit !== 'back_office')).toEqual([]);
    expect(changes.length).toBeGreaterThan(10);
  });

  it('lists every migration', () => {
    const files = readdirSync(join(ROOT, 'migrations')).filter((name) => /^\d/.test(name));
    expect(MIGRATIONS.map(({ name }) => `${name}.ts`)).toEqual(files.sort());
  });

  it('describes every variable, and lists them as they are in .env.example and CONFIGURATION.md', () => {
    const variables = Object.values(SECTIONS).flatMap((section) => Object.entries(section));
    expect(variables.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([]);
    for (const [path, text] of Object.entries(configurationPages())) {
      if (process.env.WRITE_CONFIGURATION) writeFileSync(join(ROOT, path), text);
      expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
    }
  });

  it('has nothing at its top level but its rooms, its manifest and its README', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    const top = new Set(tracked.map((name) => name.split('/')[0]).filter((name) => !name.startsWith('.')));
    const fixed = ['README.md', 'package-lock.json', 'package.json', 'test', 'tsconfig.json', ...ROOMS];
    expect([...top].sort()).toEqual(fixed.sort());
  });

  it('has no notes about later work in the code', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
    expect(tracked.filter((name) => /^\.data\/|\.log$/.test(name))).toEqual([]);
    const later = /\b(TODO|FIXME|XXX|HACK)\b/;
    const places = sources.flatMap(({ path, lines }) =>
      lines.flatMap((line, i) => (later.test(line) ? [`${path}:${i + 1}`] : [])),
    );
    expect(places).toEqual([]);
  });
});
