/** A LISTEN connection that reconnects automatically, and that several parts of a process may share. */
import pg from 'pg';
import type { Logger } from 'pino';
import type { DatabaseClock } from './clock.ts';
import { nameConnection } from './connection-counts.ts';
import { connectionOptions } from './pool.ts';
import { limitSession, PROCESS_LIMITS } from './session-limits.ts';

export interface Subscription {
  /** Channel → handler of a payload. It throws for one that is malformed, which is then logged and ignored. */
  readonly channels: Readonly<Record<string, (payload: string) => void>>;
  /** Called as soon as the channels are listened to, and after each further connection. Notifications may have been missed before it. */
  readonly onConnected?: () => void;
  /** Called when the connection is lost. Notifications are missed until `onConnected`. */
  readonly onLost?: (error: Error) => void;
}

export interface ListenerOptions extends Partial<Subscription> {
  readonly url: string;
  readonly applicationName: string;
  /** Logs malformed notifications. */
  readonly log?: Pick<Logger, 'warn'>;
  /** Read on each new connection, and every ten seconds. While it is off, the connection says so in its name. */
  readonly clock?: DatabaseClock;
  /** Runs on each new connection before `onConnected`. For locks that must end with the connection. */
  readonly onConnection?: (connection: pg.Client) => Promise<void>;
}

export interface Listener {
  /** Listens to further channels, which no other subscription has. Rejects if the connection is lost meanwhile. */
  subscribe(subscription: Subscription): Promise<void>;
  close(): Promise<void>;
}

const RETRY_MS = 500;
/** A probe is also the heartbeat of the process. */
const PROBE_EVERY_MS = 2_000;
const PROBE_MS = 5_000;
/** The server ends the connection of a process that has been silent for so long, and with it what is locked until it ends. */
const SILENCE_MS = 8_000;
const CONNECT_MS = 5_000;
/** From the first byte until the connection listens. */
const SETUP_MS = 15_000;

/** Not awaited, because the end of a connection that does not answer may never be reported. */
function end(client: pg.Client): void {
  client.end().catch(() => {});
}

async function listenOn(connection: pg.Client, { channels = {} }: Partial<Subscription>): Promise<void> {
  for (const channel of Object.keys(channels)) await connection.query(`listen ${pg.escapeIdentifier(channel)}`);
}

/** Reads the clock, or only whether the connection answers. `reported`: the fault of the clock that the connection's name says. */
async function probeOn(
  connection: pg.Client,
  { clock, applicationName }: ListenerOptions,
  reported: string | null,
): Promise<void> {
  if (!clock) {
    const config: pg.QueryConfig & { query_timeout: number } = { text: 'select 1', query_timeout: PROBE_MS };
    await connection.query(config);
    return;
  }
  await clock.read(connection, PROBE_MS);
  if (clock.fault !== reported) await nameConnection(connection, applicationName, clock.fault);
}

function handleMessage(
  subscriptions: readonly Partial<Subscription>[],
  { channel, payload = '' }: Pick<pg.Notification, 'channel' | 'payload'>,
  log: ListenerOptions['log'],
): void {
  try {
    for (const { channels } of subscriptions) channels?.[channel]?.(payload);
  } catch (error) {
    log?.warn({ err: error, channel }, 'a malformed notification was ignored');
  }
}

/** Resolves when the first connection listens; rejects if it cannot be made. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  let client: pg.Client;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  const subscriptions: Partial<Subscription>[] = [options];

  const connect = async () => {
    const fresh = new pg.Client({
      ...connectionOptions(options.url, options.applicationName),
      connectionTimeoutMillis: CONNECT_MS,
    });
    let lost = false;
    fresh.on('error', (error) => {
      if (lost || closed) return;
      lost = true;
      end(fresh);
      for (const { onLost } of subscriptions) onLost?.(error);
      scheduleReconnect();
    });
    fresh.on('notification', (message) => handleMessage(subscriptions, message, options.log));
    // Without this, a server that accepts the connection and then stays silent would never be tried again.
    const deadline = setTimeout(() => end(fresh), SETUP_MS);
    try {
      await fresh.connect();
      await fresh.query(`${limitSession(PROCESS_LIMITS)}; set idle_session_timeout = ${SILENCE_MS}`);
      for (const subscription of subscriptions) await listenOn(fresh, subscription);
      await probeOn(fresh, options, null);
      await options.onConnection?.(fresh);
    } catch (error) {
      lost = true;
      end(fresh);
      throw error;
    } finally {
      clearTimeout(deadline);
    }
    client = fresh;
    for (const { onConnected } of subscriptions) onConnected?.();
  };
  const scheduleReconnect = () => {
    if (closed) return;
    retry = setTimeout(() => connect().catch(scheduleReconnect), RETRY_MS);
  };
  await connect();
  let isProbing = false;
  // A half-open connection reports no error. It is detected by a query.
  const probe = setInterval(() => {
    const probed = client;
    if (isProbing) return;
    isProbing = true;
    probeOn(probed, options, options.clock?.fault ?? null)
      .catch((error) => probed.emit('error', error))
      .finally(() => {
        isProbing = false;
      });
  }, PROBE_EVERY_MS);
  probe.unref();

  return {
    subscribe: async (subscription) => {
      subscriptions.push(subscription);
      await listenOn(client, subscription);
      subscription.onConnected?.();
    },
    close: async () => {
      closed = true;
      clearTimeout(retry);
      clearInterval(probe);
      await client.end().catch(() => {});
    },
  };
}
