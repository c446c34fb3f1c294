/** A way to a server that can fall silent: connections stay open, new ones are taken, and nothing goes through. It can also be slow. */

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { portOf } from '../../api/server/port-of.ts';

/** The slowness of a way. */
export interface Slowness {
  readonly latencyMs: number;
  /** The part of packets that are lost. */
  readonly loss: number;
  /** How long a connection stalls for a lost packet, which is sent again. */
  readonly stallMs: number;
}

/** One connection through the proxy. */
class Line {
  isSilent: boolean;
  private readonly slowness: Slowness | null;
  /** Bytes arrive in their order. */
  private underWay: Promise<void> = Promise.resolve();
  private readonly client: Socket;
  private readonly target: Socket;
  private held: (() => void)[] = [];

  constructor(
    client: Socket,
    targetPort: number,
    { isSilent, slowness }: { readonly isSilent: boolean; readonly slowness: Slowness | null },
    received: (text: string) => void,
  ) {
    this.isSilent = isSilent;
    this.slowness = slowness;
    this.client = client;
    this.target = connect({ port: targetPort, host: '127.0.0.1' });
    this.forward(client, this.target);
    // After the bytes have been passed on.
    client.on('data', (bytes) => received(bytes.toString('latin1')));
    this.forward(this.target, client);
  }

  private forward(from: Socket, to: Socket): void {
    from.on('data', (bytes) => this.pass(() => to.write(bytes)));
    from.on('close', () => this.pass(() => to.destroy()));
    from.on('error', () => {});
  }

  private pass(act: () => void): void {
    if (this.isSilent) this.held.push(act);
    else if (this.slowness === null) act();
    else this.passSlowly(act, this.slowness);
  }

  private passSlowly(act: () => void, { latencyMs, loss, stallMs }: Slowness): void {
    const at = performance.now() + latencyMs + (Math.random() < loss ? stallMs : 0);
    this.underWay = this.underWay.then(async () => {
      const leftMs = at - performance.now();
      if (leftMs > 0) await sleep(leftMs);
      act();
    });
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
    let isFirst = true;
    const received = (text: string) => {
      if (isFirst) this.beginnings.push(text);
      isFirst = false;
      if (!this.last || !text.includes(this.last.text)) return;
      this.freeze();
      this.last.passed.resolve();
    };
    this.lines.push(new Line(client, this.targetPort, { isSilent: this.isFrozen, slowness: this.slowness }, received));
  });
  private readonly lines: Line[] = [];
  private readonly targetPort: number;
  private isFrozen = false;
  /** The last thing to go through. */
  private last: { readonly text: string; readonly passed: PromiseWithResolvers<void> } | null = null;

  private readonly slowness: Slowness | null;

  private constructor(targetPort: number, slowness: Slowness | null) {
    this.targetPort = targetPort;
    this.slowness = slowness;
  }

  static async start(targetPort: number, slowness: Slowness | null = null): Promise<TcpProxy> {
    const proxy = new TcpProxy(targetPort, slowness);
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

  /** Freezes as soon as a client has sent something that contains `text`, which still arrives; resolves then. */
  freezeAfter(text: string): Promise<void> {
    this.last = { text, passed: Promise.withResolvers<void>() };
    return this.last.passed.promise;
  }

  /** Lets everything through again, what was held back included. */
  thaw(): void {
    this.isFrozen = false;
    this.last = null;
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
