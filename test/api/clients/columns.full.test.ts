/** The TypeScript client writes columns from files of every kind, has records judged, and sends each file as often as is safe. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  type Client,
  InvalidOption,
  JobFailed,
  type JobProgress,
  openClient,
} from '../../../api/clients/typescript/index.ts';
import { type ClientService, openClientService } from '../../support/client-service.ts';

let service: ClientService;
let market: Client;
beforeAll(async () => {
  service = await openClientService();
  market = openClient({ url: service.url, key: await service.addKey('pro') });
});
afterAll(() => service.close());

const ROWS = 'symbol,date,value\nACRX,2024-01-02,1\nLUMA,2024-01-02,2\n';
const BYTES = new TextEncoder().encode(ROWS);

it.each([
  ['text', () => ROWS],
  ['bytes', () => BYTES],
  ['a blob', () => new Blob([ROWS])],
  ['a stream', () => new Blob([ROWS]).stream()],
])('writes a column from %s, and returns the account of its lines', async (_, file) => {
  const states: string[] = [];
  const written = await market.putColumn(
    'score',
    file(),
    { lag: 0 },
    { onProgress: ({ status }) => states.push(status) },
  );
  expect(written).toMatchObject({ column: { name: 'score', rows: 2, lag: 0 }, account: { lines: 3, loaded: 2 } });
  expect(states.at(-1)).toBe('done');
});

it('says why a file is refused', async () => {
  await expect(market.putColumn('score', 'symbol,when\n')).rejects.toThrow(JobFailed);
  await expect(Reflect.apply(market.putColumn, null, ['score', ROWS, {}, { wait: 1 }])).rejects.toThrow(InvalidOption);
});

const RECORD = 'date,fund,held\n2026-05-04,0.01,0\n2026-05-05,-0.002,0.004\n2026-05-06,0.003,-0.001\n';

it.each([
  ['text', () => RECORD],
  ['a stream', () => new Blob([RECORD]).stream()],
])('has a record judged from %s', async (_, file) => {
  const states: string[] = [];
  const options = { onProgress: ({ status }: JobProgress) => states.push(status) };
  const { streams, ...judged } = await market.judge(file(), { benchmark: 'held', frequency: 'day' }, options);
  expect(streams.map(({ name, periods }) => [name, periods])).toEqual([['fund', 3]]);
  expect(judged).toMatchObject({ form: 'returns', benchmark: 'held', account: { lines: 4, loaded: 3 } });
  expect(states.at(-1)).toBe('done');
});

it('says why a record is not judged', async () => {
  await expect(market.judge('when,fund\n')).rejects.toThrow(JobFailed);
  await expect(market.judge(RECORD, { trials: 0 })).rejects.toMatchObject({ status: 422 });
});

/** The bodies that a client sends which gets 503. */
async function sentBy(send: (failing: Client) => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const fetch = async (_url: unknown, init?: RequestInit) => {
    sent.push(await new Response(init?.body).text());
    return new Response('', { status: 503 });
  };
  const failing = openClient({ url: service.url, fetch, retries: { maxRetries: 2, firstWaitMs: 1 } });
  await expect(send(failing)).rejects.toMatchObject({ status: 503 });
  return sent;
}

it.each([
  ['a text', ROWS, {}, 3],
  ['rows that are appended', ROWS, { mode: 'append' }, 1],
  ['a stream', new Blob([ROWS]).stream(), {}, 1],
] as const)('sends %s as often as is safe', async (_, file, query, calls) => {
  expect(await sentBy(({ putColumn }) => putColumn('score', file, query))).toEqual(Array(calls).fill(ROWS));
});

it('sends a record again, of which nothing is kept', async () => {
  expect(await sentBy(({ judge }) => judge(RECORD))).toEqual(Array(3).fill(RECORD));
});
