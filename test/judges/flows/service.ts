/** The service as it runs, on the sample market, whose processes say which files ran. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { createAdmin } from '../../../api/accounts/admins.ts';
import { startEmbeddedPostgres } from '../../../db/embedded-postgres.ts';
import { migrate } from '../../../db/migrate.ts';
import { createPool, type Pool } from '../../../db/pool.ts';
import { required } from '../../../engine/util/values.ts';
import { declareQueues } from '../../../jobs/queue/boss.ts';
import { eventually } from '../../support/eventually.ts';
import { removeTree } from '../../support/folders.ts';
import { freePort } from '../../support/free-port.ts';
import { endProcess, startProcess } from '../../support/processes.ts';

const NOW = new Date('2026-06-02T16:00:00Z');
const COVERAGE = new URL('coverage.ts', import.meta.url).href;
const LOGIN = { login: 'flows', password: 'long enough' };
const PARTS = ['api', 'worker', 'scheduler'] as const;
export type Part = (typeof PARTS)[number];

export class FlowService {
  readonly url: string;
  readonly pool: Pool;
  private readonly processes: readonly ChildProcess[];
  private readonly folder: string;
  private readonly stopPostgres: () => Promise<unknown>;
  private token = '';

  private constructor(
    url: string,
    pool: Pool,
    processes: readonly ChildProcess[],
    folder: string,
    stopPostgres: () => Promise<unknown>,
  ) {
    this.url = url;
    this.pool = pool;
    this.processes = processes;
    this.folder = folder;
    this.stopPostgres = stopPostgres;
  }

  static async start(): Promise<FlowService> {
    const folder = mkdtempSync(join(tmpdir(), 'flows-'));
    const postgres = await startEmbeddedPostgres(folder, pino({ level: 'silent' }));
    await migrate(postgres.url);
    await declareQueues(postgres.url);
    const pool = createPool({ url: postgres.url, max: 2, applicationName: 'flows' });
    required(await createAdmin(pool, NOW.getTime(), { email: 'flows@example.com', ...LOGIN }));
    const port = await freePort();
    const env = {
      DATABASE_URL: postgres.url,
      DATA_DIR: folder,
      HOST: '127.0.0.1',
      PORT: String(port),
      SAMPLE_SYMBOLS: '50',
      RATE_LIMIT_FACTOR: '1000',
      FIXED_NOW: NOW.toISOString(),
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${COVERAGE}`,
    };
    const processes = await Promise.all(PARTS.map((part) => startProcess(part, env)));
    return new FlowService(`http://127.0.0.1:${port}`, pool, processes, folder, () => postgres.stop());
  }

  async logIn(): Promise<void> {
    const { data } = await this.call('/api/auth/admin-login', LOGIN);
    this.token = data.access_token;
  }

  /** Throws unless the call is answered with 200 or 202. */
  async call(path: string, body?: object) {
    const text = await this.text(path, body);
    return text.startsWith('{') ? JSON.parse(text) : text;
  }

  private async text(path: string, body?: object): Promise<string> {
    const headers = {
      'content-type': 'application/json',
      ...(this.token === '' ? {} : { authorization: `Bearer ${this.token}` }),
    };
    const answer = await fetch(this.url + path, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status !== 200 && answer.status !== 202) throw new Error(`${path}: ${answer.status} ${text}`);
    return text;
  }

  /** Waits until no job waits or runs. */
  async untilIdle(): Promise<void> {
    const count = `select count(*)::int as jobs from pgboss.job where state in ('created', 'retry', 'active') and start_after < now()`;
    await eventually(
      async () => (await this.pool.query<{ jobs: number }>(count)).rows[0].jobs,
      (jobs) => jobs === 0,
    );
  }

  /** The files of which a function ran in these processes since the last call. */
  async filesThatRan(parts: readonly Part[]): Promise<Set<string>> {
    const answers = await Promise.all(
      this.processes.map(async (child): Promise<{ readonly covered: readonly string[] }> => {
        child.send({ coverage: true });
        return (await once(child, 'message'))[0];
      }),
    );
    return new Set(PARTS.flatMap((part, i) => (parts.includes(part) ? answers[i].covered : [])));
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((child) => endProcess(child, 'SIGKILL')));
    await this.pool.end();
    await this.stopPostgres();
    removeTree(this.folder);
  }
}
