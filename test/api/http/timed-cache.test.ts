import { describe, expect, it } from '@jest/globals';
import { timedCache } from '../../../api/http/timed-cache.ts';
import { eventually } from '../../support/eventually.ts';

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

  it('does not cache a failure', async () => {
    let calls = 0;
    const read = timedCache(60_000, async () => {
      calls++;
      if (calls === 1) throw new Error('away');
      return { calls };
    });
    await expect(read()).rejects.toThrow('away');
    expect(await read()).toEqual({ value: { calls: 2 }, cached: false });
  });

  it('that outlives failures returns the previous value while the next one is late, and then the next one', async () => {
    const gates: PromiseWithResolvers<{ n: number }>[] = [];
    const compute = () => {
      const gate = Promise.withResolvers<{ n: number }>();
      gates.push(gate);
      return gate.promise;
    };
    const read = timedCache(1, compute, { outlivesFailures: true });
    const first = read();
    gates[0].resolve({ n: 1 });
    await first;
    await eventually(
      async () => (await read()).value.n,
      () => gates.length === 2,
    );
    for (let i = 0; i < 20; i++) expect(await read()).toEqual({ value: { n: 1 }, cached: true });
    gates[1].reject(new Error('away'));
    expect((await read()).value).toEqual({ n: 1 });
    await eventually(read, () => gates.length === 3);
    gates[2].resolve({ n: 3 });
    await eventually(
      async () => (await read()).value.n,
      (n) => n === 3,
    );
  });
});
