/** Guards connections: limits their number, ends stalled ones, and answers malformed requests. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { type ErrorCode, ServiceError } from '../../engine/util/errors.ts';
import { callerAddress } from '../access/caller.ts';
import type { Locale } from '../http/language/locale.ts';
import { answerOnSocket } from './raw-answers.ts';

export interface ConnectionLimits {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** A connection is closed when its client reads nothing of the answer for this long. */
  readonly maxStallMs: number;
}

export interface ConnectionOptions {
  readonly limits: ConnectionLimits;
  /** Whether the address is a proxy's, which serves many callers. */
  readonly isProxy: (address: string) => boolean;
  readonly locale: Locale;
  readonly log: Logger;
}

const RETRY_S = 10;
const MIN_MS_BETWEEN_LINES = 60_000;
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

export function guardConnections(server: Server, options: ConnectionOptions): void {
  capConnections(server, options);
  endStalledAnswers(server, options);
  onClientError(server, options);
}

/** Logs at most one line a minute, so that a flood of connections does not fill the log. */
function throttle(write: (count: number) => void): () => void {
  let count = 0;
  let last = -Infinity;
  return () => {
    count++;
    if (performance.now() - last < MIN_MS_BETWEEN_LINES) return;
    write(count);
    last = performance.now();
    count = 0;
  };
}

function capConnections(server: Server, { limits, isProxy, locale, log }: ConnectionOptions): void {
  server.maxConnections = limits.maxConnections;
  const logFull = throttle((refused) => log.warn({ refused, max: limits.maxConnections }, 'too many connections'));
  server.on('drop', logFull);
  const open = new Map<string, number>();
  const logBusy = throttle((refused) => log.info({ refused }, 'too many connections from one address'));
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const address = callerAddress(remoteAddress);
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (count <= limits.maxConnectionsPerAddress) return;
    logBusy();
    const details = { max: limits.maxConnectionsPerAddress, seconds: RETRY_S };
    answerOnSocket(socket, new ServiceError('too_many_connections', details), locale);
    socket.once('finish', () => socket.destroy());
  });
}

/** Calls in progress per connection; pipelining allows several. */
const inProgress = new WeakMap<Socket, number>();

function count(socket: Socket, change: number): void {
  inProgress.set(socket, (inProgress.get(socket) ?? 0) + change);
}

/**
 * Checks per stall. Node reports a timeout only if nothing was written since the previous check, so a stall of one interval may
 * take two to be reported; several short intervals find it sooner. A check that is more than `LATE_MS` late means that
 * something was written since the previous one.
 */
const CHECKS_PER_STALL = 3;
const LATE_MS = 500;

/** How many checks in a row have found a connection silent. */
interface Silence {
  readonly checks: number;
  readonly at: number;
  readonly bytesWritten: number;
}

/** Closes idle connections, and those whose client does not read. A call may take long while there is nothing to read. */
function endStalledAnswers(server: Server, { limits, log }: ConnectionOptions): void {
  const intervalMs = Math.ceil(limits.maxStallMs / CHECKS_PER_STALL);
  const silences = new WeakMap<Socket, Silence>();
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  });
  server.timeout = intervalMs;
  server.on('timeout', (socket: Socket) => {
    // Between two requests the server's keep-alive timeout has passed.
    if (socket.timeout !== intervalMs) return void socket.destroy();
    const isStalled = socket.writableLength > 0;
    if (!isStalled && (inProgress.get(socket) ?? 0) > 0) return;
    const { bytesWritten } = socket;
    const before = silences.get(socket);
    const at = performance.now();
    const goesOn = before && at - before.at < intervalMs + LATE_MS && before.bytesWritten === bytesWritten;
    const checks = (goesOn ? before.checks : 0) + 1;
    silences.set(socket, { checks, at, bytesWritten });
    if (checks < CHECKS_PER_STALL) return void socket.setTimeout(intervalMs);
    if (isStalled) {
      log.info({ ip: socket.remoteAddress, unread: socket.writableLength }, 'a client did not read its answer');
    }
    socket.destroy();
  });
}

const ERROR_CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

function onClientError(server: Server, { locale, log }: ConnectionOptions): void {
  const answered = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Everything that follows a malformed request is malformed too.
    if (answered.has(socket)) return;
    // A second answer would break the one in progress.
    if (!socket.writable || error.code === 'ECONNRESET' || (inProgress.get(socket) ?? 0) > 0) {
      socket.destroy();
      return;
    }
    answered.add(socket);
    log.debug({ code: error.code }, 'a malformed request');
    answerOnSocket(socket, new ServiceError(ERROR_CODES[error.code ?? ''] ?? 'invalid_request'), locale);
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    answerOnSocket(socket, new ServiceError('method_not_allowed', { method: 'CONNECT', allowed: METHODS }), locale);
  });
  // An unknown Expect header is ignored.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}
