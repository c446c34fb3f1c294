/** House rules that are checked by tests instead of by reviewers. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { ROUTES } from '../../api/routes.ts';
import { present } from '../../engine/util/required.ts';
import { MIGRATIONS } from '../../migrations/index.ts';
import { CONFIG_VARIABLES, readConfig } from '../../ops/config.ts';

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

const MAY_IMPORT: Record<Room, readonly Room[]> = {
  engine: [],
  migrations: [],
  db: ['engine', 'migrations'],
  storage: ['engine'],
  jobs: ['db', 'storage', 'engine'],
  api: ['jobs', 'db', 'storage', 'engine'],
  ops: ['api', 'jobs', 'db', 'storage', 'engine'],
};

/** Files of job features that api imports beside their contracts, with the reason. */
const SHARED_WITH_API = {
  'jobs/backtest/notes.ts': 'the API words the notes whose codes a result carries',
  'jobs/backtest/range.ts': 'a request is refused by the same count of bars as its job',
  'jobs/backtest/statistics.ts': 'the types of statistics and selections that the API words',
  'jobs/backtest/summary.ts': 'the type of the stored result that the API shows',
  'jobs/export/make-export.ts': 'a small export is made while its caller waits, by the code of the job',
  'jobs/portfolio/summary.ts': 'the type of the stored result that the API shows',
  'jobs/snapshot/bars-file.ts': 'the reader of the file stands beside its writer',
  'jobs/snapshot/means-file.ts': 'the reader of the file stands beside its writer',
};

/** Their SQL is DuckDB's, over the files of the lake. */
const OVER_THE_LAKE = new Set([
  'jobs/sql/sandbox.ts',
  'jobs/sql/views.ts',
  'api/sql/routes.ts',
  'api/site/browser/pages/sql.ts',
  'api/site/browser/pages/files.ts',
]);

/** Paths of the files that a file imports, types included. */
function importsOf({ path, text }: Source): string[] {
  const imported = [...text.matchAll(/(?:from |import |import\()'(\.[^']+)'/g)].map(([, specifier]) =>
    relative(ROOT, resolve(ROOT, dirname(path), specifier)),
  );
  // The bench is no part of the service: it alone may use the servers and markets of the tests.
  return path.startsWith('ops/bench/') ? imported.filter((one) => !one.startsWith('test/support/')) : imported;
}

/** The files and the packages that a file loads when it is imported: not those of its types, and not those that it imports later. */
function loadedBy(entry: string): { files: readonly string[]; packages: readonly string[] } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const path of files) {
    const { text } = present(sources.find((source) => source.path === path));
    for (const [, clause, specifier] of text.matchAll(/^(?:import|export) (?!type )(?:([^;']*?)from )?'([^']+)';/gm)) {
      const isTypes = clause !== undefined && /^\{(\s*type [^,}]+,?)+\s*\}/.test(clause);
      if (isTypes || specifier.startsWith('node:')) continue;
      if (specifier.startsWith('.')) files.add(relative(ROOT, resolve(ROOT, dirname(path), specifier)));
      else packages.add(specifier);
    }
  }
  return { files: [...files].sort(), packages: [...packages].sort() };
}

/** Cycles of a graph, each as the path around it: none only if there is none. */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string) => {
    if (done.has(node)) return;
    const start = path.indexOf(node);
    if (start >= 0) {
      cycles.push([...path.slice(start), node].join(' → '));
      return;
    }
    path.push(node);
    graph.get(node)?.forEach(visit);
    path.pop();
    done.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return cycles;
}

describe('the house', () => {
  it('has rooms that import in one direction only', () => {
    const wrong: string[] = [];
    for (const source of sources) {
      const { path, room } = source;
      for (const imported of importsOf(source)) {
        const target = imported.split('/')[0] as Room;
        if (target !== room && !MAY_IMPORT[room].includes(target)) wrong.push(`${path} imports ${imported}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('has no import cycle, type imports included', () => {
    const graph = new Map(sources.map((source) => [source.path, importsOf(source)]));
    expect([...graph.values()].flat().filter((path) => path.endsWith('.ts') && !graph.has(path))).toEqual([]);
    expect(cyclesIn(graph)).toEqual([]);
  });

  it('lets api import only the contracts and enqueue.ts of job features', () => {
    const rooms = readdirSync(join(ROOT, 'jobs'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const hasContract = (room: string) => sources.some(({ path }) => path === `jobs/contracts/${room}.ts`);
    const features = rooms.map(({ name }) => name).filter(hasContract);
    expect(features).toEqual(expect.arrayContaining(['backtest', 'export', 'mail', 'snapshot', 'storage', 'sync']));
    const imported = (prefix: string) =>
      new Set(
        sources
          .filter(({ room }) => room === 'api')
          .flatMap(importsOf)
          .filter((path) => path.startsWith(prefix)),
      );
    const inner = features
      .flatMap((feature) => [...imported(`jobs/${feature}/`)])
      .filter((path) => !path.endsWith('/enqueue.ts'));
    expect(inner.sort()).toEqual(Object.keys(SHARED_WITH_API).sort());
    expect([...imported('jobs/queue/'), ...imported('jobs/worker/')]).toEqual([
      'jobs/queue/boss.ts',
      'jobs/worker/operate.ts',
    ]);
  });

  it('starts threads of workers without the code of jobs and the libraries that only some of them need', () => {
    const { files, packages } = loadedBy('jobs/worker/job-thread.ts');
    const { text } = present(sources.find(({ path }) => path === 'jobs/worker/handlers.ts'));
    const handlers = [...text.matchAll(/import\('([^']+)'\)/g)].map(([, path]) => join('jobs/worker', path));
    expect(handlers).toContain('jobs/sweep/run-chunk.ts');
    expect(files.filter((path) => handlers.includes(path))).toEqual([]);
    expect(packages).toEqual(['@date-fns/tz', 'ipaddr.js', 'pg', 'pino', 'zod']);
  });

  it('finds cycles of any length', () => {
    const graph = { a: ['b', 'c'], b: ['c'], c: ['d'], d: ['b'], e: ['e'], f: ['a', 'd'] };
    expect(cyclesIn(new Map(Object.entries(graph)))).toEqual(['b → c → d → b', 'e → e']);
  });

  it('has an engine without a clock, randomness, input, output or environment', () => {
    // Libraries for parsers and time zones that are as pure as the engine.
    const impure =
      /Date\.now|new Date\(\)|performance\.|Math\.random|process\.|from 'node:|from '(?!\.|chevrotain'|@date-fns\/tz')|setTimeout|console\./;
    expect(occurrences(impure, ({ room }) => room === 'engine')).toEqual([]);
  });

  it('keeps SQL in db (and in migrations, the floors of the benchmarks, and queries over the lake)', () => {
    const isElsewhere = ({ room, path }: Source) =>
      !['db', 'migrations'].includes(room) && !path.startsWith('ops/bench/');
    const isOfTheDatabase = (source: Source) => isElsewhere(source) && !OVER_THE_LAKE.has(source.path);
    expect(occurrences(/\.query(<[^>]*>)?\(/, isElsewhere)).toEqual([]);
    expect(occurrences(/\b(select .* from|insert into|delete from|update \w+ set)\b/i, isOfTheDatabase)).toEqual([]);
  });

  it('reads the tables of pg-boss in one file, beside the records that jobs work for, and never writes them', () => {
    const isService = ({ path, room }: Source) => room !== 'migrations' && !path.startsWith('ops/bench/');
    const files = occurrences(/\bpgboss\.(?!job_state)/, isService).map((at) => at.replace(/:\d+$/, ''));
    expect([...new Set(files)]).toEqual([
      'db/market/comparisons.ts',
      'db/queue/exports.ts',
      'db/queue/queue-jobs.ts',
      'db/queue/sync-jobs.ts',
      'db/schema/queue.ts',
    ]);
    expect(occurrences(/\b(insert into|update|delete from|truncate) pgboss\b/i, isService)).toEqual([]);
  });

  it('builds no SQL from values', () => {
    const interpolated = /(=|like|in|values) ?\(?'?\$\{(?![A-Z_]+[.}[]|venueBasisCode)/i;
    expect(occurrences(interpolated, ({ room }) => room === 'db')).toEqual([]);
  });

  it('keeps S3 in storage, HTTP in api, and the environment in the configuration', () => {
    expect(occurrences(/@aws-sdk/, ({ room }) => room !== 'storage')).toEqual([]);
    expect(occurrences(/from 'express'/, ({ room, path }) => room !== 'api' && !path.startsWith('ops/bench/'))).toEqual(
      [],
    );
    // All but the first only hand it on to the service or the browser that they start.
    const starters = [
      'ops/processes/start.ts',
      'ops/processes/dev.ts',
      'ops/bench/start.ts',
      'ops/browser/chromium.ts',
    ];
    // The programs that pages show read it, not the pages.
    const readers = ['ops/config.ts', 'api/site/browser/samples.ts', ...starters];
    expect(occurrences(/process\.env/, ({ path }) => !readers.includes(path))).toEqual([]);
  });

  it('keeps clients apart: they import nothing of the service, except what writes their generated parts', () => {
    const clients = sources.filter(({ path }) => path.startsWith('api/clients/'));
    expect(clients.length).toBeGreaterThan(5);
    const outside = clients.filter((source) => importsOf(source).some((path) => !path.startsWith('api/clients/')));
    expect(outside.map(({ path }) => path)).toEqual(['api/clients/typescript/generate.ts']);
  });

  it('has a site that knows the API by the types of the TypeScript client', () => {
    const browser = sources.filter(({ path }) => path.startsWith('api/site/browser/'));
    const outside = browser.flatMap(importsOf).filter((path) => !path.startsWith('api/site/'));
    const lists = ['api/backtests/trade-columns.ts', 'api/http/language/locale.ts'];
    expect(new Set(outside)).toEqual(new Set(['api/clients/typescript/types.ts', ...lists]));
    expect(occurrences(/from 'zod'/, ({ path }) => path.startsWith('api/site/browser/'))).toEqual([]);
  });

  it('asks its one clock for the time', () => {
    const allowed = ['ops/config.ts', 'jobs/worker/job-thread.ts'];
    expect(
      occurrences(/Date\.now|new Date\(\)/, ({ path }) => !allowed.includes(path) && !path.startsWith('ops/bench/')),
    ).toEqual([]);
  });

  it('has no function over 70 lines and no file over 300', () => {
    const generated = ['api/clients/typescript/api-types.ts'];
    const written = sources.filter(({ path }) => !generated.includes(path));
    expect(written.filter(({ lines }) => lines.length > 300).map(({ path }) => path)).toEqual([]);
    const long: string[] = [];
    for (const { path, lines } of sources.filter(({ room }) => room !== 'migrations')) {
      lines.forEach((line, start) => {
        const opened =
          /^(\s*)(?:export )?(?:default )?(?:async )?(?:function\b|static |private |get |\w+\(|\*?\[?\w+\]?\(|const \w+ = (?:async )?\().*\{$/.exec(
            line,
          );
        if (!opened || /^\s*(if|for|while|switch|describe|it)\b/.test(line)) return;
        const length = lines.slice(start).findIndex((end) => end.startsWith(`${opened[1]}}`)) + 1;
        if (length > 70) long.push(`${path}:${start + 1} (${length} lines)`);
      });
    }
    expect(long).toEqual([]);
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

  it('documents every variable with its default in .env.example and in CONFIGURATION.md', () => {
    const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
    const page = readFileSync(join(ROOT, 'ops/docs/CONFIGURATION.md'), 'utf8');
    const listed = new Map(
      [...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    expect([...listed.keys()].sort()).toEqual([...CONFIG_VARIABLES].sort());
    expect(CONFIG_VARIABLES.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const defaults: Readonly<Record<string, unknown>> = readConfig({});
    for (const [name, value] of listed) {
      if (['DATA_DIR', 'WORKER_SLOTS', 'COMPUTE_SLOTS', 'SWEEP_SLOTS'].includes(name)) continue;
      expect([name, value]).toEqual([name, defaults[name] === undefined ? '' : String(defaults[name])]);
    }
  });

  it('has nothing at its top level but its rooms, its manifest and its README', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    const top = new Set(tracked.map((name) => name.split('/')[0]).filter((name) => !name.startsWith('.')));
    const fixed = ['README.md', 'package-lock.json', 'package.json', 'test', 'tsconfig.json', ...ROOMS];
    expect([...top].sort()).toEqual(fixed.sort());
  });

  it('leaves nothing for later in the code', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
    expect(tracked.filter((name) => /^\.data\/|\.log$/.test(name))).toEqual([]);
    const later = /\b(TODO|FIXME|XXX|HACK)\b/;
    const places = sources.flatMap(({ path, lines }) =>
      lines.flatMap((line, i) => (later.test(line) ? [`${path}:${i + 1}`] : [])),
    );
    expect(places).toEqual([]);
  });
});
