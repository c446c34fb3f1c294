/** Hits of a condition on bars whose states are seen at a glance, and a bound on their number. */
import { describe, expect, it } from '@jest/globals';
import { requireDay } from '../../../engine/market/dates.ts';
import { type BarSeries, EMPTY_SERIES } from '../../../engine/market/series.ts';
import { type First, findHits, TooManyHits } from '../../../engine/outcomes/hits.ts';
import { readPanel } from '../../../engine/outcomes/panel.ts';
import { compileCondition } from '../../../engine/rules/compile.ts';

const FIRST_DAY = requireDay('2020-01-01');

/** Bars at the places of `closes` that have one; a null is a hole. */
function seriesOf(closes: readonly (number | null)[]): BarSeries {
  const places = closes.flatMap((close, i) => (close === null ? [] : [i]));
  const close = Float64Array.from(places, (i) => closes[i] ?? 0);
  const day = Int32Array.from(places, (i) => FIRST_DAY + i);
  return { ...EMPTY_SERIES, length: places.length, day, close, open: close, high: close, low: close, volume: close };
}

const condition = compileCondition(['>', ['close'], 10]);

/** Places of the hits of a single instrument, from `first` on. */
async function placesOf(closes: readonly (number | null)[], beginnings: First, first = 0): Promise<number[]> {
  const series = seriesOf(closes);
  const market = {
    members: [{ asset_type: 'stock', venue: '' }],
    visit: () => [{ member: 0, series, isDelisted: false }],
  };
  const clock = { sessions: Int32Array.from(closes, (_, i) => FIRST_DAY + i), first };
  const panel = await readPanel(market, clock, 'close');
  const programs = { where: [], condition, by: null };
  const { rows } = await findHits(market, clock, panel, programs, { beginnings, wanted: Uint8Array.of(1) });
  return [...rows];
}

describe('hits of close > 10', () => {
  const closes = [9, 11, 12, 9, 11, null, null, 12, 9, null, 11, 9, 11];

  it('are the beginnings, which the own bar before decides', async () => {
    expect(await placesOf(closes, true)).toEqual([1, 4, 10, 12]);
  });

  it('are all sessions of a state', async () => {
    expect(await placesOf(closes, false)).toEqual([1, 2, 4, 7, 10, 12]);
  });

  it('have no other one so many sessions before', async () => {
    expect(await placesOf(closes, { sessions: 3 })).toEqual([1, 10]);
    expect(await placesOf(closes, { sessions: 2 })).toEqual([1, 4, 10]);
  });

  it('do not begin again where the range does', async () => {
    expect(await placesOf(closes, true, 2)).toEqual([4, 10, 12]);
    expect(await placesOf(closes, true, 6)).toEqual([10, 12]);
  });

  it('are bounded', async () => {
    const series = seriesOf(Array.from({ length: 1_001 }, () => 11));
    const members = Array.from({ length: 1_000 }, () => ({ asset_type: 'stock', venue: '' }));
    const market = { members, visit: () => members.map((_, member) => ({ member, series, isDelisted: false })) };
    const clock = { sessions: series.day, first: 0 };
    const panel = await readPanel(market, clock, 'close');
    const wanted = new Uint8Array(members.length).fill(1);
    const found = findHits(market, clock, panel, { where: [], condition, by: null }, { beginnings: false, wanted });
    await expect(found).rejects.toThrow(TooManyHits);
  });
});
