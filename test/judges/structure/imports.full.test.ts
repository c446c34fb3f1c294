/** `import-rules.ts` says who may import whom; here: that everything is read, and that no exception outlives its import. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
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

it('start threads of workers without the code of jobs and the libraries that only some of them need', () => {
  const loaded = new Set(['jobs/worker/job-thread.ts']);
  for (const path of loaded) {
    for (const { resolved, dynamic, dependencyTypes, coreModule } of modules.get(path) ?? []) {
      if (!dynamic && !coreModule && !dependencyTypes.includes('type-only')) loaded.add(resolved);
    }
  }
  const handlers = modules
    .get('jobs/worker/handlers.ts')
    ?.filter(({ dynamic }) => dynamic)
    .map(({ resolved }) => resolved);
  expect(handlers).toContain('jobs/sweep/run-chunk.ts');
  expect(handlers?.filter((path) => loaded.has(path))).toEqual([]);
  const packages = [...loaded].flatMap((path) => /^node_modules\/((@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  expect(packages.sort()).toEqual(['@date-fns/tz', 'ipaddr.js', 'pg', 'pino', 'zod']);
});

it('are drawn in ARCHITECTURE as they are; `npm run rooms` draws them again', () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toBe(withDrawing(page, found.modules));
});
