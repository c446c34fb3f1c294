/** Compares outcomes with plain loops over random markets with holes, late listings, and delistings. */
import { describe, expect, it } from '@jest/globals';
import { requireDay } from '../../../engine/market/dates.ts';
import { type BarSeries, EMPTY_SERIES } from '../../../engine/market/series.ts';
import { findHits } from '../../../engine/outcomes/hits.ts';
import { outcomesOf } from '../../../engine/outcomes/outcomes.ts';
import { type Entry, readPanel } from '../../../engine/outcomes/panel.ts';
import type { Compare } from '../../../engine/outcomes/returns.ts';
import { compileCondition } from '../../../engine/rules/compile.ts';
import { required } from '../../../engine/util/values.ts';
import { lehmer } from '../../support/series.ts';

const FIRST_DAY = requireDay('2018-01-01');
const SESSIONS = 700;
const RANGE_FROM = 330;
const MEMBERS = 14;
const HORIZONS = [1, 7];
const SEED = '0123456789abcdef';

interface Name {
  /** By session; null: it has no bar. */
  readonly closes: readonly (number | null)[];
  readonly opens: readonly (number | null)[];
  readonly isDelisted: boolean;
}

const WHERE = 24;
/** Prices swing around it. */
const STATE = 27;

/** Each fifth name is listed late, each fourth ends early, and all have holes. */
function randomNames(seed: number): Name[] {
  const random = lehmer(seed);
  return Array.from({ length: MEMBERS }, (_, k) => {
    const from = k % 5 === 4 ? 250 + k : 0;
    const to = k % 4 === 3 ? 500 + 7 * k : SESSIONS;
    let price = 20 + 10 * random();
    const rows = Array.from({ length: SESSIONS }, (_, t) => {
      const open = price * (1 + 0.01 * (random() - 0.5));
      price *= 1 + 0.08 * (random() - 0.5) + 0.05 * (STATE / price - 1);
      return t < from || t >= to || random() < 0.04 ? null : { open, close: price };
    });
    return {
      closes: rows.map((row) => row?.close ?? null),
      opens: rows.map((row) => row?.open ?? null),
      isDelisted: to < SESSIONS,
    };
  });
}

function seriesOf({ closes, opens }: Name): BarSeries {
  const places = [...closes.keys()].filter((t) => closes[t] !== null);
  const close = Float64Array.from(places, (t) => closes[t] ?? 0);
  const open = Float64Array.from(places, (t) => opens[t] ?? 0);
  const day = Int32Array.from(places, (t) => FIRST_DAY + t);
  return { ...EMPTY_SERIES, length: places.length, day, close, open, high: close, low: close, volume: close };
}

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;

/** The same by definition: `t` counts sessions from the first one of the market. */
class Reference {
  private readonly names: readonly Name[];
  private readonly entry: Entry;
  readonly hits: readonly (readonly [t: number, k: number])[];
  /** By session: the mean log return of the members; null: none has one. */
  private readonly market: readonly (number | null)[];

  constructor(names: readonly Name[], entry: Entry) {
    this.names = names;
    this.entry = entry;
    this.hits = this.findHits();
    this.market = Array.from({ length: SESSIONS }, (_, t) => {
      const all = names.flatMap((_, one) => (this.isMember(one, t) ? [this.logReturn(one, t)] : []));
      const known = all.filter((one) => one !== null);
      return known.length === 0 ? null : mean(known);
    });
  }

  private lastBar(k: number): number {
    return this.names[k].closes.findLastIndex((close) => close !== null);
  }

  isMember(k: number, t: number): boolean {
    const { closes, isDelisted } = this.names[k];
    const close = closes[t];
    return close !== null && close > WHERE && !(isDelisted && t === this.lastBar(k));
  }

  private isTrue(k: number, t: number): boolean {
    return this.isMember(k, t) && (this.names[k].closes[t] ?? 0) > STATE;
  }

  private findHits() {
    return Array.from({ length: SESSIONS - RANGE_FROM }, (_, i) => i + RANGE_FROM).flatMap((t) =>
      this.names.flatMap(({ closes }, k): [number, number][] => {
        const before = closes.slice(0, t).findLastIndex((close) => close !== null);
        return this.isTrue(k, t) && !(before >= 0 && this.isTrue(k, before)) ? [[t, k]] : [];
      }),
    );
  }

  /** Null: undefined. */
  growth(k: number, t: number, offset: number): number | null {
    const { closes, opens } = this.names[k];
    const at = t + offset;
    if (at >= SESSIONS) return null;
    const held = closes.slice(0, at + 1).findLast((close) => close !== null);
    const next = opens.findIndex((open, s) => s > t && open !== null);
    const entry = this.entry === 'close' ? closes[t] : next < 0 || (offset > 0 && next > at) ? null : opens[next];
    return held == null || entry == null ? null : held / entry - 1;
  }

  others(t: number, k: number, offset: number, compare: Compare): number | null {
    const hits = new Set(this.hits.filter(([at]) => at === t).map(([, one]) => one));
    const growths =
      compare === 'own'
        ? this.names[k].closes.flatMap((close, s) =>
            close === null || s < RANGE_FROM ? [] : [this.growth(k, s, offset)],
          )
        : this.names.flatMap((_, one) =>
            this.isMember(one, t) && !hits.has(one) ? [this.growth(one, t, offset)] : [],
          );
    const defined = growths.filter((one) => one !== null);
    return defined.length === 0 ? null : mean(defined);
  }

  private logReturn(k: number, t: number): number | null {
    const { closes } = this.names[k];
    const [before, now] = [closes[t - 1] ?? null, closes[t]];
    return before === null || now === null ? null : Math.log(now / before);
  }

  beta(k: number, t: number): number | null {
    const pairs: [number, number][] = [];
    for (let s = t - 1; s > 0 && pairs.length < 252; s--) {
      const [own, market] = [this.logReturn(k, s), this.market[s]];
      if (own !== null && market !== null) pairs.push([own, market]);
    }
    if (pairs.length < 252) return null;
    const [y, x] = [0, 1].map((i) => mean(pairs.map((pair) => pair[i])));
    const products = pairs.map(([own, market]) => (own - y) * (market - x));
    return mean(products) / mean(pairs.map(([, market]) => (market - x) ** 2));
  }
}

const above = (bound: number) => compileCondition(['>', ['close'], bound]);
const near = (value: number) => expect.closeTo(value, 11);

async function computed(names: readonly Name[], entry: Entry, compare: Compare) {
  const series = names.map(seriesOf);
  const market = {
    members: names.map(() => ({ asset_type: 'stock', venue: '' })),
    visit: () => series.map((one, member) => ({ member, series: one, isDelisted: names[member].isDelisted })),
  };
  const clock = { sessions: Int32Array.from({ length: SESSIONS }, (_, t) => FIRST_DAY + t), first: RANGE_FROM };
  const panel = await readPanel(market, clock, entry);
  const programs = { where: [above(WHERE)], condition: above(STATE), by: null };
  const wanted = new Uint8Array(names.length).fill(1);
  const found = await findHits(market, clock, panel, programs, { beginnings: true, wanted });
  const told = outcomesOf(panel, found, { compare, horizons: HORIZONS, hasBy: false, seed: SEED });
  return { told, found, offset: SESSIONS - panel.days.length };
}

describe.each([1, 2])('outcomes of random market %d', (seed) => {
  const names = randomNames(seed);

  it.each([
    ['close', 'same_day'],
    ['next_open', 'same_day'],
    ['close', 'own'],
    ['next_open', 'own'],
    ['close', 'none'],
  ] as const)('entered at the %s, compared with %s', async (entry, compare) => {
    const reference = new Reference(names, entry);
    const { told, found, offset } = await computed(names, entry, compare);
    const { hits } = reference;
    expect(hits.length).toBeGreaterThan(50);
    expect(Array.from(found.rows, (row, hit) => [row + offset, found.members[hit]])).toEqual(hits);
    for (const outcome of told.horizons) {
      const { horizon } = outcome;
      const values = hits.map(([t, k]) => reference.growth(k, t, horizon));
      const defined = values.filter((one) => one !== null);
      expect(outcome).toMatchObject({ hits: defined.length, mean: near(mean(defined)) });
      expect(outcome.open).toBe(hits.filter(([t]) => t + horizon >= SESSIONS).length);
      if (compare === 'none') expect(outcome.excess).toBeNull();
      else {
        const rows = hits.flatMap(([t, k], i) => {
          const [value, others] = [values[i], reference.others(t, k, horizon, compare)];
          return value === null || others === null ? [] : [{ t, k, others, excess: value - others }];
        });
        const alphas = rows.flatMap(({ t, k, others, excess }) => {
          const beta = reference.beta(k, t);
          return beta === null ? [] : [excess - (beta - 1) * others];
        });
        expect(alphas.length).toBeLessThan(rows.length);
        const average = mean(rows.map(({ excess }) => excess));
        const sums = Array.from({ length: SESSIONS - RANGE_FROM }, (_, i) =>
          rows.filter(({ t }) => t === i + RANGE_FROM).reduce((sum, { excess }) => sum + excess - average, 0),
        );
        const longRun = (weight: (lag: number) => number) =>
          Array.from({ length: horizon }, (_, lag) => {
            const products = sums.slice(lag).reduce((sum, one, i) => sum + one * sums[i], 0);
            return (lag === 0 ? 1 : 2 * weight(lag)) * products;
          }).reduce((sum, one) => sum + one, 0);
        const spread = Math.max(
          longRun((lag) => 1 - lag / horizon),
          longRun(() => 1),
        );
        expect(outcome.excess).toMatchObject({
          mean: near(average),
          alpha: near(mean(alphas)),
          others: near(mean(rows.map(({ others }) => others))),
          t: near(average / (Math.sqrt(spread) / rows.length)),
        });
      }
    }
  });

  it('go along a path, and name the best and the worst', async () => {
    const reference = new Reference(names, 'close');
    const { told, offset } = await computed(names, 'close', 'same_day');
    const { points } = required(told.path);
    for (const at of [-20, -3, 0, 11, 60]) {
      const excesses = reference.hits.flatMap(([t, k]) => {
        const [value, others] = [reference.growth(k, t, at), reference.others(t, k, at, 'same_day')];
        return value === null || others === null ? [] : [value - others];
      });
      const point = required(points.find((one) => one.offset === at));
      expect(point).toMatchObject({ hits: excesses.length, mean: near(mean(excesses)) });
      if (at !== 0) expect([point.p5, point.p95].map((one) => Math.sign((one ?? 0) - mean(excesses)))).toEqual([-1, 1]);
    }
    const { best, worst } = told;
    const all = reference.hits.flatMap(([t, k]) => {
      const [value, others] = [reference.growth(k, t, 7), reference.others(t, k, 7, 'same_day')];
      return value === null || others === null ? [] : [{ t, k, excess: value - others }];
    });
    const largest = all.reduce((a, b) => (b.excess > a.excess ? b : a));
    const smallest = all.reduce((a, b) => (b.excess < a.excess ? b : a));
    expect([best[0], worst[0]].map(({ row, member }) => [row + offset, member])).toEqual(
      [largest, smallest].map(({ t, k }) => [t, k]),
    );
    for (const one of best) {
      const near = best.filter(({ member, row }) => member === one.member && Math.abs(row - one.row) < 7);
      expect(near).toHaveLength(1);
    }
  });
});
