/** Clients wait for runs by the events of the account, and guests by calls that wait. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openClient } from '../../../api/clients/typescript/index.ts';
import { type ClientService, openClientService } from '../../support/client-service.ts';
import { eventually } from '../../support/eventually.ts';
import { installPythonClient } from '../../support/python-client.ts';

const python = await installPythonClient();
let service: ClientService;
let key: string;

beforeAll(async () => {
  service = await openClientService();
  key = await service.addKey('enterprise');
});
afterAll(() => service.close());

const SEARCH = { symbol: 'ACRX', strategy: 'sma_cross', time_range: '3Y' } as const;
const GRID = { fast_period: { from: 2, to: 30, step: 1 }, slow_period: { from: 40, to: 200, step: 4 } };

const LONGER_THAN_HELD_S = 3;

/** Work with a search that no worker takes until it has waited for longer than clients hold their first call. */
async function heldBack<Result>(work: () => Promise<Result>): Promise<Result> {
  await service.pause('optimize');
  const done = work();
  const waited = async () => {
    const { rows } = await service.database.pool.query<{ seconds: number }>(
      `select extract(epoch from clock_timestamp() - created_on)::float8 as seconds from pgboss.job
       where name = 'optimize' and state = 'created'`,
    );
    return rows[0]?.seconds ?? 0;
  };
  await eventually(waited, (seconds) => seconds > LONGER_THAN_HELD_S);
  await service.resume('optimize');
  return done;
}

/** A client that notes the paths of its calls. */
function noting(given: { readonly key?: string }) {
  const paths: string[] = [];
  const fetched: typeof fetch = (address, init) => {
    paths.push(String(address).replace(service.url, ''));
    return fetch(address, init);
  };
  return { paths, client: openClient({ url: service.url, fetch: fetched, ...given }) };
}

it('the TypeScript client asks for the state of a job only when an event tells that it changed', async () => {
  const { client, paths } = noting({ key });
  const events: string[] = [];
  const abort = new AbortController();
  const stream = client.stream({ signal: abort.signal });
  const first = stream.next();
  const percents: (number | null)[] = [];
  const onProgress = ({ percent }: { readonly percent: number | null }) => percents.push(percent);
  const found = await heldBack(() => client.optimize({ ...SEARCH, grid: GRID }, { onProgress }));
  expect(found.best.length).toBeGreaterThan(0);
  for (let { value } = await first; value; { value } = await stream.next()) {
    events.push(value.event);
    if (value.event === 'run.ended') break;
  }
  abort.abort();
  expect(events.at(-1)).toBe('run.ended');
  const asked = paths.filter((path) => path.startsWith('/v1/optimize/jobs/'));
  expect([asked[0], new Set(asked.slice(1).map((path) => path.split('?')[1]))]).toEqual([
    expect.stringMatching(/wait=1$/),
    new Set(['wait=0']),
  ]);
  expect(asked.length).toBeLessThanOrEqual(events.length + 2);
  expect(paths.filter((path) => path === '/v1/stream').length).toBe(2);
  expect(percents.length).toBeLessThanOrEqual(asked.length);
});

it('a guest waits in calls', async () => {
  const { client, paths } = noting({});
  await service.pause('backtest');
  const runs = [1, 2].map((days) => client.backtest({ ...SEARCH, cash: { rate: days }, save: false }));
  await new Promise((later) => setTimeout(later, 3_000));
  await service.resume('backtest');
  await Promise.all(runs);
  expect(paths.filter((path) => path === '/v1/stream').length).toBeGreaterThan(0);
  expect(paths.filter((path) => path.includes('/jobs/')).every((path) => !path.endsWith('?wait=0'))).toBe(true);
});

const PROGRAM = `
import json, os
from market_data import Client
market = Client()
paths = []
market._http.event_hooks["request"].append(lambda request: paths.append(request.url.raw_path.decode()))
market.optimize("ACRX", "sma_cross", {"fast_period": {"from": 2, "to": 30, "step": 1}, "slow_period": [50, 100]}, time_range="3Y")
events = market.stream()
job = market.submit_backtest("ACRX", "sma_cross", time_range="1Y")
told = next(one for one in events if one["event"] == "run.ended")
assert told["data"]["job_id"] == job.id and told["id"] > 0
guest = Client(key="")
print(json.dumps([paths, guest.backtest("ACRX", "sma_cross", time_range="1Y").symbol]))
`;

(python ? it : it.skip)('the Python client does so too', async () => {
  const env = { MARKET_API_URL: service.url, MARKET_API_KEY: key };
  const [paths, symbol] = JSON.parse((await heldBack(async () => python?.run(['-c', PROGRAM], env))) ?? '');
  expect(symbol).toBe('ACRX.US');
  const asked = paths.filter((path: string) => path.startsWith('/v1/optimize/jobs/'));
  expect(asked.slice(0, 3).map((path: string) => path.includes('wait'))).toEqual([true, false, false]);
  expect(paths.filter((path: string) => path === '/v1/stream').length).toBe(2);
});
