/** Answers failures outside Express, such as malformed requests, in the envelope. */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ServiceError } from '../../engine/util/errors.ts';
import { ERRORS } from '../http/errors/catalogue.ts';
import { errorBody } from '../http/errors/error-body.ts';
import type { Locale } from '../http/language/locale.ts';

/** How long the connection stays open after the answer, so that the client can read it. */
const LINGER_MS = 1_000;

function headersOf(error: ServiceError, locale: Locale, body: string): Record<string, string | number> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': randomUUID(),
    'Content-Language': locale,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    ...(error.details.seconds === undefined ? {} : { 'Retry-After': error.details.seconds }),
    Connection: 'close',
  };
}

/** Answers on the socket, and closes it. */
export function answerOnSocket(socket: Socket, error: ServiceError, locale: Locale): void {
  const status = ERRORS[error.code].status;
  const body = JSON.stringify(errorBody(error, locale));
  const headers = Object.entries(headersOf(error, locale, body)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Answers a request that never reached a route. */
export function answerUnrouted(
  request: IncomingMessage,
  response: ServerResponse,
  error: ServiceError,
  locale: Locale,
): void {
  if (response.headersSent) return void response.destroy();
  const body = JSON.stringify(errorBody(error, locale));
  response.writeHead(ERRORS[error.code].status, headersOf(error, locale, body));
  response.end(request.method === 'HEAD' ? undefined : body);
}
