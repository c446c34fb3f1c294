/** When the door of a server can be closed without a call being lost that was already on its way in. */
import type { IncomingMessage, Server } from 'node:http';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';

/** Without a call for this long, whoever sends them has gone elsewhere. */
const QUIET_MS = 100;
/** Proxies ask to the end, and what they are told is told. */
const PROBES = new Set(['/readyz', '/healthz']);

/**
 * Resolves when no call has come for a while, or after `maxMs`. A connection that the system has taken and this process
 * has not is reset when the server closes, so those are all taken first; whoever awaits this closes it in the same turn.
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
      // One turn may take one connection only.
      await turn();
      await turn();
    } while (connections > 0);
  } while (calls > 0 && performance.now() < deadline);
  server.off('request', onRequest);
  server.off('connection', onConnection);
}
