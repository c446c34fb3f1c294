/** Sealing bands against figures that were computed elsewhere. */
import { expect, it } from '@jest/globals';
import { bandsOf, standingOf } from '../../../engine/forward/bands.ts';
import { meanBlockLength } from '../../../engine/statistics/draws.ts';
import { readKnownAnswers } from '../../support/known-answers.ts';

// biome-ignore lint/suspicious/noExplicitAny: parts of an answer, each of its own form
const { content, describe } = readKnownAnswers<unknown, { readonly bands: readonly any[] }>('forward.json');
const series = (values: readonly number[]) => Float64Array.from(values);

describe('bands', () => {
  for (const [number, one] of (content?.bands ?? []).entries()) {
    it(`of known run ${number + 1}`, () => {
      const sealed = { returns: series(one.returns), market: series(one.benchmark_returns), seed: one.seed };
      expect(meanBlockLength(sealed.returns)).toBeCloseTo(one.growth.block_length, 9);
      const bands = bandsOf(sealed);
      for (const name of ['growth', 'excess'] as const)
        for (const expected of one[name].bands) {
          const band = bands?.[name][expected.session - 1];
          for (const key of ['p5', 'p25', 'p50', 'p75', 'p95'] as const)
            expect([name, expected.session, key, Math.abs((band?.[key] ?? 0) / expected[key] - 1) < 1e-9]).toEqual([
              name,
              expected.session,
              key,
              true,
            ]);
        }
      const live = { returns: series(one.live.returns), market: series(one.live.benchmark_returns) };
      const standing = standingOf(sealed, live);
      for (const [name, key] of [
        ['growth', 'place'],
        ['excess', 'place_excess'],
      ] as const) {
        const { sessions, growth, below, rank, inside_90 } = one[key];
        expect(live.returns).toHaveLength(sessions);
        expect(standing?.[name]).toMatchObject({ below, rank, isInside: inside_90 });
        expect(standing?.[name].growth).toBeCloseTo(growth, 9);
      }
    });
  }
});
