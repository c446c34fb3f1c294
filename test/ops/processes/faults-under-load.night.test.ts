/**
 * Faults while callers use everything that is to be kept, and a new session is loaded: how long nothing was answered, and that no promise
 * was broken. `FAULT_TABLE=1` prints the times.
 *
 * @waits
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PLANS } from '../../../api/access/plans.ts';
import { backtestNumber, Cluster } from '../../support/cluster.ts';
import { deadline, LEAST_FACTOR } from '../../support/deadlines.ts';
import { eventually } from '../../support/eventually.ts';
import { CALLED, Callers } from '../../support/history/callers.ts';
import { longestGap, violations } from '../../support/history/check-history.ts';
import { finalState } from '../../support/history/final-state.ts';
import { type GrowingMarket, growingMarket } from '../../support/history/growing-market.ts';
import { clockAhead } from '../../support/processes.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';

let market: GrowingMarket;
let cluster: Cluster;
let callers: Callers;
const outages: [number, number][] = [];
const table: string[] = [];

beforeAll(async () => {
  market = growingMarket(30);
  cluster = await Cluster.start({
    ...CALLED,
    PROVIDER: 'files',
    PROVIDER_DIR: market.folder.path,
    SCHEDULE: '*/2 * * * * *',
    FIXED_NOW: '',
  });
  callers = await Callers.start(cluster, market.first);
  await answered();
}, deadline(120_000));
afterAll(async () => {
  callers?.close();
  await cluster?.stop();
  market.folder.remove();
  if (process.env.FAULT_TABLE) process.stdout.write(`${table.join('\n')}\n`);
});

/** Longer on a machine that is slow. */
const within = (seconds: number) => deadline(seconds) / LEAST_FACTOR;

/** Larger than every number of the callers. */
let number = 500_000;

/** Resolves when each API process answers a quote and keeps a run. */
async function answered(): Promise<void> {
  const good = (send: () => ReturnType<Cluster['call']>) => eventually(send, ({ status }) => status === 200, 60_000);
  await Promise.all(
    cluster.ports.flatMap((port) => [
      good(() => cluster.call(port, 'GET', '/v1/quote/ACRX')),
      good(() => cluster.call(port, 'POST', '/v1/backtest', backtestNumber(number++))),
    ]),
  );
}

/** Resolves when every caller gets the session. */
const served = (session: string) =>
  eventually(
    () => Promise.all(cluster.ports.map((port) => cluster.call(port, 'GET', '/v1/quote/ACRX'))),
    (quotes) => quotes.every(({ body }) => String(body.data?.ts).startsWith(session)),
    90_000,
  );

async function again(part: 'api' | 'worker', signal: NodeJS.Signals, settings: NodeJS.ProcessEnv = {}): Promise<void> {
  await cluster.end(part, 1, signal);
  await cluster.run(part, 1, undefined, settings);
}

const both = (settings: NodeJS.ProcessEnv) =>
  Promise.all([again('api', 'SIGTERM', settings), again('worker', 'SIGTERM', settings)]);

async function threeTimes(act: () => Promise<void>): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await act();
    await sleep(300 * Math.random());
  }
}

/** Lets a fault last. */
async function lasting(ms: number, begin: () => unknown, end: () => unknown): Promise<void> {
  await begin();
  await sleep(ms);
  await end();
}

const signalAll = (part: 'scheduler', signal: NodeJS.Signals) => {
  for (const child of cluster.processes[part]) child.kill(signal);
};

async function commitsHang(): Promise<void> {
  const reload = async (change: string) => {
    await cluster.pool.query(`alter system ${change}`);
    await cluster.pool.query('select pg_reload_conf()');
  };
  await lasting(
    8_000,
    () => reload(`set synchronous_standby_names = 'absent'`),
    () => reload('reset synchronous_standby_names'),
  );
}

/** The machine of a worker vanishes with its jobs. */
async function vanish(): Promise<void> {
  const way = await TcpProxy.start(cluster.postgres.port);
  await again('worker', 'SIGTERM', { DATABASE_URL: way.through(cluster.postgres.url) });
  await sleep(2_000);
  way.freeze();
  cluster.processes.worker[1].kill('SIGSTOP');
  await sleep(20_000);
  await again('worker', 'SIGKILL');
  way.close();
}

async function slowDatabase(): Promise<void> {
  const way = await TcpProxy.start(cluster.postgres.port, { latencyMs: 100, loss: 0.01, stallMs: 500 });
  await lasting(
    30_000,
    () => both({ DATABASE_URL: way.through(cluster.postgres.url) }),
    () => both({}),
  );
  way.close();
}

interface Fault {
  /** Seconds that may pass without a quote, and without a kept run. */
  readonly quoteS: number;
  readonly keepS: number;
  readonly isOutage?: boolean;
  readonly act: () => Promise<void>;
}

const QUOTE_S = 2;
const KEEP_S = 5;
const DEAD_HOST_S = 20;
const BUCKET_AWAY_S = 10;
const AS_BEFORE_S = 15;
const usual = { quoteS: QUOTE_S, keepS: KEEP_S };

const FAULTS: Readonly<Record<string, Fault>> = {
  'kill -9 of one worker of two, three times': { ...usual, act: () => threeTimes(() => again('worker', 'SIGKILL')) },
  'kill -9 of one API process of two, three times': { ...usual, act: () => threeTimes(() => again('api', 'SIGKILL')) },
  'the host of a worker gone': { ...usual, keepS: DEAD_HOST_S, act: vanish },
  'schedulers stopped for a minute': {
    ...usual,
    act: () =>
      lasting(
        60_000,
        () => signalAll('scheduler', 'SIGSTOP'),
        () => signalAll('scheduler', 'SIGCONT'),
      ),
  },
  'clocks five minutes apart': {
    ...usual,
    act: () =>
      lasting(
        20_000,
        () => both(clockAhead(300_000)),
        () => both({}),
      ),
  },
  'bucket away for 10 s': {
    ...usual,
    keepS: BUCKET_AWAY_S + KEEP_S,
    act: () =>
      lasting(
        1_000 * BUCKET_AWAY_S,
        () => {
          cluster.s3.intercept = () => 'drop';
        },
        () => {
          cluster.s3.intercept = () => undefined;
        },
      ),
  },
  'PostgreSQL restarted': { ...usual, isOutage: true, act: () => cluster.restartPostgres('SIGINT') },
  'kill -9 of PostgreSQL': { ...usual, isOutage: true, act: () => cluster.restartPostgres('SIGKILL') },
  'a database 100 ms away that loses 1 % of packets': { ...usual, isOutage: true, act: slowDatabase },
  'commits that hang for 8 s': { ...usual, keepS: DEAD_HOST_S, isOutage: true, act: commitsHang },
};

describe('under load', () => {
  it.each(Object.entries(FAULTS))(
    '%s',
    async (name, { quoteS, keepS, isOutage, act }) => {
      const session = market.publish();
      await sleep(1_000 * Math.random());
      const since = performance.now();
      await act();
      const healed = performance.now();
      await answered();
      const until = performance.now();
      if (isOutage) outages.push([since, until]);
      await served(session);
      const seconds = (ms: number) => Math.round(ms / 100) / 10;
      const gap = (kind: 'quote' | 'keep') => seconds(longestGap(callers.calls, kind, since, until));
      const times = { quote: gap('quote'), keep: gap('keep'), asBefore: seconds(until - healed) };
      const loaded = seconds(performance.now() - healed);
      table.push(`| ${name} | ${times.quote} | ${times.keep} | ${times.asBefore} | (session after ${loaded}) |`);
      const isWithin =
        times.quote <= within(quoteS) && times.keep <= within(keepS) && times.asBefore <= within(AS_BEFORE_S);
      expect(isWithin ? name : { name, ...times }).toBe(name);
    },
    deadline(300_000),
  );
});

it(
  'afterwards every promise has been kept',
  async () => {
    await callers.stop();
    const state = await finalState(cluster, callers);
    const promises = {
      keysMax: PLANS.pro.quotas.api_keys_max,
      limit: PLANS.free.limits.static,
      windowMs: 60_000,
      processes: cluster.ports.length,
      outages,
      olderMs: 5_000,
    };
    const kinds = [...Map.groupBy(callers.calls, ({ kind }) => kind)].map(([kind, calls]) => ({
      kind,
      calls: calls.length,
      acknowledged: calls.filter(({ status }) => status >= 200 && status < 300).length,
    }));
    const statuses = Map.groupBy(callers.calls, ({ kind, status }) => `${kind} ${status}`);
    table.push([...statuses].map(([answer, calls]) => `${answer}: ${calls.length}`).join(', '));
    table.push(...kinds.map(({ kind, calls, acknowledged }) => `| ${kind} | ${calls} | ${acknowledged} |`));
    expect(kinds.filter(({ acknowledged }) => acknowledged < 10)).toEqual([]);
    expect(violations(callers.calls, state, promises)).toEqual([]);
    expect(callers.defects).toEqual([]);
    expect(cluster.logged.filter((line) => line.includes('"msg":"answered 500"'))).toEqual([]);
  },
  deadline(300_000),
);
