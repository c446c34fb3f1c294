/** The checks of the processes and what they stand on. */
import {
  countVersions,
  describeStalled,
  selectStalledTransactions,
  selectWrongClocks,
} from '../../db/connection-counts.ts';
import { storageFault } from '../../storage/storage.ts';
import { type Check, MIGRATIONS_CHECK } from './check.ts';
import type { Installation } from './installation.ts';

export interface HealthCheck<Kind extends string = string> extends Check<Installation> {
  /** The name of its problem in the API. */
  readonly kind: Kind;
}

/** From about here on PostgreSQL may end while it works. */
const MIN_FREE_BYTES = 2e9;

export const DATABASE = ['database answers'];
export const SCHEMA = [...DATABASE, MIGRATIONS_CHECK];
export const QUEUE = [...SCHEMA, 'queue is installed'];
export const PROCESS_CHECKS = [
  {
    kind: 'disk_full',
    name: 'the disk has room',
    runbook: 'disk',
    findProblems: async ({ freeBytes }) => {
      const free = await freeBytes();
      if (free >= MIN_FREE_BYTES) return [];
      const text = `${(free / 1e9).toFixed(1)} GB are free on the disk of the data folder`;
      return [{ text, count: Math.round(free / 1e6) }];
    },
  },
  {
    kind: 'no_worker',
    name: 'a worker runs',
    runbook: 'worker',
    reads: DATABASE,
    follows: ['the service runs', 'queue is installed'],
    command: () => 'npm run worker',
    findProblems: async ({ processes }) =>
      (await processes()).worker > 0 ? [] : [{ text: 'none is connected to the database' }],
  },
  {
    kind: 'no_scheduler',
    name: 'a scheduler runs',
    runbook: 'scheduler',
    reads: DATABASE,
    follows: ['the service runs', 'queue is installed'],
    command: () => 'npm run scheduler',
    findProblems: async ({ processes }) =>
      (await processes()).scheduler > 0 ? [] : [{ text: 'none is connected to the database' }],
  },
  {
    kind: 'transaction_stalled',
    name: 'no transaction waits for a vanished machine',
    runbook: 'database',
    reads: DATABASE,
    findProblems: async ({ pool }) => {
      const stalled = await selectStalledTransactions(pool);
      return stalled.map((one) => ({ text: describeStalled(one), detail: describeStalled(one), count: one.waiting }));
    },
  },
  {
    kind: 'clock_off',
    name: 'clocks agree',
    runbook: 'clock',
    reads: DATABASE,
    findProblems: async ({ pool }) => {
      const wrong = await selectWrongClocks(pool);
      return wrong.map(({ kind, fault }) => ({ text: `${kind}: ${fault}`, detail: `${kind}: ${fault}` }));
    },
  },
  {
    kind: 'versions_differ',
    name: 'all processes are of one release',
    runbook: 'versions',
    isAdvice: true,
    reads: DATABASE,
    findProblems: async ({ pool }) => {
      const versions = await countVersions(pool);
      if (versions.size <= 1) return [];
      const detail = [...versions].map(([version, count]) => `${version || 'earlier'} (${count})`).join(', ');
      return [{ text: detail, count: versions.size, detail }];
    },
  },
  {
    kind: 'storage_failing',
    name: 'object storage can be used',
    runbook: 'storage',
    follows: ['the disk has room'],
    findProblems: async ({ storage }) => {
      const fault = await storageFault(storage());
      return fault === null ? [] : [{ text: fault, detail: fault }];
    },
  },
] as const satisfies readonly HealthCheck[];
