/**
 * Places for files that compute. Jest runs more files at a time than there are places, so that those that mostly wait, which say
 * `@waits` in their first comment, take none of the time of the others.
 */
import { createServer, type Server, type Socket } from 'node:net';

/** Lets so many connections in at a time, in their order; each is told by a byte. */
export function servePlaces(path: string, count: number): Server {
  const waiting = new Set<Socket>();
  let free = count;
  const admit = () => {
    for (const socket of waiting) {
      if (free === 0) return;
      free--;
      waiting.delete(socket);
      socket.write('.');
    }
  };
  return createServer((socket) => {
    waiting.add(socket);
    socket
      .on('error', () => {})
      .on('close', () => {
        if (!waiting.delete(socket)) free++;
        admit();
      });
    socket.resume();
    admit();
  }).listen(path);
}
