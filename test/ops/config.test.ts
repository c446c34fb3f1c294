import { availableParallelism } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { PROVIDER_IDS, PROVIDERS } from '../../jobs/providers/providers.ts';
import { ConfigError, clockOf, readConfig } from '../../ops/config.ts';
import { adminSessions, otherProviders, providerSettings, publicAddress } from '../../ops/settings.ts';

const CORES = Math.max(2, availableParallelism());

describe('the configuration', () => {
  it('has defaults for everything, and ignores an empty variable', () => {
    expect(readConfig({ PORT: '' })).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      PROVIDER: 'sample',
      DISTRIBUTION_MODE: 'eod_only',
    });
  });

  it.each([
    [{ PORT: 'abc' }, 'PORT'],
    [{ PORT: '70000' }, 'PORT'],
    [{ METRICS_PORT: '3000' }, 'METRICS_PORT'],
    [{ ACCESS_RECORD_DAYS: '29' }, 'ACCESS_RECORD_DAYS'],
    [{ ADMIN_SESSIONS: 'code' }, 'ADMIN_SESSIONS'],
    [{ DISTRIBUTION_MODE: 'live' }, 'DISTRIBUTION_MODE'],
    [{ PROVIDER: 'files' }, 'PROVIDER_DIR'],
    [{ PROVIDER: 'massive', MASSIVE_API_KEY: 'k' }, 'MASSIVE_S3_SECRET_ACCESS_KEY'],
    [{ PRIMARY_SESSION_FROM: '2021-02-30' }, 'PRIMARY_SESSION_FROM'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
    [{ S3_ACCESS_KEY_ID: 'x' }, 'S3_SECRET_ACCESS_KEY'],
    [{ FIXED_NOW: 'yesterday' }, 'FIXED_NOW'],
    ...['0', '257', 'many', 'sweep', 'sweep=', 'sweep=0', 'sweep=1.5', 'cooking=1', 'toString=1', 'sweep=1,'].map(
      (WORKER_SLOTS): [NodeJS.ProcessEnv, string] => [{ WORKER_SLOTS }, 'WORKER_SLOTS'],
    ),
    [{ TRUST_PROXY: 'the nginx' }, 'TRUST_PROXY'],
    [{ TRUST_PROXY: '10.0.0.0/99' }, 'TRUST_PROXY'],
    [{ SCHEDULE: 'hourly' }, 'SCHEDULE'],
    [{ SCHEDULE: '0 25 * * *' }, 'SCHEDULE'],
    [{ S3_ENDPOINT: 'ftp://objects' }, 'S3_ENDPOINT'],
    [{ COUNTRY_DATABASE: '/nowhere.mmdb' }, 'COUNTRY_DATABASE'],
    [{ NODE_ENV: 'production', FIXED_NOW: '2026-01-01T00:00:00Z' }, 'FIXED_NOW'],
  ])('names the invalid variable in %j', (env, name) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(new RegExp(`\\b${name}: `));
  });

  it.each([
    ['PORT', '99999', 'must be a whole number from 0 to 65535'],
    ['STALE_SESSIONS', '-1', 'must be a whole number from 0 to 1000'],
    ['API_PROCESSES', '0', 'must be auto or a whole number from 1 to 64'],
    ['PROVIDER', 'foo', 'must be one of sample, files, databento, massive, tiingo, eodhd'],
    ['DISTRIBUTION_MODE', 'yes', 'must be one of eod_only, delayed, realtime'],
    ['DATABASE_URL', 'mysql://x', 'must be a URL that begins with postgres:// or postgresql://'],
    ['FIXED_NOW', 'yesterday', 'must be an instant such as 2026-06-01T16:00:00Z'],
    ['PRIMARY_SESSION_FROM', '2021-1-4', 'must be a day, YYYY-MM-DD'],
    ['MAX_LOAD_COST_USD', 'much', 'must be a number from 0 to 1000000'],
  ])('describes what %s=%s should be', (name, value, rule) => {
    expect(() => readConfig({ [name]: value })).toThrow(`The configuration is not valid:\n  ${name}: ${rule}`);
  });

  it.each(PROVIDER_IDS)('names what the provider %s requires, and describes it in every language', (PROVIDER) => {
    const { settings, label } = PROVIDERS[PROVIDER];
    for (const name of settings.required) {
      expect(() => readConfig({ PROVIDER })).toThrow(`${name}: is required when PROVIDER is ${PROVIDER}`);
    }
    expect(Object.values(label).map((text) => text.length > 0)).toEqual([true, true, true]);
  });

  it('compares with the providers that have all they require, and passes on no other variables', () => {
    expect(otherProviders(readConfig({ MASSIVE_API_KEY: 'k' }))).toEqual([]);
    expect(otherProviders(readConfig({ DATABENTO_API_KEY: 'db-k', PROVIDER_DIR: '/market' }))).toEqual([
      'files',
      'databento',
    ]);
    const { variables } = providerSettings(readConfig({ JWT_SECRET: 'x'.repeat(32), SAMPLE_SYMBOLS: '60' }));
    expect(variables).toMatchObject({ SAMPLE_SYMBOLS: 60 });
    expect(Object.keys(variables)).not.toContain('JWT_SECRET');
  });

  it.each(['true', 'false', '2', 'loopback, 10.0.0.0/8', '192.0.2.1,2001:db8::/32'])(
    'takes TRUST_PROXY=%s',
    (TRUST_PROXY) => {
      expect(readConfig({ TRUST_PROXY })).toMatchObject({ TRUST_PROXY });
    },
  );
  it.each([
    ['auto', { interactive: CORES, mail: 2, background: 2, compute: CORES, sweep: CORES, outbound: 1 }],
    ['3', { interactive: 3, mail: 2, background: 2, compute: 3, sweep: 3, outbound: 1 }],
    ['sweep=4, mail=1', { interactive: 0, mail: 1, background: 0, compute: 0, sweep: 4, outbound: 0 }],
  ])('gives the lanes the slots of WORKER_SLOTS=%s', (WORKER_SLOTS, slots) => {
    expect(readConfig({ WORKER_SLOTS }).WORKER_SLOTS).toEqual(slots);
  });

  it.each([
    [{}, 'http://127.0.0.1:3000'],
    [{ HOST: '0.0.0.0', PORT: '80' }, 'http://localhost:80'],
    [{ HOST: '::' }, 'http://localhost:3000'],
    [{ HOST: '::1' }, 'http://[::1]:3000'],
    [{ HOST: '0.0.0.0', PUBLIC_API_BASE: 'https://market.example.com' }, 'https://market.example.com'],
  ])('gives callers an address that they can use for %j', (env, address) => {
    expect(publicAddress(readConfig(env))).toBe(address);
  });

  it('requires a password of administrators only in production', () => {
    const sessionsOf = (env: NodeJS.ProcessEnv) => adminSessions(readConfig(env));
    const production = { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32) };
    expect([sessionsOf({}), sessionsOf(production)]).toEqual(['any', 'password']);
    expect(sessionsOf({ ...production, ADMIN_SESSIONS: 'any' })).toBe('any');
    expect(sessionsOf({ ADMIN_SESSIONS: 'password' })).toBe('password');
  });

  it('pins the clock', () => {
    const log = pino({ level: 'silent' });
    expect(clockOf({ FIXED_NOW: '2026-01-01T00:00:00Z' }, log).now()).toBe(Date.UTC(2026, 0, 1));
    const before = Date.now();
    const now = clockOf({ FIXED_NOW: undefined }, log).now();
    expect([now >= before, now <= Date.now()]).toEqual([true, true]);
  });
});
