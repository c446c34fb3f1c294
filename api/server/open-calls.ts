/** Finds the moment when a server can close without losing calls that are already on their way. */
import type { IncomingMessage, Server } from 'node:http';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';

/** After this long without a call, clients have turned elsewhere. */
const QUIET_MS = 100;
/** Proxies probe to the end, so that probes do not count as calls. */
const PROBES = new Set(['/readyz', '/healthz']);

/**
 * Resolves when no call has come for a while, or after `maxMs`. Closing the server resets connections that the system has
 * accepted and this process has not, so all of those are accepted first. The caller must close the server in the same turn.
 */
export async function untilQuiet(server: Server, maxMs: number): Promise<void> {
  let calls = 0;
  let connections = 0;
  const onRequest = ({ url = '' }: IncomingMessage) => {
    if (!PROBES.has(url)) calls++;
  };
  const onConnection = () => {
    connections++;
  };
  server.on('request', onRequest);
  server.on('connection', onConnection);
  const deadline = performance.now() + maxMs;
  do {
    calls = 0;
    await sleep(Math.min(QUIET_MS, maxMs));
    do {
      connections = 0;
      // One turn may accept only one connection.
      await turn();
      await turn();
    } while (connections > 0);
  } while (calls > 0 && performance.now() < deadline);
  server.off('request', onRequest);
  server.off('connection', onConnection);
}
