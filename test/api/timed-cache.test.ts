import { describe, expect, it } from '@jest/globals';
import { timedCache } from '../../api/http/timed-cache.ts';

describe('a timed cache', () => {
  it('computes once for concurrent and later callers', async () => {
    const gates: PromiseWithResolvers<{ n: number }>[] = [];
    const compute = () => {
      const gate = Promise.withResolvers<{ n: number }>();
      gates.push(gate);
      return gate.promise;
    };
    const lasting = timedCache(60_000, compute);
    const [first, second] = [lasting(), lasting()];
    gates[0].resolve({ n: 1 });
    expect(await Promise.all([first, second, lasting()])).toEqual([
      { value: { n: 1 }, cached: false },
      { value: { n: 1 }, cached: true },
      { value: { n: 1 }, cached: true },
    ]);
    expect(gates).toHaveLength(1);
  });

  it('does not keep a failure', async () => {
    let calls = 0;
    const read = timedCache(60_000, async () => {
      calls++;
      if (calls === 1) throw new Error('away');
      return { calls };
    });
    await expect(read()).rejects.toThrow('away');
    expect(await read()).toEqual({ value: { calls: 2 }, cached: false });
  });
});
