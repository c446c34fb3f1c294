/** Errors of a database that cannot be used, as Node and PostgreSQL give them, and pools whose connections fail with one. */
import pg from 'pg';

const HOST = '10.1.2.3';

/** Errors of sockets. */
const NETWORK = [
  'EADDRNOTAVAIL',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENOBUFS',
  'EPERM',
  'ETIMEDOUT',
];
const RESOLVER = ['EAI_AGAIN', 'EAI_FAIL', 'ENOTFOUND'];
/** Breaks of connections that worked until then. */
const BROKEN = ['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'];
/** Errors of the server: SQLSTATE → message. */
const SERVER: Readonly<Record<string, string>> = {
  '08006': 'connection failure',
  '25006': 'cannot execute INSERT in a read-only transaction',
  '28P01': 'password authentication failed for user "market"',
  '3D000': 'database "market" does not exist',
  '53200': 'out of memory',
  '53300': 'sorry, too many clients already',
  '55000': 'database "market" is not currently accepting connections',
  '57P01': 'terminating connection due to administrator command',
  '57P02': 'terminating connection because of crash of another server process',
  '57P03': 'the database system is starting up',
  '57P05': 'terminating connection due to idle-session timeout',
  '58030': 'could not read block 7 in file "base/5/16384": Input/output error',
};
const CLIENT = [
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'The server does not support SSL connections',
];

function systemError(syscall: string, code: string): Error {
  const target = syscall === 'connect' ? ` ${HOST}:5432` : syscall === 'getaddrinfo' ? ' db.internal' : '';
  return Object.assign(new Error(`${syscall} ${code}${target}`), { syscall, code });
}

function serverError(code: string, message: string): Error {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { severity: 'FATAL', code });
}

/** Name → error. */
export const FAULTS: ReadonlyMap<string, Error> = new Map([
  ...NETWORK.map((code) => [code, systemError('connect', code)] as const),
  ...RESOLVER.map((code) => [code, systemError('getaddrinfo', code)] as const),
  ...BROKEN.map((code) => [code, systemError('write', code)] as const),
  ...Object.entries(SERVER).map(([code, message]) => [code, serverError(code, message)] as const),
  ...CLIENT.map((message) => [message, new Error(message)] as const),
]);

/** While `work` goes on, no pool of this process gets a connection: each attempt fails with `error`. */
export async function whileConnectionsFail<T>(error: Error, work: () => Promise<T>): Promise<T> {
  const { prototype } = pg.Pool;
  const fail = (done?: (error: Error) => void) => (done ? setImmediate(done, error) : Promise.reject(error));
  Object.defineProperty(prototype, 'connect', { value: fail, configurable: true });
  try {
    return await work();
  } finally {
    Reflect.deleteProperty(prototype, 'connect');
  }
}
