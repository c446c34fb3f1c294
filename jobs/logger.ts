/** The log of every process: JSON lines on standard output. */
import pino, { type Logger } from 'pino';
import { isDatabaseUnreachable } from '../db/errors.ts';
import { saysStorageUnreachable } from '../storage/storage.ts';
import { isDiskFull, type OutageLog } from './outages.ts';

/** Fields that are redacted, at the top or one level down. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'api_key',
  'secret',
];

const WARN = 40;
const FATAL = 60;
const MAX_TEXT_CHARS = 2_000;
const MAX_CAUSES = 2;

/** Removes the credentials of URLs and limits the length. */
function plainText(text: string): string {
  return text.replaceAll(/\b([a-z][a-z0-9+]*):\/\/[^\s/@]*@/gi, '$1://[redacted]@').slice(0, MAX_TEXT_CHARS);
}

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  /** Only for defects, not for outages. */
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/**
 * The logged fields of an error. Others are left out, because errors of the database have statements, parameters, and rows, and those of
 * connections have whole sockets.
 */
function serializeError(error: unknown, depth = 0, isOutage = false): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: plainText(String(error)) };
  const code: unknown = Reflect.get(error, 'code');
  const errors: unknown = Reflect.get(error, 'errors');
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const message = error.message || (first instanceof Error ? first.message : '') || String(code ?? error.name);
  const isUnreachable =
    isOutage || isDatabaseUnreachable(error) || isDiskFull(error) || saysStorageUnreachable(error.message);
  return {
    type: error.constructor.name,
    message: plainText(message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(!isUnreachable && error.stack ? { stack: plainText(error.stack) } : {}),
    ...(error.cause instanceof Error && depth < MAX_CAUSES
      ? { cause: serializeError(error.cause, depth + 1, isUnreachable) }
      : {}),
  };
}

export interface LoggerOptions {
  /** Limits the lines of outages. */
  readonly outages?: OutageLog;
  /** Default: standard output. */
  readonly destination?: pino.DestinationStream;
  /** Fields of every line. */
  readonly mixin?: () => object;
}

export function createLogger(processName: string, level: string, options: LoggerOptions = {}): Logger {
  const { outages, destination, mixin } = options;
  const settings: pino.LoggerOptions = {
    level,
    base: { process: processName },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    serializers: { err: serializeError },
    mixin,
    hooks: {
      logMethod(args, method, lineLevel) {
        const write = (suppressed: number) =>
          method.apply(suppressed > 0 ? this.child({ left_out: suppressed }) : this, args);
        const isTaken = lineLevel >= WARN && lineLevel < FATAL && outages?.takes(args[0], args[1], write);
        if (!isTaken) write(0);
      },
    },
  };
  const log = destination ? pino(settings, destination) : pino(settings);
  outages?.attach(log);
  return log;
}
