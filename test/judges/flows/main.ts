/** `npm run flows [-- --list] [--only NAME]`: how many files of the product run code in each flow, beside the goal. */
import '../../../ops/node-version.cjs';
import { Command } from 'commander';
import { selectLake } from '../../../db/lake/lake-files.ts';
import { selectDataVersion } from '../../../db/market/data-versions.ts';
import { selectReadableSnapshots } from '../../../jobs/contracts/snapshot.ts';
import { eventually } from '../../support/eventually.ts';
import { FlowService, type Part } from './service.ts';

interface Flow {
  /** Files of which code may run. */
  readonly goal: number;
  /** The processes that take part. */
  readonly parts: readonly Part[];
  /** `round`: 0 before the count, so that every module is loaded; then 1. */
  readonly run: (service: FlowService, round: number) => Promise<void>;
}

const SYMBOLS = ['ACRX', 'MTMX'];

/** The scheduler looks once a minute. */
const LOAD_MS = 120_000;

/** Waits until the market is loaded, with its snapshot and the files of the lake, in another version than `before`; returns the version. */
async function loadedAfter({ pool }: FlowService, before: string | null): Promise<string | null> {
  const versions = await eventually(
    async () => [(await selectReadableSnapshots(pool))[0]?.dataVersion ?? null, (await selectLake(pool))?.dataVersion],
    ([snapshot, lake]) => snapshot !== before && snapshot === lake,
    LOAD_MS,
  );
  return versions[0] ?? null;
}

const FLOWS: Readonly<Record<string, Flow>> = {
  quote: {
    goal: 28,
    parts: ['api'],
    run: async (service, round) => service.call(`/v1/quote/${SYMBOLS[round]}`),
  },
  'awaited backtest': {
    goal: 80,
    parts: ['api', 'worker'],
    run: async (service, round) =>
      service.call('/v1/backtest', { symbol: SYMBOLS[round], strategy: 'sma_cross', time_range: '1Y' }),
  },
  rotation: {
    goal: 110,
    parts: ['api', 'worker'],
    run: async (service, round) =>
      service.call('/v1/portfolio', {
        universe: { all: true },
        rotation: { every: 'month', score: 'roc(60)', hold: { top: 5 + round } },
        time_range: '1Y',
      }),
  },
  'screener now': {
    goal: 40,
    parts: ['api'],
    run: async (service, round) => service.call('/v1/screener', { where: `close > ${5 + round}`, limit: 3 }),
  },
  'screener of a past day': {
    goal: 90,
    parts: ['api', 'worker'],
    run: async (service, round) =>
      service.call('/v1/screener', { where: 'close > 5', as_of: ['2026-05-05', '2026-05-06'][round], limit: 3 }),
  },
  'export and download': {
    goal: 80,
    parts: ['api', 'worker'],
    run: async (service, round) => {
      const body = { symbols: SYMBOLS, start: '2026-05-01', end: ['2026-05-28', '2026-05-29'][round] };
      await service.call('/api/admin/data/export', body);
      const { data } = await service.call('/api/admin/data/exports');
      await service.call(`/api/admin/data/exports/${data.items[0].id}/download`);
    },
  },
  night: {
    goal: 90,
    parts: ['scheduler', 'worker'],
    // Its newest session is loaded again, as if it were new.
    run: async (service) => {
      const before = await selectDataVersion(service.pool);
      await service.pool.query(
        'update loaded_sessions set is_complete = false where day = (select max(day) from loaded_sessions)',
      );
      await loadedAfter(service, before);
    },
  },
};

const command = new Command('flows')
  .option('--list', 'print the files of each flow')
  .option('--only <name>', 'the beginning of the names of flows')
  .parse();
const { list = false, only = '' } = command.opts<{ list?: boolean; only?: string }>();

const service = await FlowService.start();
try {
  await loadedAfter(service, null);
  await service.logIn();
  for (const [name, { goal, parts, run }] of Object.entries(FLOWS).filter(([flow]) => flow.startsWith(only))) {
    await run(service, 0);
    await service.untilIdle();
    await service.filesThatRan(parts);
    await run(service, 1);
    const files = await service.filesThatRan(parts);
    process.stdout.write(`${name}: ${files.size} files (goal ${goal})\n`);
    if (list)
      process.stdout.write(
        `${[...files]
          .sort()
          .map((file) => `  ${file}\n`)
          .join('')}`,
      );
  }
} finally {
  await service.stop();
}
