/**
 * DEPLOY.md followed to the letter on several machines: three of the API, two of workers, two of schedulers, PostgreSQL with a synchronous
 * standby, PgBouncer, and nginx, all with Debian's packages. Nothing joins them but a network, and callers know the proxy alone.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { required } from '../../../engine/util/values.ts';
import { deadline } from '../../support/deadlines.ts';
import { commandsOf, startBucket } from '../../support/deploy-page.ts';
import { eventually } from '../../support/eventually.ts';
import { Machine, Network, noMachines } from '../../support/machines.ts';

const NETWORK = '10.231.78';
const APIS = ['api-1', 'api-2', 'api-3'];
const WORKERS = ['worker-1', 'worker-2'];
const SCHEDULERS = ['scheduler-1', 'scheduler-2'];
const NAMES = [...APIS, ...WORKERS, ...SCHEDULERS, 'primary', 'standby', 'pooler', 'proxy', 'bucket', 'caller'];
const addressOf = (name: string) => `${NETWORK}.${10 + NAMES.indexOf(name)}`;
const PROXY = `http://${addressOf('proxy')}`;
const OTHER_CALLER = `${NETWORK}.200`;

const ADMIN = { email: 'boss@example.com', login: 'admin', password: 'correct horse battery staple' };
const RUN = { strategy: 'sma_cross', time_range: '2Y' };

/** Leaves on a machine what the packages of Debian do, apart from /usr and /etc. */
const PACKAGES = `
  rm -rf /etc/postgresql/*
  install -d -o postgres -g postgres /var/lib/postgresql /var/log/postgresql /run/postgresql
  install -d /var/lib/nginx /var/log/nginx
  LC_ALL=C.UTF-8 pg_createcluster "$(ls /usr/lib/postgresql)" main`;

/** Calls the proxy with the arguments of fetch; prints status and body. */
const CALL = `
  const [url, options] = JSON.parse(process.argv[2]);
  const answer = await fetch(url, { ...options, signal: AbortSignal.timeout(60_000) });
  const text = await answer.text();
  console.log(JSON.stringify({ status: answer.status, location: answer.headers.get('location'), text }));`;

interface Answer {
  readonly status: number;
  readonly location: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: each route answers differently
  readonly data: any;
}

const secret = () => randomBytes(16).toString('hex');
const reason = noMachines(['pgbouncer', 'nginx', 'pg_createcluster', 'runuser', 'sysctl', 'curl']);
if (reason !== null) process.stderr.write(`SKIPPED: several machines by DEPLOY.md (${reason})\n`);

(reason === null ? describe : describe.skip)('several machines', () => {
  const machines = new Map<string, Machine>();
  let network: Network;
  let token: string;

  const machine = (name: string) => required(machines.get(name), name);
  const set = (variables: Readonly<Record<string, string>>) => {
    for (const one of machines.values()) one.set(variables);
  };
  const onAll = async (names: readonly string[], where: string) => {
    await Promise.all(names.map((name) => machine(name).run(commandsOf(where))));
  };

  async function call(method: string, path: string, body?: object, headers: object = {}): Promise<Answer> {
    const options = {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
      body: body && JSON.stringify(body),
    };
    if (token === undefined) Reflect.deleteProperty(options.headers, 'authorization');
    const argument = JSON.stringify([PROXY + path, options]).replaceAll("'", '\\u0027');
    const { status, location, text } = JSON.parse(await machine('caller').run(`node /opt/call.mjs '${argument}'`));
    return { status, location, data: text.startsWith('{') ? JSON.parse(text).data : text };
  }

  const keptSymbols = async (): Promise<string[]> => {
    const { data } = await call('GET', '/v1/backtests');
    return data.items.map(({ symbol }: { readonly symbol: string }) => symbol).sort();
  };

  /** Keeps one run, as often as it has to be tried. */
  async function keep(symbol: string): Promise<void> {
    const key = { 'idempotency-key': secret() };
    await eventually(
      () => call('POST', '/v1/backtest', { ...RUN, symbol }, key),
      ({ status }) => status === 200,
    );
  }

  beforeAll(async () => {
    network = Network.start(`market-switch-${process.pid}`);
    for (const name of NAMES) {
      machines.set(name, await Machine.start(`market-${name}-${process.pid}`, {}));
      await network.connect(machine(name), addressOf(name));
    }
    const superuser = secret();
    set({
      ADMIN_URL: `postgresql://postgres:${superuser}@${addressOf('primary')}:5432`,
      DATABASE_HOST: `${addressOf('pooler')}:6432`,
      OWNER_PASSWORD: secret(),
      APP_PASSWORD: secret(),
      SUPERUSER_PASSWORD: superuser,
      STANDBY_PASSWORD: secret(),
      JWT_SECRET: secret(),
      PUBLIC_API_BASE: PROXY,
      TRUST_PROXY: addressOf('proxy'),
      SMTP_URL: 'smtp://mail.example.com',
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      NETWORK: `${NETWORK}.0/24`,
      PRIMARY: addressOf('primary'),
      API_HOSTS: APIS.map(addressOf).join(' '),
      ...(await startBucket(machine('bucket'), addressOf('bucket'))),
    });
    await machine('caller').run(`cat > /opt/call.mjs <<'CALL'\n${CALL}\nCALL\nip addr add ${OTHER_CALLER}/24 dev eth0`);
    for (const name of ['primary', 'standby', 'pooler', 'proxy']) await machine(name).run(PACKAGES);
    await onAll(NAMES, 'On every machine');

    const service = [...APIS, ...WORKERS, ...SCHEDULERS];
    await onAll(service, 'On every machine of the service');
    // A smaller market than the default, and threads that this machine has room for.
    for (const name of service) {
      await machine(name).run('printf "SAMPLE_SYMBOLS=50\\nWORKER_SLOTS=2\\n" >> /etc/market-data.env');
    }
    const sizes = await machine('api-1').run(
      commandsOf('Once, on one machine of the service: variables for database and pooler'),
    );
    set(Object.fromEntries(sizes.split('\n').map((line) => line.split('='))));

    await onAll(['primary', 'standby'], 'On the machines of primary and standby');
    await machine('primary').run(commandsOf('On the primary'));
    await machine('standby').run(commandsOf('On the standby'));
    await machine('primary').run(
      `until runuser -u postgres -- psql -Atc 'select state from pg_stat_replication' | grep streaming; do sleep 0.1; done`,
    );
    await machine('primary').run(commandsOf('On the primary, once the standby follows'));
    await machine('pooler').run(commandsOf("On the pooler's machine"));
    await machine('api-1').run(commandsOf('Once, where psql reaches the database'));
    await machine('api-1').run(commandsOf('Once, on one machine of the service'));
    await onAll(APIS, 'On the machines of the API');
    await onAll(WORKERS, 'On the machines of workers');
    await onAll(SCHEDULERS, 'On the machines of schedulers, or of workers');
    await machine('proxy').run(commandsOf("On the proxy's machine"));
    for (const name of service) {
      await machine(name).run(
        `until grep '"msg":"ready"' /var/lib/market-${name.replace(/-\d/, '')}.log; do sleep 0.1; done`,
      );
    }
    const loaded = `select count(distinct name) from pgboss.job where state = 'completed' and name in ('snapshot.build', 'lake.write')`;
    await machine('primary').run(
      `until runuser -u postgres -- psql market -Atc "${loaded}" | grep 2; do sleep 0.5; done`,
    );
  }, deadline(300_000));
  afterAll(async () => {
    await Promise.all([...machines.values()].map((one) => one.stop()));
    network?.stop();
  });

  it('have a first administrator, and nothing is wrong', async () => {
    const found = await machine('worker-1').run(commandsOf('Once, when all run'));
    expect(found).toMatch(/^ok +an API process runs$/m);
    const { login, password } = ADMIN;
    const { status, data } = await call('POST', '/api/auth/admin-login', { login, password });
    expect(status).toBe(200);
    token = data.access_token;
  });

  it('quote, keep a run, and export', async () => {
    expect((await call('GET', '/v1/quote/ACRX')).data).toMatchObject({ symbol: 'ACRX.US' });
    const key = { 'idempotency-key': secret() };
    const first = await call('POST', '/v1/backtest', { ...RUN, symbol: 'ACRX' }, key);
    expect(first).toMatchObject({ status: 200, data: { symbol: 'ACRX.US' } });
    expect((await call('POST', '/v1/backtest', { ...RUN, symbol: 'ACRX' }, key)).data).toEqual(first.data);
    expect(await keptSymbols()).toEqual(['ACRX.US']);
    const spec = { start: '2015-01-02', end: '2025-01-02', symbols: ['ACRX'], format: 'csv' };
    const { location } = await call('POST', '/api/admin/data/export', spec);
    await eventually(
      () => call('GET', required(location)),
      ({ data }) => data.status === 'done',
    );
    expect((await call('GET', `${location}/download`)).data).toContain('ACRX');
  });

  it('limit each caller by its own address', async () => {
    const remaining = (address: string) =>
      machine('caller').run(
        `curl -sSo /dev/null -D - --interface ${address} ${PROXY}/v1/quote/ACRX | sed -n 's/^x-ratelimit-remaining: *//Ip' | tr -d '\\r'`,
      );
    const first = Number(await remaining(addressOf('caller')));
    expect(Number(await remaining(addressOf('caller')))).toBeLessThan(first);
    expect(Number(await remaining(OTHER_CALLER))).toBeGreaterThanOrEqual(first);
  });

  it('refuse a pooler in transaction mode, and say what is wrong with a full one', async () => {
    await machine('pooler').run(`
      cd /etc/pgbouncer
      sed 's/^pool_mode.*/pool_mode = transaction/; s/6432/6433/; s/pgbouncer\\./other./' pgbouncer.ini > other.ini
      sed 's/^default_pool_size.*/default_pool_size = 1/; s/6432/6434/; s/pgbouncer\\./full./' pgbouncer.ini > full.ini
      chown postgres other.ini full.ini
      for name in other full; do runuser -u postgres -- pgbouncer -d $name.ini; done`);
    const start = (name: string, port: number, search = '') =>
      machine('worker-1').run(`
        set -a; . /etc/market-data.env; NODE_ENV=production DATA_DIR=/var/lib/${name}-${port}
        DATABASE_URL=\${DATABASE_URL/6432/${port}}${search}
        node_modules/.bin/node ops/processes/${name}.ts 2>&1 || true`);
    const at = (port: number) => `The database at ${addressOf('pooler')}:${port}`;
    for (const name of ['worker', 'scheduler', 'api']) {
      expect(await start(name, 6433)).toBe(
        `${at(6433)} gives connections no sessions of their own. Set pool_mode = session in its pooler.`,
      );
    }
    expect(await start('scheduler', 6434)).toContain(`${at(6434)} is a pooler without a free connection.`);
    expect(await start('scheduler', 6432, '?options=-cwork_mem%3D1MB')).toBe(
      `${at(6432)} is a pooler that refuses an option of DATABASE_URL or PGOPTIONS. Set it for the role instead.`,
    );
  });

  it('have sessions through the pooler whose limits, commits, and plans are those that the service sets', async () => {
    const printed = await machine('worker-1').run(`
      . /etc/market-data.env
      node --input-type=module -e "
        import { createPool } from '/opt/market-data/db/pool.ts';
        import { CALL_TIMEOUTS } from '/opt/market-data/db/session-limits.ts';
        const options = { max: 1, applicationName: 'test', isDurable: false, isPlannedOnce: true, timeouts: CALL_TIMEOUTS };
        const pool = createPool({ url: '$DATABASE_URL', ...options });
        const { rows } = await pool.query('select name, setting from pg_settings where source = \\'session\\'');
        console.log(JSON.stringify(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))));
        await pool.end();"`);
    expect(JSON.parse(printed)).toMatchObject({
      idle_in_transaction_session_timeout: '5000',
      lock_timeout: '2000',
      plan_cache_mode: 'force_generic_plan',
      statement_timeout: '2400',
      synchronous_commit: 'off',
      tcp_keepalives_idle: '5',
      tcp_user_timeout: '10000',
    });
  });

  it('answer quotes and keep runs while a host of the API is away', async () => {
    network.setCable(machine('api-2'), 'down');
    for (let count = 0; count < 6; count++) {
      expect(await call('GET', '/v1/quote/ACRX')).toMatchObject({ status: 200 });
    }
    await keep('BRVA');
    network.setCable(machine('api-2'), 'up');
  });

  it('lose nothing when the standby takes over', async () => {
    network.setCable(machine('primary'), 'down');
    set({ PRIMARY: addressOf('standby') });
    await machine('standby').run(commandsOf('On the standby that becomes the primary'));
    await machine('pooler').run(commandsOf("On the pooler's machine, with the new PRIMARY"));
    await keep('LUMA');
    expect(await keptSymbols()).toEqual(['ACRX.US', 'BRVA.US', 'LUMA.US']);
  });
});
