/**
 * Callers that use everything the service promises to keep, without end, and write the history of their calls. One that gets no answer asks
 * another process; a call that makes something is repeated under its key until it has an answer.
 */
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { AccessTokens, newRefreshToken } from '../../../api/access/tokens.ts';
import { portOf } from '../../../api/server/port-of.ts';
import { insertLoginSession, insertRefreshToken } from '../../../db/accounts/logins.ts';
import { selectUser, updateUserAccess } from '../../../db/accounts/users.ts';
import { formatDay, MS_PER_DAY, parseDay } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { bearer } from '../accounts.ts';
import { type Answer, backtestNumber, type Cluster } from '../cluster.ts';
import type { CallKind, Delivery, PastCall } from './check-history.ts';

/** Settings of a cluster with such callers. */
export const CALLED = { JWT_SECRET: 'secret-of-a-cluster-in-tests-0123456789', WEBHOOK_NETWORKS: '127.0.0.0/8' };

/** Answers after which a call is repeated: none, still in progress, over a limit, or unavailable. */
const REPEATED = [0, 409, 429, 503];
/** A refused caller asks again, but not a thousand times a second. */
const REFUSED_MS = 20;
const TOLD_WITHIN_MS = 90_000;
const told = z.object({ data: z.object({ job_id: z.string() }) });

type Headers = () => Readonly<Record<string, string>>;

interface Wanted {
  readonly kind: CallKind;
  readonly key: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** Default: an API key of the account of the cluster. */
  readonly credential?: Headers;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names in an answer the value of the call. */
  readonly value: (data: Readonly<Record<string, unknown>>) => unknown;
}

type KeyedWanted = Omit<Wanted, 'kind' | 'key' | 'value'>;

const idOf = ({ id, job_id }: Readonly<Record<string, unknown>>) => id ?? job_id;

export class Callers {
  readonly calls: PastCall[] = [];
  readonly deliveries: Delivery[] = [];
  /** Answers that no caller should get. */
  readonly defects: string[] = [];
  readonly limitedKey: string;
  readonly keysUserId: number;
  private readonly events = new EventEmitter();
  private readonly cluster: Cluster;
  private readonly receiver: Server;
  private readonly asOf: string;
  private readonly running: Promise<void>[];
  /** Callers that wait until a webhook tells them of their run. */
  private readonly waiting = new Map<string, () => void>();
  private isOver = false;
  private turn = 0;
  private next = 0;

  private constructor(
    cluster: Cluster,
    receiver: Server,
    limitedKey: string,
    asOf: string,
    [admin, keys]: readonly Awaited<ReturnType<typeof consoleOf>>[],
  ) {
    this.cluster = cluster;
    this.receiver = receiver;
    this.limitedKey = limitedKey;
    this.asOf = asOf;
    this.keysUserId = keys.userId;
    receiver.on('request', async (request, response) => {
      const { data } = told.parse(await json(request));
      this.deliveries.push({ id: String(request.headers['webhook-id']), runId: data.job_id });
      this.waiting.get(data.job_id)?.();
      response.end();
    });
    this.running = [
      ...[100, 100].map((ms) => this.goOn(ms, () => this.quote())),
      ...[200, 200, 200, 200].map((ms) => this.goOn(ms, () => this.keep())),
      this.goOn(300, () => this.queue()),
      this.goOn(500, () => this.remove(admin.headers)),
      this.goOn(1_000, () => this.search()),
      this.goOn(1_000, () => this.screen()),
      this.goOn(4_000, () => this.export(admin.headers)),
      this.goOn(500, () => this.changeKeys(keys.headers)),
      this.goOn(200, () => this.limited()),
    ];
  }

  /** `asOf`: the past session that is screened. */
  static async start(cluster: Cluster, asOf: string): Promise<Callers> {
    const receiver = createServer().listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const url = `http://127.0.0.1:${portOf(receiver)}/`;
    const hook = await cluster.call(cluster.ports[0], 'POST', '/v1/my/webhooks', {
      url,
      events: ['backtest.finished'],
    });
    if (hook.status !== 201) throw new Error(`webhook: ${JSON.stringify(hook)}`);
    await updateUserAccess(cluster.pool, cluster.userId, { isAdmin: true });
    const keys = await cluster.addAccount('keys@example.com', 'pro');
    const limited = await cluster.addAccount('limited@example.com', 'free');
    const consoles = await Promise.all([cluster.userId, keys.id].map((id) => consoleOf(cluster, id)));
    return new Callers(cluster, receiver, limited.keys[0], asOf, consoles);
  }

  private async goOn(pauseMs: number, act: () => Promise<unknown>): Promise<void> {
    while (!this.isOver) {
      await act();
      await sleep(pauseMs);
    }
  }

  /** One call, to each process in turn. */
  private async send(wanted: Wanted, turn = this.turn++): Promise<Answer> {
    const { kind, key, method = 'POST', path, body, credential, headers, value } = wanted;
    const { cluster, calls } = this;
    const port = cluster.ports[turn % cluster.ports.length];
    const begunAt = performance.now();
    const answer = await cluster.call(port, method, path, body, {
      ...(credential?.() ?? cluster.nextKey()),
      ...headers,
    });
    const { status } = answer;
    const { data } = answer.body;
    const found = status >= 200 && status < 300 && data ? value(data) : undefined;
    // An awaited run that takes long is acknowledged as a queued one.
    const isQueued = kind === 'keep' && status === 202;
    const named = found === undefined ? null : String(found);
    calls.push({ kind: isQueued ? 'queue' : kind, key, begunAt, endedAt: performance.now(), status, value: named });
    this.events.emit('call');
    if (![...REPEATED, 200, 201, 202, 403, 404].includes(status)) this.defects.push(`${kind} ${key}: ${status}`);
    if (status === 0) await sleep(REFUSED_MS);
    return answer;
  }

  /** Repeats a call until it is answered. */
  private async untilAnswered(wanted: Wanted): Promise<Answer> {
    for (let turn = this.turn++; ; turn++) {
      const answer = await this.send(wanted, turn);
      if (!REPEATED.includes(answer.status)) return answer;
      await sleep(answer.status === 0 ? 0 : 10 * REFUSED_MS);
    }
  }

  private keyed(kind: 'keep' | 'queue' | 'search' | 'export', key: string, wanted: KeyedWanted) {
    const headers = { 'idempotency-key': `${kind} ${key}`, ...wanted.headers };
    return this.untilAnswered({ kind, key, value: idOf, ...wanted, headers });
  }

  private async quote(): Promise<void> {
    const value = ({ ts }: Readonly<Record<string, unknown>>) => String(ts).slice(0, 10);
    const wanted = { kind: 'quote', key: 'ACRX', method: 'GET', path: '/v1/quote/ACRX', value } as const;
    const turn = this.turn++;
    const { status } = await this.send(wanted, turn);
    if (status === 0) await this.send(wanted, turn + 1);
  }

  private keep() {
    const number = this.next++;
    return this.keyed('keep', String(number), { path: '/v1/backtest', body: backtestNumber(number) });
  }

  private queue() {
    const number = this.next++;
    const headers = { prefer: 'respond-async' };
    return this.untilTold('queue', String(number), { path: '/v1/backtest', body: backtestNumber(number), headers });
  }

  private search() {
    const number = this.next++;
    const { symbol, strategy, time_range, cost } = backtestNumber(number);
    const grid = { fast_period: [5, 10], slow_period: [30, 50] };
    const body = { symbol, strategy, time_range, cost, grid };
    return this.untilTold('search', String(number), { path: '/v1/optimize', body });
  }

  /** Queues a run, and waits for a while until a webhook tells of its end. */
  private async untilTold(kind: 'queue' | 'search', key: string, wanted: KeyedWanted): Promise<void> {
    const { body } = await this.keyed(kind, key, wanted);
    const id = z.object({ job_id: z.string() }).safeParse(body.data).data?.job_id;
    if (id === undefined || this.deliveries.some(({ runId }) => runId === id)) return;
    const isTold = new Promise<void>((resolve) => this.waiting.set(id, resolve));
    await Promise.race([isTold, sleep(TOLD_WITHIN_MS, undefined, { ref: false })]);
    this.waiting.delete(id);
  }

  /** Removes a run that was kept, every third one. */
  private async remove(credential: Headers): Promise<void> {
    const removed = new Set(this.calls.filter(({ kind }) => kind === 'remove').map(({ key }) => key));
    const kept = this.calls.find(
      ({ kind, value }) => kind === 'keep' && value !== null && Number(value) % 3 === 0 && !removed.has(value),
    );
    const key = kept?.value;
    if (!key) return;
    await this.untilAnswered({
      kind: 'remove',
      key,
      method: 'DELETE',
      path: `/api/backtest/${key}`,
      credential,
      value: () => key,
    });
  }

  private screen() {
    const { asOf } = this;
    const value = (data: Readonly<Record<string, unknown>>) => JSON.stringify(data.items);
    return this.untilAnswered({ kind: 'screen', key: asOf, path: '/v1/screener', body: { as_of: asOf }, value });
  }

  /** Each asks for other days, by which its row is found. */
  private export(credential: Headers) {
    const start = formatDay(required(parseDay('2000-01-03')) + this.next++);
    const body = { start, end: '2026-06-30' };
    return this.keyed('export', start, { path: '/api/admin/data/export', body, credential });
  }

  /** Adds API keys until the account is full, then removes one. */
  private async changeKeys(credential: Headers): Promise<void> {
    const path = '/api/account/keys';
    const name = `key ${this.next++}`;
    const { status } = await this.send({ kind: 'add_key', key: name, path, body: { name }, credential, value: idOf });
    if (status !== 403) return;
    const { body } = await this.cluster.call(this.cluster.ports[0], 'GET', path, undefined, credential());
    const listed = z.object({ items: z.array(z.object({ id: z.int() })).min(1) }).safeParse(body.data).data;
    if (listed === undefined) return;
    const key = String(listed.items[0].id);
    const removal = { kind: 'remove_key', key, method: 'DELETE', path: `${path}/${key}`, credential } as const;
    await this.untilAnswered({ ...removal, value: () => key });
  }

  private limited() {
    const credential = () => ({ 'x-api-key': this.limitedKey });
    const path = '/v1/static/ACRX';
    return this.send({ kind: 'limited', key: 'limited', method: 'GET', path, credential, value: () => null });
  }

  /** Resolves at the end of the next call. */
  async called(): Promise<void> {
    await once(this.events, 'call');
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.running);
  }

  close(): void {
    this.receiver.close();
    this.receiver.closeAllConnections();
  }
}

/** The console of an account. */
async function consoleOf({ pool }: Cluster, userId: number) {
  const sessionId = crypto.randomUUID();
  await insertLoginSession(pool, { id: sessionId, userId, loginMethod: 'code', at: new Date() });
  // A session without one has expired.
  const expiresAt = new Date(Date.now() + MS_PER_DAY);
  await insertRefreshToken(pool, { sessionId, tokenHash: newRefreshToken().hash, expiresAt });
  const user = required(await selectUser(pool, userId));
  const tokens = new AccessTokens(CALLED.JWT_SECRET, Date.now);
  const claims = { userId, sessionId, tokenVersion: user.tokenVersion };
  return { userId, headers: () => ({ ...bearer(tokens.sign(claims)) }) };
}
