/** The configuration: reads and validates all environment variables, at start. */
import { accessSync, constants, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { validate as validateCron } from 'node-cron';
import type { Logger } from 'pino';
import { compile as compileTrust } from 'proxy-addr';
import { z } from 'zod';
import { DatabaseClock } from '../db/clock.ts';
import { DISTRIBUTION_MODES } from '../engine/market/calendar.ts';
import { PROVIDERS } from '../jobs/providers/provider.ts';

/** More proxies in a row than any installation has. */
const MAX_HOPS = 100;

const TRUST_PROXY_RULE =
  'must be true, false, a number of hops, or addresses, networks (10.0.0.0/8), loopback, linklocal or uniquelocal, separated by commas';
const SCHEDULE_RULE = 'must be a cron expression of five or six fields, such as "*/5 * * * *"';

/** The value for Express. */
export function parseTrustProxy(text: string | undefined): string | number | boolean {
  if (text === undefined || text === 'false') return false;
  if (text === 'true') return true;
  return /^\d+$/.test(text) ? Number(text) : text;
}

function isTrustProxy(text: string): boolean {
  const parsed = parseTrustProxy(text);
  if (typeof parsed !== 'string') return parsed === true || parsed === false || parsed <= MAX_HOPS;
  try {
    compileTrust(parsed.split(/ *, */));
    return true;
  } catch {
    return false;
  }
}

const isSchedule = (text: string) => validateCron(text);

/** Whether a text is a network in CIDR notation. */
const isNetwork = (text: string) => ipaddr.isValidCIDR(text);

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const integer = (min: number, max: number) => {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z.string().regex(/^\d+$/, rule).transform(Number).pipe(z.number().min(min, rule).max(max, rule));
};
const url = (...protocols: readonly string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join('|')})$`),
    error: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
  });
const folder = z
  .string()
  .min(1)
  .transform((path) => resolve(path));

/** A number of processes; `auto`: one for each core. */
const processes = (max: number) => {
  const rule = `must be auto or a whole number from 1 to ${max}`;
  return z
    .string()
    .regex(/^(auto|\d+)$/, rule)
    .transform((text) => (text === 'auto' ? Math.min(max, availableParallelism()) : Number(text)))
    .pipe(z.number().min(1, rule).max(max, rule));
};

/** `https://app.example.com,https://other.example.com` */
const origins = z.string().transform((text, context) => {
  const listed = text.split(',').map((origin) => origin.trim());
  const wrong = listed.find(
    (origin) => !/^https?:$/.test(URL.parse(origin)?.protocol ?? '') || URL.parse(origin)?.origin !== origin,
  );
  if (wrong === undefined) return listed;
  context.addIssue({ code: 'custom', message: `"${wrong}" is not an origin such as https://app.example.com` });
  return z.NEVER;
});

/** `10.0.0.0/8,fd00::/8` */
const networks = z.string().transform((text, context) => {
  const listed = text.split(',').map((network) => network.trim());
  const wrong = listed.find((network) => !isNetwork(network));
  if (wrong === undefined) return listed;
  context.addIssue({ code: 'custom', message: `"${wrong}" is not a network such as 10.0.0.0/8` });
  return z.NEVER;
});

const COST_RULE = 'must be a number from 0 to 1000000';

const MASSIVE_KEYS = ['MASSIVE_API_KEY', 'MASSIVE_S3_ACCESS_KEY_ID', 'MASSIVE_S3_SECRET_ACCESS_KEY'] as const;

const SCHEMA = z
  .object({
    NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
    HOST: z.string().min(1).default('127.0.0.1'),
    PORT: integer(0, 65_535).default(3000),
    API_PROCESSES: processes(64).default(1),
    PUBLIC_API_BASE: url('http', 'https').optional(),
    CORS_ORIGINS: origins.default([]),
    TRUST_PROXY: z.string().refine(isTrustProxy, TRUST_PROXY_RULE).optional(),
    DEFAULT_LOCALE: z.enum(['en', 'zh-CN', 'zh-TW']).default('en'),
    DISTRIBUTION_MODE: z.enum(DISTRIBUTION_MODES).default('eod_only'),
    STALE_SESSIONS: integer(0, 1000).default(3),
    REVISITED_SESSIONS: integer(0, 1000).default(20),
    PUBLIC_READS_PER_MINUTE: integer(1, 1_000_000).default(300),
    RATE_LIMIT_FACTOR: integer(1, 1_000).default(1),
    MAX_CONNECTIONS: integer(1, 1_000_000).default(2_000),
    MAX_CONNECTIONS_PER_ADDRESS: integer(1, 1_000_000).default(256),
    METRICS_PUBLIC: flag.default(false),
    METRICS_PORT: integer(1, 65_535).optional(),
    ADMIN_SESSIONS: z.enum(['any', 'password']).optional(),
    ACCESS_RECORD_DAYS: integer(30, 36_500).default(90),
    TABLE_FILES: z.enum(['bucket', 'service']).default('bucket'),
    TABLE_SNAPSHOT_DAYS: integer(1, 36_500).default(400),
    SERIES_CACHE_MB: integer(0, 65_536).default(128),
    RESPONSE_CACHE_MB: integer(0, 65_536).default(64),
    DATA_DIR: folder.default(resolve('.data')),
    DATABASE_URL: url('postgres', 'postgresql').optional(),
    DATABASE_POOL: integer(1, 500).default(10),
    S3_BUCKET: z.string().min(1).optional(),
    S3_ENDPOINT: url('http', 'https').optional(),
    S3_REGION: z.string().min(1).default('us-east-1'),
    S3_ACCESS_KEY_ID: z.string().min(1).optional(),
    S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
    JWT_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
    SMTP_URL: url('smtp', 'smtps').optional(),
    WEBHOOK_NETWORKS: networks.default([]),
    MAIL_FROM: z.string().min(3).default('Market data service <no-reply@localhost>'),
    COUNTRY_DATABASE: z.string().refine(isReadableFile, 'is not a file that can be read').optional(),
    PROVIDER: z.enum(PROVIDERS).default('sample'),
    PROVIDER_DIR: folder.optional(),
    DATABENTO_API_KEY: z.string().startsWith('db-', 'must begin with db-').optional(),
    DATABENTO_BASE_URL: url('http', 'https').default('https://hist.databento.com'),
    MASSIVE_API_KEY: z.string().min(1).optional(),
    MASSIVE_BASE_URL: url('http', 'https').default('https://api.massive.com'),
    MASSIVE_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
    MASSIVE_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
    MASSIVE_S3_ENDPOINT: url('http', 'https').default('https://files.massive.com'),
    MASSIVE_S3_BUCKET: z.string().min(1).default('flatfiles'),
    PRIMARY_SESSION_FROM: z.iso.date('must be a day, YYYY-MM-DD').optional(),
    MAX_LOAD_COST_USD: z.coerce.number(COST_RULE).min(0, COST_RULE).max(1_000_000, COST_RULE).default(50),
    SAMPLE_SYMBOLS: integer(50, 50_000).default(250),
    BACKTEST_WAIT_S: integer(1, 300).default(30),
    WORKER_SLOTS: integer(0, 256).default(Math.max(2, availableParallelism())),
    BACKGROUND_SLOTS: integer(0, 256).default(2),
    COMPUTE_SLOTS: integer(0, 256).default(Math.max(2, availableParallelism())),
    SWEEP_SLOTS: integer(0, 256).default(Math.max(2, availableParallelism())),
    OUTBOUND_SLOTS: integer(0, 256).default(1),
    ROTATION_BARS: integer(1, 1_000_000_000).default(3_000_000),
    SCHEDULE: z.string().refine(isSchedule, SCHEDULE_RULE).default('* * * * *'),
    DRAIN_SECONDS: integer(0, 120).default(2),
    SHUTDOWN_GRACE_S: integer(1, 600).default(25),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    FIXED_NOW: z.iso.datetime({ offset: true, error: 'must be an instant such as 2026-06-01T16:00:00Z' }).optional(),
  })
  .superRefine((env, context) => {
    const complain = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (env.PROVIDER === 'files' && !env.PROVIDER_DIR) complain('PROVIDER_DIR', 'is required when PROVIDER is files');
    if (env.PROVIDER === 'databento' && !env.DATABENTO_API_KEY) {
      complain('DATABENTO_API_KEY', 'is required when PROVIDER is databento');
    }
    for (const name of env.PROVIDER === 'massive' ? MASSIVE_KEYS : []) {
      if (!env[name]) complain(name, 'is required when PROVIDER is massive');
    }
    if (env.NODE_ENV === 'production' && env.FIXED_NOW) complain('FIXED_NOW', 'must not be set in production');
    if (env.NODE_ENV === 'production' && !env.JWT_SECRET) complain('JWT_SECRET', 'is required in production');
    const slots = [env.WORKER_SLOTS, env.BACKGROUND_SLOTS, env.COMPUTE_SLOTS, env.SWEEP_SLOTS, env.OUTBOUND_SLOTS];
    if (slots.every((count) => count === 0)) {
      complain('WORKER_SLOTS', 'or the slots of another lane must be above 0');
    }
    if (env.METRICS_PORT !== undefined && env.METRICS_PORT === env.PORT) complain('METRICS_PORT', 'must not be PORT');
    if (Boolean(env.S3_ACCESS_KEY_ID) !== Boolean(env.S3_SECRET_ACCESS_KEY)) {
      complain('S3_SECRET_ACCESS_KEY', 'and S3_ACCESS_KEY_ID must be set together');
    }
  });

export type Config = Readonly<z.infer<typeof SCHEMA>>;
export const CONFIG_VARIABLES = Object.keys(SCHEMA.shape);

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads and validates the variables; an empty one counts as not set. Throws a `ConfigError` that lists each invalid variable. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const variables = Object.fromEntries(CONFIG_VARIABLES.filter((name) => env[name]).map((name) => [name, env[name]]));
  const parsed = SCHEMA.safeParse(variables, {
    error: (issue) => (issue.code === 'invalid_value' ? `must be one of ${issue.values.join(', ')}` : undefined),
  });
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${String(issue.path[0])}: ${issue.message}`);
  throw new ConfigError(`The configuration is not valid:\n${lines.join('\n')}`);
}

/** The clock of the service: the database's, or FIXED_NOW. */
export function clockOf({ FIXED_NOW }: Pick<Config, 'FIXED_NOW'>, log: Pick<Logger, 'warn'>): DatabaseClock {
  return new DatabaseClock(FIXED_NOW === undefined ? null : Date.parse(FIXED_NOW), log);
}
