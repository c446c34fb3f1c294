// Who may import whom, types included. `npm run check` wants no other import.
import type { IConfiguration, IRegularForbiddenRuleType } from 'dependency-cruiser';

/** Folders and the folders that they may import. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  migrations: [],
  db: ['engine', 'migrations'],
  storage: ['engine'],
  jobs: ['db', 'storage', 'engine'],
  api: ['jobs', 'db', 'storage', 'engine'],
  ops: ['api', 'jobs', 'db', 'storage', 'engine'],
};

/** Rooms of each folder: a room imports only those before it, so there is no circle. `.` has the files beside the rooms. */
const ROOMS: Readonly<Record<string, string>> = {
  engine:
    'util . market indicators strategies rules backtest screener portfolio rotation statistics tear-sheet factors outcomes judge forward sweep',
  db: 'schema . queue lake sweeps webhooks log market research runs accounts articles backup',
  jobs:
    'providers parquet contracts queue . mail storage tables runs backtest portfolio rotation sweep optimize factors outcomes evidence columns judge sync quality ' +
    'snapshot screen impact signals forward lake compare health export sql webhooks backup worker',
  api:
    'clients http access call articles files market rules runs backtests meta mcp my screener sql ' +
    'tables portfolios optimize sweeps factors outcomes judge forward site accounts oauth admin . docs server',
  ops: '. browser docs embedded processes doctor deploy commands',
};

/** Files of job features that api imports beside contracts and enqueue.ts, with the reason. */
export const SHARED_WITH_API = {
  'jobs/columns/folder-file.ts': 'a check of a folder reads its columns as their load does',
  'jobs/signals/named.ts': 'the columns that a watch lacks are told where it is listed',
  'jobs/factors/claim-columns.ts': 'a list of claims tells which of them lack a column',
  'jobs/forward/chain.ts': 'a record is shown as it was told, and stopped by an entry of its chain',
  'jobs/judge/report.ts': 'the type of the stored result that the API shows',
  'jobs/outcomes/summary.ts': 'the type of the stored result that the API shows',
  'jobs/runs/history.ts': 'candles are shown with the facts of the instrument that rules read',
  'jobs/runs/own-columns.ts': 'requests pin the versions of columns, and candles are shown with their rows',
  'jobs/runs/notes.ts': 'the API words the notes whose codes a result carries',
  'jobs/backtest/range.ts': 'a request is refused by the same count of bars as its job',
  'jobs/runs/statistics.ts': 'the types of statistics and selections that the API words',
  'jobs/runs/summary.ts': 'the type of the stored result that the API shows',
  'jobs/export/run.ts': 'a small export is made while its caller waits, by the code of the job',
  'jobs/parquet/parquet-file.ts': 'kept runs are exported as Parquet while their caller waits',
  'jobs/parquet/file-statistics.ts': 'the table of a kept run is stored while its first reader waits',
  'jobs/portfolio/summary.ts': 'the type of the stored result that the API shows',
  'jobs/queue/boss.ts': 'requests send jobs',
  'jobs/queue/send.ts': 'requests send jobs',
  'jobs/worker/operate.ts': 'the desk of operators retries, cancels, and pauses',
  'jobs/snapshot/files.ts': 'readers and writers of a file are in one place',
  'jobs/sweep/cell-rows.ts': 'the columns of a file that readers of its table find in the catalog',
  'jobs/tables/kept-table.ts': 'the table of a kept run is stored while its first reader waits',
  'jobs/tables/metadata.ts': 'readers and writers of a file are in one place',
};

/** Files that browsers load beside those of the site. */
const SHARED_WITH_SITE = [
  '^api/clients/typescript/(types|event-blocks).ts$',
  '^api/runs/trade-columns.ts$',
  '^engine/screener/field-rules.ts$',
  '^api/http/language/(locale|plan-names).ts$',
];

const anyOf = (names: readonly string[]) => `(${names.join('|')})`;
const packages = (...names: readonly string[]) => `node_modules/${anyOf(names)}/`;
const roomPath = (folder: string, room: string) => (room === '.' ? `^${folder}/[^/]+$` : `^${folder}/${room}/`);

/** Forbids the files at `from` to import the files at `to`. */
function forbid(
  name: string,
  from: IRegularForbiddenRuleType['from'],
  to: IRegularForbiddenRuleType['to'],
): IRegularForbiddenRuleType {
  return { name, severity: 'error', from, to };
}

const folderRules = Object.entries(FOLDERS).map(([folder, allowed]) => {
  const others = Object.keys(FOLDERS).filter((other) => other !== folder && !allowed.includes(other));
  return forbid(
    `${folder}-imports-${allowed.join('-') || 'nothing'}`,
    { path: `^${folder}/` },
    { path: `^${anyOf(others)}/` },
  );
});

const roomRules = Object.entries(ROOMS).flatMap(([folder, names]) => {
  const rooms = names.split(' ');
  const isListed = { path: `^${folder}/`, pathNot: rooms.map((room) => roomPath(folder, room)) };
  const orders = rooms.map((room, i) => {
    const allowed = rooms.slice(0, i + 1).map((one) => roomPath(folder, one));
    return forbid(
      `${folder}/${room}-imports-only-rooms-before-it`,
      { path: roomPath(folder, room) },
      { path: `^${folder}/`, pathNot: allowed },
    );
  });
  return [forbid(`rooms-of-${folder}-are-listed`, isListed, {}), ...orders];
});

const configuration: IConfiguration = {
  forbidden: [
    ...folderRules,
    ...roomRules,
    forbid('service-needs-no-test', { pathNot: '^test/' }, { path: '^test/' }),
    forbid('no-circle', {}, { circular: true }),
    forbid('imports-are-found', { pathNot: '^test/' }, { couldNotResolve: true, pathNot: '^site/(texts/|schemas$)' }),
    forbid(
      'api-imports-contracts-of-jobs',
      { path: '^api/' },
      {
        path: '^jobs/[^/]+/',
        // Rooms without jobs of their own.
        pathNot: [
          '^jobs/(health|providers|quality)/',
          '^jobs/contracts/',
          '/enqueue\\.ts$',
          ...Object.keys(SHARED_WITH_API),
        ],
      },
    ),
    forbid(
      'engine-is-pure',
      { path: '^engine/' },
      { pathNot: ['^engine/', packages('chevrotain', '@date-fns/tz', 'ml-matrix')] },
    ),
    forbid('s3-is-in-storage', { pathNot: '^(storage|test)/' }, { path: packages('@aws-sdk') }),
    forbid('http-is-in-api', { pathNot: '^(api|test)/' }, { path: packages('express', '@types/express') }),
    forbid(
      'runs-without-development-packages',
      {
        pathNot: '^(api/site/(browser/|build\\.ts)|ops/browser/|test/)',
      },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'clients-stand-alone',
      { path: '^api/clients/' },
      { path: '^(?!api/clients/)[a-z]+/', dependencyTypes: ['local'] },
    ),
    forbid(
      'site-knows-the-api-by-its-client',
      { path: '^api/site/browser/' },
      { path: ['^(?!api/site/|site/(texts/|schemas$)|.*node_modules/)', packages('zod')], pathNot: SHARED_WITH_SITE },
    ),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: ['node_modules', '^test/'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types'] },
  },
};

export default configuration;
