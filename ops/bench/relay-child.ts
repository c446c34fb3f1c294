/** A TCP relay to a database server that delays all data in both directions, like a network between two machines. */

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../../api/http/server/port-of.ts';

/** Folder of the server's Unix socket, or its host name. */
const [host, port, delay] = process.argv.slice(2);
const delayMs = Number(delay);

const toServer = () =>
  host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect({ host, port: Number(port) });

/** Timers of equal length fire in order, so the bytes keep their order. */
function holdData(from: Socket, to: Socket): void {
  from.setNoDelay(true);
  from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), delayMs));
  from.on('end', () => setTimeout(() => to.end(), delayMs));
  from.on('error', () => to.destroy());
  from.on('close', () => setTimeout(() => to.destroy(), delayMs));
}

const server = createServer((client) => {
  const upstream = toServer();
  holdData(client, upstream);
  holdData(upstream, client);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

process.send?.(portOf(server));
process.on('disconnect', () => process.exit(0));
