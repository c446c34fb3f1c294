/** A way to a server that can fall silent: connections stay open, new ones are taken, and nothing goes through. */

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../../api/server/port-of.ts';

/** One connection through the proxy. */
class Line {
  isSilent: boolean;
  private readonly client: Socket;
  private readonly target: Socket;
  private held: (() => void)[] = [];

  constructor(client: Socket, targetPort: number, isSilent: boolean, received: (text: string) => void) {
    this.isSilent = isSilent;
    this.client = client;
    this.target = connect({ port: targetPort, host: '127.0.0.1' });
    client.once('data', (bytes) => received(bytes.toString('latin1')));
    this.forward(client, this.target);
    this.forward(this.target, client);
  }

  private forward(from: Socket, to: Socket): void {
    from.on('data', (bytes) => this.pass(() => to.write(bytes)));
    from.on('close', () => this.pass(() => to.destroy()));
    from.on('error', () => {});
  }

  private pass(act: () => void): void {
    if (this.isSilent) this.held.push(act);
    else act();
  }

  speak(): void {
    this.isSilent = false;
    for (const act of this.held.splice(0)) act();
  }

  cut(): void {
    this.client.destroy();
    this.target.destroy();
  }
}

export class TcpProxy {
  /** How each connection began. */
  readonly beginnings: string[] = [];
  private readonly server = createServer((client) => {
    this.lines.push(new Line(client, this.targetPort, this.isFrozen, (text) => this.beginnings.push(text)));
  });
  private readonly lines: Line[] = [];
  private readonly targetPort: number;
  private isFrozen = false;

  private constructor(targetPort: number) {
    this.targetPort = targetPort;
  }

  static async start(targetPort: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(targetPort);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /** The URL of a database, through the proxy. */
  through(url: string): string {
    // Without the socket of the server.
    return Object.assign(new URL(url), { port: String(portOf(this.server)), search: '' }).href;
  }

  /** From now on nothing goes through, of old connections nor of new ones. */
  freeze(): void {
    this.isFrozen = true;
    for (const line of this.lines) line.isSilent = true;
  }

  /** Earlier connections work; new ones stay silent. */
  freezeNewOnes(): void {
    this.isFrozen = true;
  }

  /** Lets everything through again, what was held back included. */
  thaw(): void {
    this.isFrozen = false;
    for (const line of this.lines) line.speak();
  }

  /** New connections work; earlier ones stay silent forever. */
  thawForNewOnes(): void {
    this.isFrozen = false;
  }

  close(): void {
    for (const line of this.lines) line.cut();
    this.server.close();
  }
}
