/** The TypeScript client writes columns from files of every kind, and sends each as often as is safe. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Client, InvalidOption, JobFailed, openClient } from '../../../api/clients/typescript/index.ts';
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

/** Calls that get 503, by what is sent. */
it.each([
  ['a text', ROWS, {}, 3],
  ['rows that are appended', ROWS, { mode: 'append' }, 1],
  ['a stream', new Blob([ROWS]).stream(), {}, 1],
] as const)('sends %s as often as is safe', async (_, file, query, calls) => {
  const sent: string[] = [];
  const fetch = async (_url: unknown, init?: RequestInit) => {
    sent.push(await new Response(init?.body).text());
    return new Response('', { status: 503 });
  };
  const failing = openClient({ url: service.url, fetch, retries: { maxRetries: 2, firstWaitMs: 1 } });
  await expect(failing.putColumn('score', file, query)).rejects.toMatchObject({ status: 503 });
  expect(sent).toEqual(Array(calls).fill(ROWS));
});
