/** The context of a job handler, in which only the parts that a test provides work. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { JobContext } from '../../jobs/contracts/job-context.ts';

function missing(name: string): never {
  const fail = () => {
    throw new Error(`the test provides no ${name} for its job`);
  };
  return new Proxy(() => {}, { get: fail, apply: fail }) as never;
}

export function testJobContext(given: Partial<JobContext>): JobContext {
  return {
    jobId: '0199e9c2-6f1b-7c4e-9a53-2d8f5b7e1c41',
    pool: missing('pool'),
    run: null,
    endRun: missing('endRun'),
    cost: { seconds: () => 0.25, add: () => {} },
    boss: missing('boss'),
    provider: missing('provider'),
    otherProvider: missing('otherProvider'),
    storage: missing('storage'),
    databaseUrl: '',
    backups: null,
    mailer: missing('mailer'),
    loginCodeKey: 'login-code-key-of-the-tests',
    webhookNetworks: [],
    workFolder: join(tmpdir(), `market-work-${process.getuid?.()}`),
    tableSnapshotDays: 400,
    rotationBars: 3_000_000,
    maxLoadCostUsd: 50,
    now: Date.now,
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
    isPaused: () => false,
    isLastAttempt: true,
    ...given,
  };
}
