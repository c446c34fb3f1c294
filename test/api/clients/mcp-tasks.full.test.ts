/** The revision of 2026-07-28: tasks, resources, prompts, and the suite of the protocol's authors. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type ClientService, openClientService } from '../../support/client-service.ts';
import { eventually } from '../../support/eventually.ts';
import { REVISION, runSuite } from '../../support/protocol-suite.ts';

const PREFIX = 'io.modelcontextprotocol';

let service: ClientService;
let key: string;

// biome-ignore lint/suspicious/noExplicitAny: each method answers differently
type Answer = any;

beforeAll(async () => {
  service = await openClientService();
  key = await service.addKey('pro');
});
afterAll(async () => {
  await service.close();
});

/** A call as a client of the revision sends it. */
async function send(
  method: string,
  params: Record<string, unknown>,
  { by = key, extensions = {} } = {},
): Promise<Answer> {
  const named = params.name ?? params.uri ?? params.taskId;
  const answer = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${by}`,
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(named === undefined ? {} : { 'mcp-name': String(named) }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          [`${PREFIX}/protocolVersion`]: REVISION,
          [`${PREFIX}/clientInfo`]: { name: 'test', version: '1' },
          [`${PREFIX}/clientCapabilities`]: { extensions },
        },
      },
    }),
  });
  return JSON.parse(await answer.text());
}

const TASKS = { extensions: { [`${PREFIX}/tasks`]: {} } };
const backtest = (symbol: string) => ({
  name: 'run',
  arguments: { kind: 'backtest', spec: { symbol, strategy: 'sma_cross', time_range: '3Y' } },
});

describe('a run that takes long', () => {
  it('is a task for clients that take one: it can be followed to its result, by its owner alone', async () => {
    await service.pause('backtest');
    const { result: task } = await send('tools/call', backtest('ACRX'), TASKS);
    expect(task).toMatchObject({
      resultType: 'task',
      taskId: expect.stringMatching(/^backtest\./),
      status: 'working',
      ttlMs: 3_600_000,
      pollIntervalMs: 2_000,
    });
    const { taskId } = task;
    const get = async (by = key) => send('tasks/get', { taskId }, { ...TASKS, by });
    expect((await get()).result).toMatchObject({ resultType: 'complete', taskId, status: 'working' });
    expect((await get(await service.addKey('free'))).error.code).toBe(-32602);
    await service.resume('backtest');
    const { result } = await eventually(get, (answer) => answer.result.status !== 'working');
    expect(result).toMatchObject({
      status: 'completed',
      result: { structuredContent: { kind: 'backtest', symbol: 'ACRX.US', sharpe: expect.any(Number) } },
    });
  });

  it('can be canceled while it waits', async () => {
    await service.pause('backtest');
    const { result: task } = await send('tools/call', backtest('LUMA'), TASKS);
    const { taskId } = task;
    const foreign = await send('tasks/cancel', { taskId }, { ...TASKS, by: await service.addKey('free') });
    expect(foreign.error.code).toBe(-32602);
    expect((await send('tasks/get', { taskId }, TASKS)).result.status).toBe('working');
    expect((await send('tasks/cancel', { taskId }, TASKS)).result.resultType).toBe('complete');
    expect((await send('tasks/get', { taskId }, TASKS)).result.status).toBe('cancelled');
    await service.resume('backtest');
    for (const unknown of ['nothing', 'backtest.x.y', `sweep.${taskId.slice(9)}`]) {
      expect((await send('tasks/get', { taskId: unknown }, TASKS)).error.code).toBe(-32602);
    }
  });

  it('can be canceled with the scope that began it, which removes nothing that has ended', async () => {
    const by = await service.addKey('pro');
    await service.database.pool.query(
      `update api_keys set scopes = '{read,research}' where user_id = (select max(user_id) from api_keys)`,
    );
    const headers = { 'x-api-key': by };
    const sweep = (periods: readonly number[]) =>
      send(
        'tools/call',
        {
          name: 'run',
          arguments: {
            kind: 'sweep',
            spec: {
              universe: { symbols: ['ACRX'] },
              runs: [{ strategy: 'sma_cross', grid: { fast_period: periods } }],
            },
          },
        },
        { ...TASKS, by },
      );
    await service.pause('sweep.chunk');
    const { result: task } = await sweep([5, 10]);
    expect(task).toMatchObject({ status: 'working', taskId: expect.stringMatching(/^sweep\./) });
    expect((await send('tasks/cancel', { taskId: task.taskId }, { ...TASKS, by })).result.resultType).toBe('complete');
    expect((await send('tasks/get', { taskId: task.taskId }, { ...TASKS, by })).error.code).toBe(-32602);
    const { taskId } = (await sweep([5, 20])).result;
    await service.resume('sweep.chunk');
    await eventually(
      () => send('tasks/get', { taskId }, { ...TASKS, by }),
      ({ result }) => result.status === 'completed',
    );
    const removed = await fetch(`${service.url}/v1/sweeps/${taskId.split('.')[1]}`, { method: 'DELETE', headers });
    expect([removed.status, JSON.parse(await removed.text()).key]).toEqual([403, 'error.scope_missing']);
  });

  it('has a handle for other clients', async () => {
    const { result } = await send('tools/call', backtest('BRVA'));
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { id: expect.any(String) } });
  });
});

describe('an assistant of any revision', () => {
  let client: Client;
  beforeAll(async () => {
    client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
  });
  afterAll(() => client.close());

  const textOf = async (uri: string) => {
    const { contents } = await client.readResource({ uri });
    const [one] = contents;
    return 'text' in one ? one.text : '';
  };

  it('reads instruments, runs, receipts, and documentation as resources', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ name }) => name)).toEqual(['instrument', 'run', 'receipt', 'docs']);
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toContain('docs://RULES/Conditions');
    expect(await textOf('docs://RULES/Conditions')).toContain('crosses_above(x, y)');
    expect(await textOf('market://instruments/ACRX')).toMatch(/"name":"<untrusted>Apex .*"last":\d/);
    const run = uris.find((uri) => uri.startsWith('market://runs/backtest/')) ?? '';
    expect(JSON.parse(await textOf(run))).toMatchObject({ kind: 'backtest', sharpe: expect.any(Number) });
    expect(JSON.parse(await textOf(run.replace('runs', 'receipts')))).toHaveProperty('result_sha256');
    for (const missing of ['market://runs/backtest/999999', 'market://runs/nothing/1', 'docs://RULES/Nothing']) {
      await expect(client.readResource({ uri: missing })).rejects.toThrow(/not found/i);
    }
  });

  it('gets prompts that name tools, and kinds, that are there', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['judge_strategy', 'build_rotation', 'explain_alert']);
    for (const { name, arguments: wanted = [] } of prompts) {
      const given = Object.fromEntries(wanted.map((argument) => [argument.name, 'ACRX']));
      const { messages } = await client.getPrompt({ name, arguments: given });
      expect(JSON.stringify(messages)).toMatch(/ACRX.*run, kind (backtest|factors|outcomes)/s);
    }
  });
});

/** Runs a scenario of the suite. Returns its failed checks. */
async function failedChecks(scenario: string): Promise<string[]> {
  const told = await runSuite(`${service.url}/mcp`, '--scenario', scenario, '--spec-version', REVISION);
  expect(told).toMatch(/Passed: [1-9]/);
  return [...told.matchAll(/\[([\w-]+) *\] FAILURE/g)].map(([, check]) => check).sort();
}

describe('the suite of the protocol', () => {
  it.each([
    'tools-list',
    'server-sse-multiple-streams',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'caching',
    'input-required-result-unsupported-methods',
    'http-header-validation',
  ])('passes in %s', async (scenario) => {
    expect(await failedChecks(scenario)).toEqual([]);
  });

  it('passes in server-stateless, but for what needs tools of the suite', async () => {
    expect(await failedChecks('server-stateless')).toEqual([
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-missing-capability-http-400',
      'sep-2575-server-no-log-without-loglevel',
      'sep-2575-server-rejects-undeclared-capability',
    ]);
  });
});
