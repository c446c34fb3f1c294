/** Records judged over HTTP by a real worker process, awaited and not, beyond the size of other bodies. */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addPerson, type Person } from '../../support/accounts.ts';
import type { TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { openSampleService, type SampleService } from '../../support/sample-service.ts';
import { lehmer } from '../../support/series.ts';

let service: SampleService;
let api: TestApi;
let pro: Person;

beforeAll(async () => {
  service = await openSampleService();
  ({ api } = service);
  pro = await addPerson(api, undefined, { plan: 'pro' });
});
afterAll(() => service.close());

const STREAMS = 100;
const MEBIBYTE = 1024 * 1024;

function record(rows: number): string {
  const next = lehmer(7);
  const names = Array.from({ length: STREAMS }, (_, k) => `s${k}`);
  const lines = Array.from({ length: rows }, (_, i) => {
    const day = new Date(Date.UTC(2022, 0, 3 + i)).toISOString().slice(0, 10);
    return [day, ...names.map((_, k) => 0.0001 * (k % 7) + 0.02 * (next() - 0.5))].join(',');
  });
  return [`date,${names.join(',')}`, ...lines].join('\n');
}

const send = (body: string, headers: Record<string, string> = {}) =>
  api.post('/v1/judge?benchmark=ACRX', body, { ...pro.program, 'content-type': 'text/csv', ...headers });
const uploads = () =>
  readdirSync(service.objects, { recursive: true }).filter((name) => String(name).includes('uploads/'));

it('is awaited, and the same for a caller who asks later', async () => {
  const body = record(700);
  expect(body.length).toBeGreaterThan(MEBIBYTE);
  const awaited = await send(body);
  expect([awaited.status, awaited.body.data?.streams?.length]).toEqual([200, STREAMS]);
  const { selection, pbo, spa, notes } = awaited.body.data;
  expect([selection.trials, pbo.counts.length, spa.consistent]).toEqual([STREAMS, 20, expect.any(Number)]);
  expect(notes.map(({ code }: { code: string }) => code)).toContain('no_session');
  const accepted = await send(body, { prefer: 'respond-async' });
  expect(accepted.status).toBe(202);
  const { body: state } = await eventually(
    () => api.get(accepted.body.data.location, pro.program),
    ({ body: { data } }) => data.status === 'done',
  );
  expect(state.data.result).toEqual(awaited.body.data);
  expect(uploads()).toEqual([]);
});

it('is refused by the answer of the call that waits for it', async () => {
  const refused = await send('day,a\n2024-01-02,x\n');
  expect([refused.status, refused.body.key, refused.body.message]).toEqual([
    400,
    'error.record_refused',
    expect.stringMatching(/line 2 \(bad_value\): 2024-01-02,x/),
  ]);
});
