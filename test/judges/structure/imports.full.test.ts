/** `import-rules.ts` says who may import whom; here: that everything is read, and that no exception outlives its import. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { readDockerfile } from '../../support/dockerfile.ts';
import { PAGE, readModules, withDrawing } from './draw-rooms.ts';
import { SHARED_WITH_API } from './import-rules.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = (command: string, ...given: string[]) =>
  execFileSync(command, given, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });

const found = readModules();
const modules = new Map(found.modules.map((module) => [module.source, module.dependencies]));
const imports = found.modules.flatMap(({ source, dependencies }) =>
  dependencies.map(({ resolved }) => [source, resolved]),
);

it('follow the rules', () => {
  expect(found.summary.violations).toEqual([]);
});

it('are read from every file, types included', () => {
  const tracked = run('git', 'ls-files', '-co', '--exclude-standard', '*/*.ts', ':!test').trim().split('\n');
  const read = [...modules.keys()].filter((path) => /^(?!node_modules|test).*\.ts$/.test(path));
  expect(read.sort()).toEqual(tracked.sort());
  const types = modules.get('api/access/access-log.ts')?.find(({ module }) => module === './countries.ts');
  expect(types?.dependencyTypes).toContain('type-only');
});

it('have no unused exception', () => {
  const ofApi = new Set(imports.filter(([source]) => source.startsWith('api/')).map(([, path]) => path));
  expect(Object.keys(SHARED_WITH_API).filter((path) => !ofApi.has(path))).toEqual([]);
});

/** Files, of packages too, that programs load when they start, and with `later` those that they load when they need them. */
function loadedBy(programs: readonly string[], later = (_path: string) => false): ReadonlySet<string> {
  const loaded = new Set(programs);
  for (const path of loaded) {
    for (const { resolved, dynamic, dependencyTypes, coreModule } of modules.get(path) ?? []) {
      if (coreModule || dependencyTypes.includes('type-only')) continue;
      if (!dynamic || later(resolved)) loaded.add(resolved);
    }
  }
  return loaded;
}

const packagesOf = (paths: Iterable<string>) =>
  [...paths].flatMap((path) => /^node_modules\/((@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);

it('start threads of workers without the code of jobs and the libraries that only some of them need', () => {
  const loaded = loadedBy(['jobs/worker/job-thread.ts']);
  const handlers = modules
    .get('jobs/worker/handlers.ts')
    ?.filter(({ dynamic }) => dynamic)
    .map(({ resolved }) => resolved);
  expect(handlers).toContain('jobs/factors/chunked-work.ts');
  expect(handlers?.filter((path) => loaded.has(path))).toEqual([]);
  expect(packagesOf(loaded).sort()).toEqual(['@date-fns/tz', 'ipaddr.js', 'pg', 'pino', 'zod']);
});

it('let the processes and commands of the container image run with the files and packages that it has', () => {
  const dockerfile = readDockerfile();
  const image = dockerfile.slice(dockerfile.findLastIndex(({ name }) => name === 'FROM'));
  const copied = image
    .filter(({ name, words }) => name === 'COPY' && words.length === 2)
    .map(({ words: [path] }) => path);
  const left = dockerfile.flatMap(({ text }) => / rm -r (.*?) &&/.exec(text)?.[1].split(' ') ?? []);
  expect(left).toContain('esbuild');
  const programs = ['api', 'worker', 'scheduler'].map((name) => `ops/processes/${name}.ts`);
  // The site is built before. A package that is loaded late may be missing.
  const isLater = (path: string) => !path.startsWith('node_modules/') && path !== 'api/site/build.ts';
  const loaded = loadedBy([...programs, 'ops/commands/cli.ts'], isLater);
  const files = [...loaded].filter((path) => !path.startsWith('node_modules/'));
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((path) => !copied.includes(path.split('/')[0]))).toEqual([]);
  const packages = packagesOf(loaded);
  expect(packages).toContain('express');
  expect(packages.filter((name) => left.includes(name) || left.includes(name.split('/')[0]))).toEqual([]);
});

it('are drawn in ARCHITECTURE as they are; `npm run rooms` draws them again', () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toBe(withDrawing(page, found.modules));
});
