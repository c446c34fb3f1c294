/** Studies of factors that end earlier: what they say of a session stays, and values never know the bars after it. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { figuresOf } from '../../../engine/factors/series-figures.ts';
import {
  type Every,
  type Horizon,
  type StudySessions,
  spanOf,
  studySessions,
} from '../../../engine/factors/sessions.ts';
import { studyFactors } from '../../../engine/factors/study.ts';
import { type AdjustMode, type Adjustment, adjustToLastBar } from '../../../engine/market/adjust.ts';
import type { Day } from '../../../engine/market/dates.ts';
import { type BarSeries, keepDays, sliceByDay } from '../../../engine/market/series.ts';
import { clockOf } from '../../../engine/portfolio/clock.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { compileValue } from '../../../engine/rules/compile.ts';
import { evaluateMarket, type Market } from '../../../engine/rules/market-values.ts';
import { asTraded, randomEvents } from '../../support/events.ts';
import { lehmer, mapSeries, randomSeries } from '../../support/series.ts';

const MEMBERS = 9;
const SESSIONS = 80;
const QUANTILES = 3;
const HORIZONS: readonly Horizon[] = [1, 5, 'step'];
/** Price levels, values across the market, and their own history. */
const VALUES = ['-close', 'dollar_volume', 'rank(roc(20))', 'lag(rank(roc(5)), 3)', 'zscore(close) - lag(close, 2)'];

/** An instrument as traded, with its whole history. */
interface Member {
  readonly series: BarSeries;
  readonly events: readonly Adjustment[];
  readonly isDelisted: boolean;
}

/** With halts, listings, delistings of known returns, splits, and dividends. */
function membersOf(seed: number): Member[] {
  return Array.from({ length: MEMBERS }, (_, i) => {
    const random = lehmer(seed + 101 * i + 1);
    const walk = randomSeries(SESSIONS, seed + 7 * i + 1);
    const events = randomEvents(walk, seed + i + 1);
    const [begin, end] = [i % 3 === 1 ? 20 : 0, i % 3 === 2 ? 30 + Math.floor(40 * random()) : SESSIONS];
    const kept = new Set(walk.day.subarray(begin, end).filter(() => random() > 0.06));
    const traded = keepDays(asTraded(walk, events), (day) => kept.has(day));
    const isDelisted = i % 3 === 2;
    const delisting = isDelisted ? { returnPct: -50, venue: '' } : undefined;
    return { series: { ...traded, delisting }, events, isDelisted };
  });
}

const programs = VALUES.map((text) => {
  const checked = checkRule(text, { result: 'value', mayUsePosition: false, market: 'peers', parameters: null });
  if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
  return compileValue(checked.expression);
});

/** The market as it is known at the end of a day. */
function marketAt(members: readonly Member[], end: Day, adjust: AdjustMode) {
  const visited = members.flatMap(({ series, events, isDelisted }, member) => {
    const cut = sliceByDay(series, series.day[0], end);
    if (cut.length === 0) return [];
    const isOver = isDelisted && cut.length === series.length;
    return [{ member, series: adjustToLastBar(cut, events, adjust), isDelisted: isOver }];
  });
  const market: Market = {
    members: members.map(() => ({ asset_type: 'stock', venue: '' })),
    visit: () => visited,
  };
  return { market, clock: clockOf(visited.map(({ series }) => ({ series, from: 0, to: series.length }))) };
}

async function studyTo(members: readonly Member[], end: Day, adjust: AdjustMode, every: Every, delay: 0 | 1) {
  const { market, clock } = marketAt(members, end, adjust);
  const sessions = studySessions(clock, every, delay);
  const named = { where: [], factors: programs, neutral: null };
  const plan = { horizons: HORIZONS, quantiles: QUANTILES };
  const studied = await studyFactors(market, { sessions: clock, first: 0 }, sessions, named, plan);
  return { sessions, ...studied };
}

type Study = Awaited<ReturnType<typeof studyTo>>;

/** The figures of a study at each session, by the days of the forward return. */
function saidOf({ sessions, tallies }: Study): Map<string, unknown> {
  const said = new Map<string, unknown>();
  for (const [k, { horizons }] of tallies.entries()) {
    for (const [h, { coefficients, spreads, quantiles }] of horizons.entries()) {
      for (const [row, at] of sessions.looked.entries()) {
        const days = daysOf(sessions, row, HORIZONS[h]);
        if (days === null) continue;
        const means = quantiles.map((series) => series[row]);
        said.set(`${VALUES[k]} at ${at} over ${HORIZONS[h]}: ${days}`, [coefficients[row], spreads[row], ...means]);
      }
    }
  }
  return said;
}

function daysOf(sessions: StudySessions, row: number, horizon: Horizon): string | null {
  return (
    spanOf(sessions, row, horizon)
      ?.map((at) => sessions.clock[at])
      .join(' to ') ?? null
  );
}

const seeds = fc.integer({ min: 1, max: 1e6 });
const modes = fc.constantFrom<AdjustMode>('split', 'total');
const periods = fc.constantFrom<Every>('day', 'week');
const delays = fc.constantFrom<0 | 1>(0, 1);
const cuts = fc.integer({ min: 30, max: SESSIONS - 2 });
/** After every bar. */
const LAST = 1e6;

describe('a study that ends earlier', () => {
  it('has the same coefficients, spreads, and quantiles of all returns that end in it, and the same ranks', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, cuts, modes, periods, delays, async (seed, cut, adjust, every, delay) => {
        const members = membersOf(seed);
        const { clock } = marketAt(members, LAST, adjust);
        const whole = await studyTo(members, LAST, adjust, every, delay);
        const past = await studyTo(members, clock[cut], adjust, every, delay);
        const all = saidOf(whole);
        // The last period of a range that ends within it is another one.
        const said = [...saidOf(past)].filter(([name]) => every === 'day' || all.has(name));
        expect(said.length).toBeGreaterThan(VALUES.length * HORIZONS.length);
        expect(said.map(([name]) => [name, all.get(name)])).toEqual(said);
        const months = past.sessions.monthEnds.filter((at) => whole.sessions.monthEnds.includes(at)).length;
        for (const [k, ranks] of past.monthRanks.entries())
          expect(whole.monthRanks[k].slice(0, months)).toEqual(ranks.slice(0, months));
      }),
      { numRuns: 12 },
    );
  });
});

describe('bars after a session', () => {
  it('change no value of it, whatever their prices and events are', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, cuts, modes, async (seed, cut, adjust) => {
        const members = membersOf(seed);
        const { market, clock } = marketAt(members, LAST, adjust);
        const end = clock[cut];
        const random = lehmer(seed);
        const changed = members.map((member) => {
          const { series } = member;
          const bars = mapSeries(series, (value, column, i) =>
            column === 'day' || series.day[i] <= end ? value : value * (0.5 + random()),
          );
          const kind = random() < 0.5 ? ('split' as const) : ('cash_dividend' as const);
          const more = { exDay: clock[cut + 1], kind, factor: 0.25 };
          return { ...member, series: { ...bars, delisting: series.delisting }, events: [...member.events, more] };
        });
        const asked = [...clock.keys()].filter((at) => clock[at] <= end);
        const when = { sessions: clock, asked };
        const named = { where: [], values: programs };
        const before = await evaluateMarket(market, named, when);
        const after = await evaluateMarket(marketAt(changed, LAST, adjust).market, named, when);
        expect(after.values).toEqual(before.values);
      }),
      { numRuns: 12 },
    );
  });
});

describe('a factor that is the forward return itself', () => {
  const BARS = 120;

  /** Coefficients of the volume, which `volumesOf` makes of the returns to the next session. */
  async function coefficientsOf(seed: number, volumesOf: (returns: readonly number[]) => readonly number[]) {
    const walks = Array.from({ length: 12 }, (_, i) => randomSeries(BARS, seed + 7 * i));
    const volumes = Array.from({ length: BARS }, (_, t) =>
      volumesOf(walks.map(({ close }) => (close[t + 1] ?? close[t]) / close[t])),
    );
    const members = walks.map((series, i) => ({ ...series, volume: Float64Array.from(volumes, (row) => row[i]) }));
    const market: Market = {
      members: members.map(() => ({ asset_type: 'stock', venue: '' })),
      visit: () => members.map((series, member) => ({ member, series, isDelisted: false })),
    };
    const { day } = members[0];
    const factors = [compileValue(['volume'])];
    const { tallies } = await studyFactors(
      market,
      { sessions: day, first: 0 },
      studySessions(day, 'day', 0),
      { where: [], factors, neutral: null },
      { horizons: [1], quantiles: 3 },
    );
    return tallies[0].horizons[0].coefficients;
  }

  it('orders them in full', async () => {
    const coefficients = await coefficientsOf(3, (returns) => returns);
    const defined = coefficients.filter((one) => !Number.isNaN(one));
    expect(defined).toHaveLength(BARS - 1);
    for (const one of defined) expect(one).toBeCloseTo(1, 12);
  });

  it.each([11, 12, 13, 14, 15])('orders none where it is shuffled, by seed %i', async (seed) => {
    const random = lehmer(seed);
    const coefficients = await coefficientsOf(seed, (returns) => shuffled(returns, random));
    const { sessions, t } = figuresOf(coefficients, 0);
    expect(sessions).toBe(BARS - 1);
    expect(Math.abs(t ?? Number.NaN)).toBeLessThan(3);
  });
});

function shuffled(values: readonly number[], random: () => number): number[] {
  return values
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}
