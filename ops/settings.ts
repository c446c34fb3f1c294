/** The configuration in the form in which the other folders need it. */
import { hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { AdminSessions } from '../api/access/caller.ts';
import type { DatabaseClock } from '../db/clock.ts';
import { connectionsOf, type ProcessKind } from '../db/connection-counts.ts';
import type { MarketSource } from '../db/market/market-source.ts';
import { codeOf } from '../engine/util/errors.ts';
import { SERVICE_VERSION } from '../engine/util/service-version.ts';
import { keysOf, pick } from '../engine/util/values.ts';
import type { BackupSettings } from '../jobs/contracts/backup.ts';
import type { MailSettings } from '../jobs/contracts/mail.ts';
import { MAX_EXTRA, SHARED_LANES } from '../jobs/contracts/queue-contract.ts';
import type { Deadlines } from '../jobs/contracts/session-steps.ts';
import type { TraceSettings } from '../jobs/contracts/traces.ts';
import {
  missingVariables,
  PROVIDER_IDS,
  PROVIDER_VARIABLES,
  type ProviderId,
  type ProviderSettings,
} from '../jobs/providers/providers.ts';
import type { ThreadSettings } from '../jobs/queue/thread-pool.ts';
import type { StorageSettings } from '../storage/open-storage.ts';
import type { S3Settings } from '../storage/s3.ts';
import type { Config } from './config.ts';

/** Wildcard addresses: they mean every address of the machine and cannot be called. */
const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);

/** Whether links would not work on other machines. */
export function lacksPublicAddress({ HOST, PUBLIC_API_BASE }: Pick<Config, 'HOST' | 'PUBLIC_API_BASE'>): boolean {
  return PUBLIC_API_BASE === undefined && EVERY_ADDRESS.has(HOST);
}

/** The address of the API that a caller on this machine can use. */
export function localAddress({ HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): string {
  if (EVERY_ADDRESS.has(HOST)) return `http://localhost:${PORT}`;
  return `http://${isIPv6(HOST) ? `[${HOST}]` : HOST}:${PORT}`;
}

/** The address in links and in the description of the API. */
export function publicAddress(config: Pick<Config, 'HOST' | 'PORT' | 'PUBLIC_API_BASE'>): string {
  return config.PUBLIC_API_BASE ?? localAddress(config);
}

export function providerSettings(config: Config): ProviderSettings {
  const variables = pick(config, keysOf(PROVIDER_VARIABLES));
  return { provider: config.PROVIDER, variables, cacheDir: join(config.DATA_DIR, 'cache') };
}

/** The other configured providers, with which bars can be compared. The synthetic sample market is not one of them. */
export function otherProviders(config: Config): ProviderId[] {
  const isConfigured = (id: ProviderId) => missingVariables(id, config).length === 0;
  return PROVIDER_IDS.filter((id) => id !== config.PROVIDER && id !== 'sample' && isConfigured(id));
}

/** The source of a market that is loaded with these settings. */
export function marketSource({ PROVIDER, PROVIDER_DIR, SAMPLE_SYMBOLS }: Config): MarketSource {
  return {
    provider: PROVIDER,
    folder: PROVIDER === 'files' ? (PROVIDER_DIR ?? null) : null,
    sampleSymbols: PROVIDER === 'sample' ? SAMPLE_SYMBOLS : null,
  };
}

const bucketSettings = (config: Config, bucket: string): S3Settings => ({
  bucket,
  endpoint: config.S3_ENDPOINT,
  region: config.S3_REGION,
  accessKeyId: config.S3_ACCESS_KEY_ID,
  secretAccessKey: config.S3_SECRET_ACCESS_KEY,
});

export function storageSettings(config: Config): StorageSettings {
  if (!config.S3_BUCKET) return { folder: join(config.DATA_DIR, 'objects') };
  return { s3: bucketSettings(config, config.S3_BUCKET) };
}

/** Null: backups are off. */
export function backupSettings(config: Config): BackupSettings | null {
  const location = config.BACKUP_BUCKET;
  if (location === undefined) return null;
  const [bucket, ...folders] = location.split('/');
  return {
    location,
    bucket: bucketSettings(config, bucket),
    prefix: folders.map((folder) => `${folder}/`).join(''),
    minute: config.BACKUP_TIME,
    daily: config.BACKUP_DAILY,
    weekly: config.BACKUP_WEEKLY,
    includesObjects: !config.S3_BUCKET,
  };
}

/** Null: nothing is traced. */
export function traceSettings(config: Config): TraceSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER_ARG } = config;
  if (endpoint === undefined) return null;
  return {
    endpoint,
    serviceName: OTEL_SERVICE_NAME,
    serviceVersion: SERVICE_VERSION,
    sampledShare: OTEL_TRACES_SAMPLER_ARG,
    dropped: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  };
}

export const deadlines = (config: Config): Deadlines => ({
  load: config.DEADLINE_LOAD,
  check: config.DEADLINE_CHECK,
  snapshot: config.DEADLINE_SNAPSHOT,
  lake: config.DEADLINE_LAKE,
  signals: config.DEADLINE_SIGNALS,
  webhooks: config.DEADLINE_WEBHOOKS,
  impact: config.DEADLINE_IMPACT,
});

/** The login sessions that may use the back office: in production only those by password. */
export function adminSessions({ ADMIN_SESSIONS, NODE_ENV }: Config): AdminSessions {
  return ADMIN_SESSIONS ?? (NODE_ENV === 'production' ? 'password' : 'any');
}

export function outboxFolder(config: Config): string {
  return join(config.DATA_DIR, 'outbox');
}

function mailSettings(config: Config): MailSettings {
  const from = config.MAIL_FROM;
  return config.SMTP_URL ? { from, smtpUrl: config.SMTP_URL } : { from, outbox: outboxFolder(config) };
}

export function threadSettings(config: Config, databaseUrl: string, { shared }: DatabaseClock): ThreadSettings {
  return {
    databaseUrl,
    provider: providerSettings(config),
    storage: storageSettings(config),
    backups: backupSettings(config),
    mail: mailSettings(config),
    loginCodeKey: readSecrets(config).loginCodeKey,
    webhookNetworks: config.WEBHOOK_NETWORKS,
    workFolder: join(config.DATA_DIR, 'work'),
    tableSnapshotDays: config.TABLE_SNAPSHOT_DAYS,
    rotationBars: config.ROTATION_BARS,
    maxLoadCostUsd: config.MAX_LOAD_COST_USD,
    time: shared,
    logLevel: config.LOG_LEVEL,
  };
}

/** Connections to the database for operators, and for processes that replace others. */
export const SPARE_CONNECTIONS = 20;

/** The most connections that so many processes with these settings may have, extra jobs included. */
export function mostConnections(
  { DATABASE_POOL, WORKER_SLOTS }: Pick<Config, 'DATABASE_POOL' | 'WORKER_SLOTS'>,
  { api, worker, scheduler }: Readonly<Record<ProcessKind, number>>,
): number {
  const slots = Object.values(WORKER_SLOTS).reduce((sum, count) => sum + count, 0);
  const threads = slots + MAX_EXTRA * SHARED_LANES.length;
  return (
    api * (DATABASE_POOL + connectionsOf('api')) +
    worker * (connectionsOf('worker') + threads * connectionsOf('thread')) +
    scheduler * connectionsOf('scheduler')
  );
}

export interface Secrets {
  /** Signs access tokens. */
  readonly accessTokenKey: string;
  /** Keys the hashes of login codes. */
  readonly loginCodeKey: string;
  /** Keys the hashes of addresses, user agents, and e-mails. */
  readonly identifierKey: string;
}

export function readSecrets(config: Config): Secrets {
  const secret = config.JWT_SECRET ?? localSecret(config.DATA_DIR);
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)).toString('hex');
  return {
    accessTokenKey: secret,
    loginCodeKey: derive('login codes'),
    identifierKey: derive('identifiers'),
  };
}

/** The secret of this data folder, which the first process generates. */
function localSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const own = `${file}.${process.pid}`;
  writeFileSync(own, randomBytes(32).toString('hex'), { mode: 0o600 });
  try {
    linkSync(own, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(own);
  }
  return readFileSync(file, 'utf8');
}
