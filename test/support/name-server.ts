/** A name server on this machine: answers for the names that it knows, and is silent about all others. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const TYPE_A = 1;
const HEADER_BYTES = 12;

export class NameServer {
  /** Name → its address of version 4. */
  readonly known = new Map<string, string>();
  /** Names that were asked for. */
  readonly asked = new Set<string>();
  private readonly socket: Socket = createSocket('udp4');

  static async start(): Promise<NameServer> {
    const server = new NameServer();
    server.socket.on('message', (query, { port, address }) => {
      const answer = server.answer(query);
      if (answer) server.socket.send(answer, port, address);
    });
    server.socket.bind(0, '127.0.0.1');
    await once(server.socket, 'listening');
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  close(): void {
    this.socket.close();
  }

  private answer(query: Buffer): Buffer | null {
    const labels: string[] = [];
    let at = HEADER_BYTES;
    for (; query[at] > 0; at += 1 + query[at]) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]));
    const name = labels.join('.').toLowerCase();
    this.asked.add(name);
    const address = this.known.get(name);
    if (address === undefined) return null;
    const question = query.subarray(HEADER_BYTES, at + 5);
    const isAsked = question.readUInt16BE(question.length - 4) === TYPE_A;
    const header = Buffer.from([query[0], query[1], 0x81, 0x80, 0, 1, 0, Number(isAsked), 0, 0, 0, 0]);
    // The name by its place in the question, type A, class IN, kept for no time, four bytes.
    const record = Buffer.from([
      0xc0,
      HEADER_BYTES,
      0,
      TYPE_A,
      0,
      1,
      0,
      0,
      0,
      0,
      0,
      4,
      ...address.split('.').map(Number),
    ]);
    return Buffer.concat(isAsked ? [header, question, record] : [header, question]);
  }
}
