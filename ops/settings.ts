/** The configuration in the form that each room needs. */
import { join } from 'node:path';
import type { AdminSessions } from '../api/access/authorize.ts';
import type { MarketSource } from '../db/market/market-source.ts';
import type { MailSettings } from '../jobs/mail/mailer.ts';
import type { ProviderSettings } from '../jobs/providers/open-provider.ts';
import type { ThreadSettings } from '../jobs/queue/thread-pool.ts';
import type { StorageSettings } from '../storage/open-storage.ts';
import type { Config } from './config.ts';
import { readSecrets } from './secrets.ts';

export function providerSettings(config: Config): ProviderSettings {
  return {
    provider: config.PROVIDER,
    folder: config.PROVIDER_DIR,
    sampleSymbols: config.SAMPLE_SYMBOLS,
    databento: config.DATABENTO_API_KEY
      ? { apiKey: config.DATABENTO_API_KEY, baseUrl: config.DATABENTO_BASE_URL }
      : undefined,
    cacheDir: join(config.DATA_DIR, 'cache'),
  };
}

/** The source that is recorded for a market loaded with these settings. */
export function marketSource({ PROVIDER, PROVIDER_DIR, SAMPLE_SYMBOLS }: Config): MarketSource {
  return {
    provider: PROVIDER,
    folder: PROVIDER === 'files' ? (PROVIDER_DIR ?? null) : null,
    sampleSymbols: PROVIDER === 'sample' ? SAMPLE_SYMBOLS : null,
  };
}

export function storageSettings(config: Config): StorageSettings {
  if (!config.S3_BUCKET) return { folder: join(config.DATA_DIR, 'objects') };
  return {
    s3: {
      bucket: config.S3_BUCKET,
      endpoint: config.S3_ENDPOINT,
      region: config.S3_REGION,
      accessKeyId: config.S3_ACCESS_KEY_ID,
      secretAccessKey: config.S3_SECRET_ACCESS_KEY,
    },
  };
}

/** The login sessions that open the back office: in production only those that began with a password. */
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

export function threadSettings(config: Config, databaseUrl: string): ThreadSettings {
  return {
    databaseUrl,
    provider: providerSettings(config),
    storage: storageSettings(config),
    mail: mailSettings(config),
    loginCodeKey: readSecrets(config).loginCodeKey,
    webhookNetworks: config.WEBHOOK_NETWORKS,
    workFolder: join(config.DATA_DIR, 'work'),
    maxLoadCostUsd: config.MAX_LOAD_COST_USD,
    fixedNow: config.FIXED_NOW === undefined ? null : Date.parse(config.FIXED_NOW),
    logLevel: config.LOG_LEVEL,
  };
}
