/** A deployment as on several machines: two of each process on one database and one bucket, with callers that never pause. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { PLANS } from '../../api/access/plans.ts';
import { newApiKey } from '../../api/access/tokens.ts';
import { insertApiKey } from '../../db/accounts/api-keys.ts';
import { insertUser, type UserPlan, updateUserAccess } from '../../db/accounts/users.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded-postgres.ts';
import { migrate } from '../../db/migrate.ts';
import { createPool, type Pool } from '../../db/pool.ts';
import { codeOf, toError } from '../../engine/util/errors.ts';
import { required } from '../../engine/util/values.ts';
import { declareQueues } from '../../jobs/queue/boss.ts';
import { deadline } from './deadlines.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { endProcess, startProcess } from './processes.ts';
import { S3Server } from './s3-server.ts';

export type Part = 'api' | 'worker' | 'scheduler';

export interface Answer {
  /** 0: no answer. */
  readonly status: number;
  readonly body: { readonly data?: Record<string, unknown> | null };
  /** The error of a connection that gave no answer. */
  readonly error?: string;
}

const silent = pino({ level: 'silent' });

export class Cluster {
  readonly directory = mkdtempSync(join(tmpdir(), 'cluster-'));
  readonly processes: Record<Part, ChildProcess[]> = { api: [], worker: [], scheduler: [] };
  readonly ports: number[] = [];
  /** Errors in the logs of the processes. */
  readonly logged: string[] = [];
  s3!: S3Server;
  postgres!: EmbeddedPostgres;
  pool!: Pool;
  /** API keys of one account, used in turn: the limits of one would be reached within a minute. */
  private keys: readonly string[] = [];
  private calls = 0;
  userId!: number;
  private readonly settings: NodeJS.ProcessEnv;

  private constructor(settings: NodeJS.ProcessEnv) {
    this.settings = settings;
  }

  /** `settings`: those of every process that differ from a sample market's. */
  static async start(settings: NodeJS.ProcessEnv = {}): Promise<Cluster> {
    const cluster = new Cluster(settings);
    cluster.s3 = await S3Server.start();
    cluster.s3.pageSize = 1_000;
    cluster.postgres = await startEmbeddedPostgres(cluster.directory, silent);
    await migrate(cluster.postgres.url);
    await declareQueues(cluster.postgres.url);
    cluster.pool = createPool({ url: cluster.postgres.url, max: 4, applicationName: 'test' });
    ({ id: cluster.userId, keys: cluster.keys } = await cluster.addAccount('fault@example.com', 'enterprise'));
    for (let i = 0; i < 2; i++) {
      cluster.ports.push(await freePort());
      for (const part of ['api', 'worker', 'scheduler'] as const) await cluster.run(part, i);
    }
    await eventually(
      () => cluster.pool.query('select from snapshots'),
      ({ rowCount }) => rowCount !== 0,
    );
    return cluster;
  }

  /** Adds an account with as many API keys as its plan has. */
  async addAccount(email: string, plan: UserPlan): Promise<{ readonly id: number; readonly keys: readonly string[] }> {
    const at = new Date();
    const profile = { name: 'Fault', phone: null, nickname: null, language: 'en' as const, ip: null, country: null };
    const { id } = required(await insertUser(this.pool, { email, at, ...profile }));
    await updateUserAccess(this.pool, id, { plan });
    const keys: string[] = [];
    for (let i = 0; i < PLANS[plan].quotas.api_keys_max; i++) {
      const { plaintext, hash, prefix } = newApiKey();
      await insertApiKey(this.pool, { userId: id, name: `fault ${i}`, keyHash: hash, prefix, at });
      keys.push(plaintext);
    }
    return { id, keys };
  }

  /** Starts the i-th process of a kind, with a fixed clock, from this checkout or another one. */
  async run(
    part: Part,
    i: number,
    now = '2024-09-04T16:00:00Z',
    settings: NodeJS.ProcessEnv = {},
    checkout?: URL,
  ): Promise<void> {
    const { bucket, endpoint, region, accessKeyId, secretAccessKey } = this.s3.settings;
    const child = await startProcess(
      part,
      {
        LOG_LEVEL: 'error',
        DATABASE_URL: this.postgres.url,
        DATA_DIR: this.directory,
        PORT: String(this.ports[i]),
        PROVIDER: 'sample',
        SAMPLE_SYMBOLS: '50',
        S3_BUCKET: bucket,
        S3_ENDPOINT: endpoint,
        S3_REGION: region,
        S3_ACCESS_KEY_ID: required(accessKeyId),
        S3_SECRET_ACCESS_KEY: required(secretAccessKey),
        SHUTDOWN_GRACE_S: '10',
        DRAIN_SECONDS: '1',
        FIXED_NOW: now,
        ...this.settings,
        ...settings,
      },
      checkout,
    );
    createInterface({ input: required(child.stdout) }).on('line', (line) => this.logged.push(line));
    this.processes[part][i] = child;
  }

  async end(part: Part, i: number, signal: NodeJS.Signals): Promise<number | null> {
    return endProcess(this.processes[part][i], signal);
  }

  /** Stops PostgreSQL in its immediate or fast mode, and starts it again on the same port. */
  async restartPostgres(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    const { ended, port } = this.postgres;
    const pid = Number(readFileSync(join(this.directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, signal);
    await ended;
    this.postgres = await startEmbeddedPostgres(this.directory, silent, port);
  }

  /** The credential of a call of the account. */
  nextKey(): { readonly 'x-api-key': string } {
    return { 'x-api-key': this.keys[this.calls++ % this.keys.length] };
  }

  /** Sends one call on a separate connection. */
  async call(
    port: number,
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = this.nextKey(),
  ): Promise<Answer> {
    const json = body && JSON.stringify(body);
    const sent = request({
      port,
      method,
      path,
      host: '127.0.0.1',
      agent: false,
      timeout: deadline(40_000),
      headers: {
        ...headers,
        ...(json ? { 'content-type': 'application/json' } : {}),
      },
    });
    sent.on('timeout', () => sent.destroy(new Error('timed out')));
    sent.end(json);
    try {
      const [response] = await once(sent, 'response');
      const content = await text(response);
      return { status: response.statusCode, body: JSON.parse(content) };
    } catch (error) {
      return { status: 0, body: {}, error: codeOf(error) ?? toError(error).message };
    }
  }

  async stop(): Promise<void> {
    const all = Object.values(this.processes).flat();
    await Promise.all(all.map((child) => endProcess(child, 'SIGKILL')));
    await this.pool.end();
    await this.postgres.stop();
    this.s3.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A call of a client and its outcome. */
export interface RecordedCall {
  readonly kind: 'quote' | 'backtest';
  /** Unique per backtest, in its parameters. */
  readonly number: number;
  /** Index of the API process that got the call. */
  readonly process: number;
  readonly answer: Answer;
  readonly endedAt: number;
}

/** Callers that request quotes and run backtests to keep, without a pause, alternating between all API processes. */
export class Load {
  readonly recorded: RecordedCall[] = [];
  private readonly cluster: Cluster;
  private readonly callers: Promise<void>[];
  private isOver = false;
  private next = 0;
  /** By process: whether `/readyz` says that it is ready. */
  private readonly ready = [true, true];
  private readonly watching: Promise<void>[];

  constructor(cluster: Cluster, callers: number) {
    this.cluster = cluster;
    this.callers = Array.from({ length: callers }, () => this.goOn());
    this.watching = cluster.ports.map((_, i) => this.watch(i));
  }

  private async watch(i: number): Promise<void> {
    while (!this.isOver) {
      const { status } = await this.cluster.call(this.cluster.ports[i], 'GET', '/readyz');
      // A process that stops listening resets calls that arrive in the same moment; they count as no answer.
      this.ready[i] = status === 200;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  private async goOn(): Promise<void> {
    while (!this.isOver) {
      const number = this.next++;
      const kind = number % 3 === 0 ? 'backtest' : 'quote';
      const wanted = number % this.cluster.ports.length;
      const chosen = this.ready[wanted] || !this.ready[1 - wanted] ? wanted : 1 - wanted;
      const port = this.cluster.ports[chosen];
      const answer =
        kind === 'quote'
          ? await this.cluster.call(port, 'GET', '/v1/quote/ACRX')
          : await this.cluster.call(port, 'POST', '/v1/backtest', backtestNumber(number));
      this.recorded.push({ kind, number, process: chosen, answer, endedAt: performance.now() });
      // A refused caller retries, but not a thousand times a second.
      if (answer.status === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Resolves with the milliseconds until both processes answer both kinds of call again. */
  async recovered(since: number): Promise<number> {
    const good = () =>
      (['quote', 'backtest'] as const).flatMap((kind) =>
        [0, 1].map((process) =>
          this.recorded.find(
            (call) =>
              call.endedAt > since && call.kind === kind && call.process === process && call.answer.status === 200,
          ),
        ),
      );
    await eventually(
      async () => good(),
      (found) => found.every((call) => call !== undefined),
    );
    return Math.max(...good().map((call) => (call as RecordedCall).endedAt)) - since;
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all([...this.callers, ...this.watching]);
  }
}

/** Returns a unique backtest whose parameters contain its number. */
export function backtestNumber(number: number) {
  const commission_rate = (number + 1) / 1e7;
  const nothing = { include_klines: false, include_trades: false, include_equity: false };
  return { symbol: 'ACRX', strategy: 'sma_cross', time_range: '1Y', cost: { commission_rate }, ...nothing };
}

/** Returns the number of a kept backtest. */
export const numberOf = (summary: { cost: { commission_rate: number } }) =>
  Math.round(summary.cost.commission_rate * 1e7) - 1;
