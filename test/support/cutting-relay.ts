/** A relay to a server that loses answers: the request arrives, and the connection is cut before the answer. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../../api/server/port-of.ts';

export class CuttingRelay {
  /** Number of next answers to lose. */
  cuts = 0;
  /** Bytes of an answer that pass before the connection is cut. */
  cutAfterBytes = 0;
  /** Number of lost answers so far. */
  lost = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((client) => this.join(client));
  private readonly targetPort: number;

  private constructor(targetPort: number) {
    this.targetPort = targetPort;
  }

  static async start(targetPort: number): Promise<CuttingRelay> {
    const relay = new CuttingRelay(targetPort);
    relay.server.listen(0, '127.0.0.1');
    await once(relay.server, 'listening');
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.server)}`;
  }

  private join(client: Socket): void {
    const target = connect({ port: this.targetPort, host: '127.0.0.1' });
    for (const socket of [client, target]) {
      this.sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.sockets.delete(socket);
        client.destroy();
        target.destroy();
      });
    }
    client.on('data', (bytes) => target.write(bytes));
    let passed = 0;
    target.on('data', (bytes) => {
      if (this.cuts === 0) return void client.write(bytes);
      const rest = this.cutAfterBytes - passed;
      passed += bytes.length;
      if (bytes.length < rest) return void client.write(bytes);
      this.cuts--;
      this.lost++;
      if (rest > 0) client.end(bytes.subarray(0, rest));
      else client.destroy();
    });
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}
