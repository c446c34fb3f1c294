/** `split` and `qfq` are one word, for candles and for runs; an answer has the word of its own route. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSampleService, type SampleService } from '../../support/sample-service.ts';

let service: SampleService;

beforeAll(async () => {
  service = await openSampleService();
});
afterAll(() => service.close());

describe('split and qfq', () => {
  it('are one word for candles, whose answers say qfq', async () => {
    const at = (adjust: string) => service.api.get(`/v1/kline/ACRX?start=2025-06-05&end=2025-06-10&adjust=${adjust}`);
    const [qfq, split] = [await at('qfq'), await at('split')];
    expect(qfq.body.data.adjust).toBe('qfq');
    expect(split.body).toEqual(qfq.body);
    const batch = (adjust: string) =>
      service.api.post('/v1/batch', { symbols: ['ACRX'], type: 'kline', days: 300, adjust });
    expect((await batch('split')).body.data).toEqual((await batch('qfq')).body.data);
    const values = (adjust: string) => service.api.get(`/v1/rules/values/ACRX?values=close&days=300&adjust=${adjust}`);
    expect((await values('split')).body).toEqual((await values('qfq')).body);
  });

  it('are one word for runs, whose answers say split', async () => {
    const run = async (adjust: string) => {
      const body = { symbol: 'ACRX', strategy: 'sma_cross', time_range: '2Y', adjust };
      const { body: answer } = await service.api.post('/v1/backtest', body);
      return [answer.code, answer.data?.adjust, answer.data?.receipt.spec_sha256];
    };
    const split = await run('split');
    expect(split).toEqual([0, 'split', expect.any(String)]);
    expect(await run('qfq')).toEqual(split);
  });

  it('are neither a word for anything else', async () => {
    const wrong = await service.api.get('/v1/kline/ACRX?adjust=forward');
    expect([wrong.status, wrong.body.key]).toEqual([400, 'error.invalid_adjust']);
    const inherited = await service.api.get('/v1/kline/ACRX?adjust=constructor');
    expect(inherited.status).toBe(400);
  });
});
