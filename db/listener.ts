/** A LISTEN connection that reconnects by itself. */
import pg from 'pg';
import { connectionOptions } from './pool.ts';

export interface ListenerOptions {
  readonly url: string;
  readonly applicationName: string;
  /** Channel → handler of a payload. */
  readonly channels: Readonly<Record<string, (payload: string) => void>>;
  /** Runs on each new connection before `onConnected`. For locks that must end with the connection. */
  readonly onConnection?: (connection: pg.Client) => Promise<void>;
  /** Called after each connection. Notifications may have been missed before it. */
  readonly onConnected?: () => void;
  /** Called when the connection is lost. Notifications are missed until `onConnected`. */
  readonly onLost?: (error: Error) => void;
}

export interface Listener {
  close(): Promise<void>;
}

const RETRY_MS = 500;
const PROBE_MS = 5_000;
const CONNECT_MS = 5_000;
/** From the first byte until the connection listens. */
const SETUP_MS = 15_000;

/** Not awaited, because the end of a connection that does not answer may never be reported. */
function end(client: pg.Client): void {
  client.end().catch(() => {});
}

/** Resolves when the first connection listens; rejects if it cannot be made. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  let client: pg.Client;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

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
      options.onLost?.(error);
      scheduleReconnect();
    });
    fresh.on('notification', ({ channel, payload }) => options.channels[channel]?.(payload ?? ''));
    // Without this, a server that accepts the connection and then stays silent would never be tried again.
    const deadline = setTimeout(() => end(fresh), SETUP_MS);
    try {
      await fresh.connect();
      for (const channel of Object.keys(options.channels)) await fresh.query(`listen ${pg.escapeIdentifier(channel)}`);
      await options.onConnection?.(fresh);
    } catch (error) {
      lost = true;
      end(fresh);
      throw error;
    } finally {
      clearTimeout(deadline);
    }
    client = fresh;
    options.onConnected?.();
  };
  const scheduleReconnect = () => {
    if (closed) return;
    retry = setTimeout(() => connect().catch(scheduleReconnect), RETRY_MS);
  };
  // A half-open connection reports no error. It is found by asking.
  const probe = setInterval(() => {
    const probed = client;
    const config: pg.QueryConfig & { query_timeout: number } = { text: 'select 1', query_timeout: PROBE_MS };
    probed.query(config).catch((error) => probed.emit('error', error));
  }, 2 * PROBE_MS);
  probe.unref();

  try {
    await connect();
  } catch (error) {
    clearInterval(probe);
    throw error;
  }
  return {
    close: async () => {
      closed = true;
      clearTimeout(retry);
      clearInterval(probe);
      await client.end().catch(() => {});
    },
  };
}
