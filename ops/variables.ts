/**
 * The variables of the environment, by section: the form of each, its default, and what it means. CONFIGURATION.md and `.env.example` are
 * written from these.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import ipaddr from 'ipaddr.js';
import { validate as validateCron } from 'node-cron';
import { compile as compileTrust } from 'proxy-addr';
import { z } from 'zod';
import { DISTRIBUTION_MODES } from '../engine/market/calendar.ts';
import { LANES, type Lane } from '../jobs/contracts/queue-contract.ts';
import { folder, integer, list, text, url } from '../jobs/providers/provider-entry.ts';
import { PROVIDER_IDS, PROVIDER_VARIABLES } from '../jobs/providers/providers.ts';

/** More proxies in a row than any installation has. */
const MAX_HOPS = 100;

const TRUST_PROXY_RULE =
  'must be true, false, a number of hops, or addresses, networks (10.0.0.0/8), loopback, linklocal or uniquelocal, separated by commas';
const SCHEDULE_RULE = 'must be a cron expression of five or six fields, such as "*/5 * * * *"';
const COST_RULE = 'must be a number from 0 to 1000000';

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

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A number of processes; `auto`: one for each core. */
const processes = (max: number) => {
  const rule = `must be auto or a whole number from 1 to ${max}`;
  return z
    .string()
    .regex(/^(auto|\d+)$/, rule)
    .transform((text) => (text === 'auto' ? Math.min(max, availableParallelism()) : Number(text)))
    .pipe(z.number().min(1, rule).max(max, rule));
};

const isOrigin = (text: string) =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? '') && URL.parse(text)?.origin === text;

const MAX_SLOTS = 256;
const SLOTS_RULE = `must be auto, a number from 1 to ${MAX_SLOTS}, or lanes with theirs, such as interactive=2,sweep=4 (${LANES.join(', ')})`;

/** Slots of every lane. A number counts for the lanes that compute; lanes that are named are the only ones. */
function parseSlots(text: string): Record<Lane, number> | null {
  const none = { interactive: 0, mail: 0, background: 0, compute: 0, sweep: 0, outbound: 0 };
  const count = text === 'auto' ? Math.max(2, availableParallelism()) : Number(text);
  const pairs: readonly (readonly [string, number])[] = Number.isNaN(count)
    ? text.split(',').map((pair) => [pair.split('=')[0].trim(), Number(pair.split('=')[1] || Number.NaN)])
    : Object.entries({ interactive: count, mail: 2, background: 2, compute: count, sweep: count, outbound: 1 });
  const isOne = ([name, slots]: (typeof pairs)[number]) =>
    Object.hasOwn(none, name) && Number.isInteger(slots) && slots > 0 && slots <= MAX_SLOTS;
  return pairs.every(isOne) ? { ...none, ...Object.fromEntries(pairs) } : null;
}

const slots = z.string().transform((text, context) => {
  const parsed = parseSlots(text);
  if (parsed !== null) return parsed;
  context.addIssue({ code: 'custom', message: SLOTS_RULE });
  return z.NEVER;
});

const HTTP = {
  HOST: text().prefault('127.0.0.1').describe('address on which the API listens'),
  PORT: integer(0, 65_535).prefault('3000').describe('port of the API'),
  API_PROCESSES: processes(64)
    .prefault('1')
    .describe('[processes that share the port](OPERATING.md#several-api-processes), up to 64; `auto`: one per core'),
  PUBLIC_API_BASE: url('http', 'https')
    .optional()
    .describe(
      'public address, for shared links; default `http://HOST:PORT`. Set it where callers are on other machines: `/mcp` answers by its host name and loopback only, so a proxy must pass `Host` on',
    ),
  CORS_ORIGINS: list(isOrigin, 'an origin such as https://app.example.com')
    .default([])
    .describe('origins whose pages may call everything, by commas; any page may read market data'),
  TRUST_PROXY: z
    .string()
    .refine(isTrustProxy, TRUST_PROXY_RULE)
    .optional()
    .describe('whose `X-Forwarded-For` counts: `true`, a number of hops, or addresses'),
  DEFAULT_LOCALE: z
    .enum(['en', 'zh-CN', 'zh-TW'])
    .prefault('en')
    .describe('language of callers who name none of `en`, `zh-CN`, `zh-TW`'),
  CACHE_MB: integer(0, 65_536)
    .prefault('192')
    .describe('memory of an API process for series (two thirds) and finished answers'),
  MAX_CONNECTIONS: integer(1, 100_000)
    .prefault('2000')
    .describe('open connections of an API process; a stream of events holds one'),
  MAX_CONNECTIONS_PER_ADDRESS: integer(1, 100_000)
    .prefault('256')
    .describe('of these, from one address that is no proxy of `TRUST_PROXY`'),
  BACKTEST_WAIT_S: integer(1, 300).prefault('30').describe('seconds that a call waits for its backtest before 202'),
  RATE_LIMIT_FACTOR: integer(1, 10_000)
    .prefault('1')
    .describe('multiplies every limit on calls, for tests of load and of faults; quotas stay'),
};

const DATA = {
  PROVIDER: z
    .enum(PROVIDER_IDS)
    .prefault('sample')
    .describe(
      `where [market data](OPERATING.md#market-data) comes from: ${PROVIDER_IDS.map((id) => `\`${id}\``).join(', ')}`,
    ),
  ...PROVIDER_VARIABLES,
  MAX_LOAD_COST_USD: z.coerce
    .number<string>(COST_RULE)
    .min(0, COST_RULE)
    .max(1_000_000, COST_RULE)
    .prefault('50')
    .describe('loads that cost more are refused'),
  DISTRIBUTION_MODE: z.enum(DISTRIBUTION_MODES).prefault('eod_only').describe('`eod_only`, `delayed`, `realtime`'),
  STALE_SESSIONS: integer(0, 1000)
    .prefault('3')
    .describe('quotes are 502 when more published sessions than this are missing'),
  SCHEDULE: z
    .string()
    .refine((text) => validateCron(text), SCHEDULE_RULE)
    .prefault('* * * * *')
    .describe('when sessions are loaded: cron in UTC'),
};

/** A time of day, in minutes after midnight. */
const timeOfDay = (usual: string) =>
  z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 08:00')
    .transform((time) => 60 * Number(time.slice(0, 2)) + Number(time.slice(3)))
    .prefault(usual);

/** A time of day in New York. */
const deadline = (step: string) =>
  timeOfDay('08:00').describe(`New York time on the day after a session by which ${step} done`);

const DEADLINES = {
  DEADLINE_LOAD: deadline('its loads are'),
  DEADLINE_CHECK: deadline('its check is'),
  DEADLINE_SNAPSHOT: deadline('its snapshot is'),
  DEADLINE_LAKE: deadline('its files and tables are'),
  DEADLINE_SIGNALS: deadline('its signals are'),
  DEADLINE_WEBHOOKS: deadline('its webhooks are'),
  DEADLINE_IMPACT: deadline('its impact is'),
};

const STORAGE = {
  DATA_DIR: folder.prefault('.data').describe('folder of the embedded database, objects, mails, and caches'),
  DATABASE_URL: url('postgres', 'postgresql').optional().describe('your own PostgreSQL, 15 or newer'),
  DATABASE_POOL: integer(1, 500).prefault('10').describe('connections of an API process for calls'),
  S3_BUCKET: text().optional().describe('bucket for objects, instead of a folder'),
  S3_ENDPOINT: url('http', 'https').optional().describe("a server other than Amazon's"),
  S3_REGION: text().prefault('us-east-1').describe('region of the bucket'),
  S3_ACCESS_KEY_ID: text()
    .optional()
    .describe('key of the bucket; default: what the SDK of AWS finds (`AWS_*`, the role of the machine)'),
  S3_SECRET_ACCESS_KEY: text().optional().describe('secret of that key'),
  TABLE_FILES: z
    .enum(['bucket', 'service'])
    .prefault('bucket')
    .describe(
      'where readers of tables get files: from the `bucket`, with credentials of their own, or the `service`, with their API keys',
    ),
  TABLE_SNAPSHOT_DAYS: integer(1, 36_500)
    .prefault('400')
    .describe("days for which past snapshots of the market's tables can be read"),
};

const BACKUPS = {
  BACKUP_BUCKET: text()
    .regex(/^[\w.-]+(\/[\w-][\w.=-]*)*$/, 'must be a bucket, or one with a prefix, such as backups/market')
    .optional()
    .describe(
      'bucket for daily [backups](RUNBOOK.md#backups), with a prefix after `/`, by the `S3_*` variables; default: none are made. Each week a [drill](RUNBOOK.md#drills) restores the newest one of the running version. Only objects that the database has recorded are removed: after a restore, remove newer ones yourself',
    ),
  BACKUP_TIME: timeOfDay('02:30').describe('when they are made: UTC'),
  BACKUP_DAILY: integer(1, 366)
    .prefault('7')
    .describe('days whose newest backup is kept; the newest sound one and the newest restored one always are'),
  BACKUP_WEEKLY: integer(0, 520).prefault('4').describe('weeks whose newest backup is kept'),
};

const ACCOUNTS = {
  JWT_SECRET: text()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe(
      'signs tokens and hashes keys: 32 characters or more, required in production, the same on all machines; default: made once in `DATA_DIR`',
    ),
  ADMIN_SESSIONS: z
    .enum(['any', 'password'])
    .optional()
    .describe('logins that open the back office: `any`, or those by `password`, the default in production'),
  ACCESS_RECORD_DAYS: integer(30, 36_500).prefault('90').describe('days of access records, at least 30'),
  SMTP_URL: url('smtp', 'smtps')
    .optional()
    .describe('mail server (`smtp://user:password@host:587`), instead of files in `DATA_DIR/outbox`'),
  MAIL_FROM: text(3).prefault('Market data service <no-reply@localhost>').describe('sender of mails'),
  WEBHOOK_NETWORKS: list((network) => ipaddr.isValidCIDR(network), 'a network such as 10.0.0.0/8')
    .default([])
    .describe(
      'private networks that webhooks may reach, such as `10.0.0.0/8`, or `127.0.0.0/8` on a laptop; there also by plain http. No search domains',
    ),
  COUNTRY_DATABASE: z
    .string()
    .refine(isReadableFile, 'is not a file that can be read')
    .optional()
    .describe('countries of addresses (`.mmdb`), instead of those of an optional package'),
};

const SHARE_RULE = 'must be a number from 0 to 1';

const PROCESSES = {
  WORKER_SLOTS: slots
    .prefault('auto')
    .describe(
      'jobs that a worker runs at once. A number counts for each lane that computes: `interactive` (backtests, portfolios), `compute` (optimizations), `sweep`; `auto`: one per core, at least 2. Or lanes, the only ones it then serves: `background=2,mail=2,outbound=1` (loads and exports, mails, webhooks)',
    ),
  ROTATION_BARS: integer(1, 1_000_000_000)
    .prefault('3000000')
    .describe("bars of a rotation's universe in memory; a larger one is read again for each pass"),
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .prefault('development')
    .describe('`development`, `production`, `test`'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .prefault('info')
    .describe('`trace`, `debug`, `info`, `warn`, `error`, `fatal`, `silent`'),
  METRICS_PORT: integer(1, 65_535)
    .optional()
    .describe('a port for `/metrics` alone, open to whoever reaches it; default: the port of the API, for loopback'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https')
    .optional()
    .describe('where [traces](OPERATING.md#traces) go: `http://localhost:4318`'),
  OTEL_SERVICE_NAME: text().prefault('market-data-service').describe('name in traces'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number<string>(SHARE_RULE)
    .min(0, SHARE_RULE)
    .max(1, SHARE_RULE)
    .prefault('0.01')
    .describe('share of calls traced without a `traceparent`'),
  DRAIN_SECONDS: integer(0, 120)
    .prefault('2')
    .describe('seconds of calls after SIGTERM while `/readyz` says no; at least what your proxy needs to notice'),
  SHUTDOWN_GRACE_S: integer(1, 600).prefault('25').describe('seconds to finish work after SIGTERM'),
  FIXED_NOW: z.iso
    .datetime({ offset: true, error: 'must be an instant such as 2026-06-01T16:00:00Z' })
    .optional()
    .describe('pins the clock to an ISO instant; refused in production'),
};

export const VARIABLES = { ...HTTP, ...DATA, ...DEADLINES, ...STORAGE, ...BACKUPS, ...ACCOUNTS, ...PROCESSES };

/** For the pages that list them. */
export const SECTIONS: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  HTTP,
  Data: DATA,
  Deadlines: DEADLINES,
  Storage: STORAGE,
  Backups: BACKUPS,
  'Accounts and mail': ACCOUNTS,
  Processes: PROCESSES,
};
