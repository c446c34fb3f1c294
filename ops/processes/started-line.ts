/** The line that a process without a supervisor logs once it is ready: its version, and where it works. */

import { API_VERSION } from '../../api/meta/version.ts';
import { PROCESS_KINDS, type ProcessKind } from '../../db/connected-processes.ts';
import type { Config } from '../config.ts';
import { outboxFolder, publicAddress, storageSettings } from '../settings.ts';

/** Server and database of a URL, without user and password. */
function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? host}${pathname}`;
}

export const isProcessKind = (name: string): name is ProcessKind => PROCESS_KINDS.some((kind) => kind === name);

/** Only what a process of that kind uses. */
function whereOf(name: ProcessKind, config: Config): object {
  switch (name) {
    case 'api': {
      const { API_PROCESSES, METRICS_PORT, HOST, PORT } = config;
      return {
        host: HOST,
        port: PORT,
        publicAddress: publicAddress(config),
        metricsPort: METRICS_PORT,
        processes: API_PROCESSES,
      };
    }
    case 'worker': {
      const { WORKER_SLOTS, BACKGROUND_SLOTS, COMPUTE_SLOTS, SWEEP_SLOTS, OUTBOUND_SLOTS } = config;
      const slots = { WORKER_SLOTS, BACKGROUND_SLOTS, COMPUTE_SLOTS, SWEEP_SLOTS, OUTBOUND_SLOTS };
      const mail = config.SMTP_URL ? new URL(config.SMTP_URL).host : outboxFolder(config);
      return { slots, mail };
    }
    case 'scheduler':
      return { schedule: config.SCHEDULE };
  }
}

export function startedFields(name: ProcessKind, config: Config): object {
  const storage = storageSettings(config);
  return {
    version: API_VERSION,
    node: process.versions.node,
    pid: process.pid,
    ...whereOf(name, config),
    database: config.DATABASE_URL ? placeOf(config.DATABASE_URL) : config.DATA_DIR,
    storage: 's3' in storage ? `s3://${storage.s3.bucket}` : storage.folder,
    provider: config.PROVIDER,
  };
}
