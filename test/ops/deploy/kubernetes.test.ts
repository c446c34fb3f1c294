/**
 * The manifests for Kubernetes agree with the configuration, the queues, and each other. No cluster runs here, so the tests
 * do not cover KEDA and the network policies, but they run the statement that scales the workers.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { required } from '../../../engine/util/values.ts';
import { LANES, type Lane } from '../../../jobs/contracts/queue-contract.ts';
import { QUEUES } from '../../../jobs/contracts/queues.ts';
import { SQL_LIMITS } from '../../../jobs/contracts/sql.ts';
import { createLogger } from '../../../jobs/logger.ts';
import { openBoss } from '../../../jobs/queue/boss.ts';
import { send } from '../../../jobs/queue/send.ts';
import { CONFIG_VARIABLES, type Config, readConfig } from '../../../ops/config.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const FOLDER = new URL('../../../ops/deploy/kubernetes/', import.meta.url);
/** The seconds after the grace period until a process kills itself. */
const HARD_STOP_S = 10;

/** The longest that the service accepts. */
const MOST_GRACE_S = 600;
/** A worker itself, with its threads. */
const WORKER_MIB = 1024;

const labels = z.record(z.string(), z.string());
const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const containerSchema = z.object({
  image: z.literal('market-data'),
  command: z.array(z.string()),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })).default([]),
  startupProbe: probe.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.object({ mountPath: z.string() })),
  resources: z.object({ limits: z.object({ memory: z.string() }) }),
});
const podSchema = z.object({
  metadata: z.object({ labels }),
  spec: z.object({
    terminationGracePeriodSeconds: z.int().default(30),
    automountServiceAccountToken: z.literal(false),
    securityContext: z.object({ runAsNonRoot: z.literal(true) }),
    containers: z.tuple([containerSchema]),
  }),
});
const workloadSchema = z.object({ metadata: z.object({ name: z.string() }), spec: z.object({ template: podSchema }) });
const scaledSchema = z.object({
  spec: z.object({
    scaleTargetRef: z.object({ name: z.string() }),
    advanced: z.object({
      horizontalPodAutoscalerConfig: z.object({
        behavior: z.object({
          scaleDown: z.object({
            stabilizationWindowSeconds: z.int().min(60),
            policies: z.tuple([
              z.object({ type: z.literal('Pods'), value: z.literal(1), periodSeconds: z.int().min(30) }),
            ]),
          }),
        }),
      }),
    }),
    triggers: z.tuple([z.object({ metadata: z.object({ query: z.string(), targetQueryValue: z.string() }) })]),
  }),
});
const selectingSchema = z.object({ spec: z.object({ selector: z.object({ matchLabels: labels }) }) });
const policySchema = z.object({ spec: z.object({ podSelector: z.object({ matchLabels: labels.optional() }) }) });
const settingsSchema = z.object({ data: labels });

const files = readdirSync(FOLDER).filter((name) => name !== 'kustomization.yaml');
const documents = files.flatMap((name) =>
  parseAllDocuments(readFileSync(new URL(name, FOLDER), 'utf8')).map((one): unknown => one.toJS()),
);
const kindOf = z.object({ kind: z.string() });
const ofKind = <T>(kind: string, schema: z.ZodType<T>): T[] =>
  documents.filter((one) => kindOf.parse(one).kind === kind).map((one) => schema.parse(one));

const workloads = [...ofKind('Deployment', workloadSchema), ...ofKind('Job', workloadSchema)];
const settings = required(ofKind('ConfigMap', settingsSchema)[0]).data;
/** A value that the service accepts; the real ones are in the cluster. */
const SECRETS = {
  DATABASE_URL: 'postgresql://market_app@database.example.com:5432/market',
  JWT_SECRET: 'x'.repeat(32),
  S3_ACCESS_KEY_ID: 'x',
  S3_SECRET_ACCESS_KEY: 'x',
};
function mebibytesOf(quantity: string): number {
  const [, count, unit] = required(/^(\d+)(Mi|Gi)$/.exec(quantity));
  return Number(count) * (unit === 'Gi' ? 1024 : 1);
}
type Workload = (typeof workloads)[number];
const containerOf = ({ spec }: Workload) => spec.template.spec.containers[0];
const environmentOf = (workload: Workload) => ({
  ...settings,
  ...SECRETS,
  ...Object.fromEntries(containerOf(workload).env.map(({ name, value }) => [name, value])),
});
const configOf = (workload: Workload): Config => readConfig(environmentOf(workload));
const workloadNamed = (name: string) => required(workloads.find(({ metadata }) => metadata.name === name));

it('are all listed for kustomize', () => {
  const list = z
    .object({ resources: z.array(z.string()) })
    .parse(parseAllDocuments(readFileSync(new URL('kustomization.yaml', FOLDER), 'utf8'))[0].toJS());
  expect([...list.resources].sort()).toEqual([...files].sort());
});

describe.each(workloads.map((workload) => [workload.metadata.name, workload] as const))('%s', (_, workload) => {
  it('has settings that the service knows and accepts', () => {
    const names = Object.keys(environmentOf(workload));
    expect(names.filter((name) => !CONFIG_VARIABLES.includes(name))).toEqual([]);
    expect(configOf(workload).NODE_ENV).toBe('production');
  });

  it('runs an existing program', () => {
    const [program, file] = containerOf(workload).command;
    expect(program).toBe('node');
    expect(() => readFileSync(new URL(`../../../${file}`, import.meta.url))).not.toThrow();
  });

  it('stores its data in a writable folder', () => {
    const folders = containerOf(workload).volumeMounts.map(({ mountPath }) => mountPath);
    expect(folders).toEqual(expect.arrayContaining([configOf(workload).DATA_DIR, '/tmp']));
  });

  it('has time to shut down', () => {
    if (workload.metadata.name === 'migrate') return;
    const { DRAIN_SECONDS, SHUTDOWN_GRACE_S } = configOf(workload);
    const needed = DRAIN_SECONDS + SHUTDOWN_GRACE_S + HARD_STOP_S;
    expect(workload.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(needed);
  });
});

it('probe the API at the ports and paths that it serves', () => {
  const api = workloadNamed('api');
  const { ports, startupProbe, readinessProbe, livenessProbe } = containerOf(api);
  const { PORT, METRICS_PORT } = configOf(api);
  expect(ports).toEqual([
    { name: 'http', containerPort: PORT },
    { name: 'metrics', containerPort: METRICS_PORT },
  ]);
  const probes = [startupProbe, readinessProbe, livenessProbe].map((one) => required(one).httpGet);
  expect(probes).toEqual([
    { path: '/readyz', port: 'http' },
    { path: '/readyz', port: 'http' },
    { path: '/healthz', port: 'http' },
  ]);
});

describe('workers', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const scaled = ofKind('ScaledObject', scaledSchema);
  /** Mails are sent beside webhooks. */
  const workerOf = (lane: Lane) => `worker-${lane === 'mail' ? 'outbound' : lane}`;
  const slotsOfWorker = (lane: Lane) => configOf(workloadNamed(workerOf(lane))).WORKER_SLOTS;
  const triggerOf = (lane: Lane) =>
    required(scaled.find(({ spec }) => spec.scaleTargetRef.name === workerOf(lane))).spec.triggers[0].metadata;

  it.each(LANES)('of lane %s take only its jobs, and scale with the jobs in its queues', (lane) => {
    const slots = slotsOfWorker(lane);
    const [own, others] = [true, false].map((isOwn) =>
      LANES.filter((other) => (workerOf(other) === workerOf(lane)) === isOwn),
    );
    expect(others.map((other) => slots[other])).toEqual(others.map(() => 0));
    const { query, targetQueryValue } = triggerOf(lane);
    expect(Number(targetQueryValue)).toBe(own.reduce((sum, one) => sum + slots[one], 0));
    const named = [...query.matchAll(/'([\w.]+)'/g)].map(([, name]) => name);
    const queues = Object.values(QUEUES).filter((queue) => own.includes(queue.lane));
    expect([...named].sort()).toEqual(['created', 'retry', 'active', ...queues.map(({ name }) => name)].sort());
  });

  it.each(LANES)('of lane %s finish their jobs before they end', (lane) => {
    const queues = Object.values(QUEUES).filter((queue) => queue.lane === lane);
    const longest = Math.max(...queues.map(({ options }) => required(options.expireInSeconds)));
    const { SHUTDOWN_GRACE_S } = configOf(workloadNamed(workerOf(lane)));
    expect(SHUTDOWN_GRACE_S).toBeGreaterThanOrEqual(Math.min(longest, MOST_GRACE_S));
  });

  it('have memory for a query in every slot that can run one', () => {
    const { lane } = QUEUES.sql;
    const { memory } = containerOf(workloadNamed(workerOf(lane))).resources.limits;
    const needed = WORKER_MIB + slotsOfWorker(lane)[lane] * SQL_LIMITS.processMb;
    expect(mebibytesOf(memory)).toBeGreaterThanOrEqual(needed);
  });

  it('are scaled by a statement that is valid in the database', async () => {
    const boss = await openBoss({ url: database.url, log: createLogger('test', 'silent') });
    await send(boss, database.pool, 'storage.remove', crypto.randomUUID(), { prefix: 'users/7/', requestId: null });
    await boss.stop({ graceful: false });
    const counts = await Promise.all(
      LANES.map(async (lane) => Number((await database.pool.query(triggerOf(lane).query)).rows[0].count)),
    );
    expect(counts).toEqual(LANES.map((lane) => (lane === 'background' ? 1 : 0)));
  });
});

it('disruption budgets and network policies select existing pods', () => {
  const pods = workloads.map(({ spec }) => spec.template.metadata.labels);
  const selectors = [
    ...ofKind('PodDisruptionBudget', selectingSchema).map(({ spec }) => spec.selector.matchLabels),
    ...ofKind('NetworkPolicy', policySchema).map(({ spec }) => spec.podSelector.matchLabels ?? {}),
  ];
  expect(selectors.length).toBeGreaterThan(5);
  for (const selector of selectors) {
    expect(pods).toContainEqual(expect.objectContaining(selector));
  }
});
