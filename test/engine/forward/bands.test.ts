/** Sealing bands against figures that were computed elsewhere. */
import { expect, it } from '@jest/globals';
import { bandsOf, standingOf } from '../../../engine/forward/bands.ts';
import { meanBlockLength } from '../../../engine/statistics/draws.ts';
import { readKnownAnswers } from '../../support/known-answers.ts';
import { lehmer } from '../../support/series.ts';

// biome-ignore lint/suspicious/noExplicitAny: parts of an answer, each of its own form
const { content, describe } = readKnownAnswers<unknown, { readonly bands: readonly any[] }>('forward.json');
const series = (values: readonly number[]) => Float64Array.from(values);

describe('bands', () => {
  it('are those that were computed elsewhere, and so are the places in them', () => {
    for (const one of content?.bands ?? []) {
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
    }
  });
});

it('are null for fewer than 60 returns, and there is no place before the first session', () => {
  const next = lehmer(1);
  const of = (length: number) => Float64Array.from({ length }, () => 0.02 * (next() - 0.5));
  const sealed = (length: number) => ({ returns: of(length), market: of(length), seed: '0123456789abcdef' });
  const live = (length: number) => ({ returns: of(length), market: of(length) });
  expect(bandsOf(sealed(59))).toBeNull();
  expect(standingOf(sealed(59), live(5))).toBeNull();
  expect(standingOf(sealed(60), live(0))).toBeNull();
  expect(standingOf(sealed(60), live(251))).toBeNull();
  const lost = { returns: new Float64Array(5).fill(-0.5), market: new Float64Array(5) };
  expect(standingOf(sealed(200), lost)?.growth).toMatchObject({ below: 0, rank: 1, isInside: false });
  const bands = bandsOf(sealed(200));
  const lowered = bandsOf({ ...sealed(200) }, 0.01);
  expect(bands?.growth).toHaveLength(250);
  for (const [i, { p5, p25, p50, p75, p95 }] of (bands?.growth ?? []).entries()) {
    expect([p5, p25, p50, p75, p95].toSorted((a, b) => a - b)).toEqual([p5, p25, p50, p75, p95]);
    expect(lowered?.growth[i].p50).toBeLessThan(p50);
  }
});
