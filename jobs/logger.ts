import pino, { type Logger } from 'pino';

/** Fields that are never written, at the top or one level down. */
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

/** The service's one logger: JSON lines on standard output, quiet while all is well. */
export function createLogger(processName: string, level: string): Logger {
  return pino({
    level,
    base: { process: processName },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
  });
}
