/** Doubts about histories: events against prices. */
import { describe, expect, it } from '@jest/globals';
import type { Adjustment } from '../../../engine/market/adjust.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import { findEventDoubts, findHoles } from '../../../engine/market/findings.ts';
import { allocateSeries, type BarSeries } from '../../../engine/market/series.ts';

const DAYS = sessionsBetween(requireDay('2024-01-02'), requireDay('2024-12-31'));
const EX = 100;

/** Bars of the first year days; `closes` in turn, each also the open. */
function seriesOf(closes: readonly number[], days: readonly number[] = DAYS): BarSeries {
  const series = allocateSeries(closes.length);
  series.day.set(days.slice(0, closes.length));
  for (const column of [series.open, series.high, series.low, series.close]) column.set(closes);
  series.volume.fill(100);
  return series;
}

/** A price that moves by 1 % a day, and from `EX` on `factor` times as high. */
const jump = (factor: number, length = 120) =>
  seriesOf(Array.from({ length }, (_, i) => (i % 2 === 0 ? 100 : 101) * (i < EX ? 1 : factor)));
const event = (kind: Adjustment['kind'], factor: number, at = EX): Adjustment => ({ exDay: DAYS[at], kind, factor });
const found = (series: BarSeries, events: readonly Adjustment[]) =>
  findEventDoubts(series, events).map(({ kind, day }) => `${kind} ${formatDay(day)}`);
const ON = formatDay(DAYS[EX]);

describe('an event is contradicted', () => {
  it.each([
    ['a split that prices follow', jump(0.25), [event('split', 0.25)], []],
    ['a split that prices do not follow', jump(1), [event('split', 0.25)], [`contradicted ${ON}`]],
    ['a split the wrong way round', jump(0.25), [event('reverse_split', 4)], [`contradicted ${ON}`]],
    ['a small event, which cannot be told from usual moves', jump(1), [event('cash_dividend', 0.92)], []],
    ['a dividend of a fifth that prices do not follow', jump(1), [event('cash_dividend', 0.8)], [`contradicted ${ON}`]],
    ['a stock dividend that prices do not follow', jump(1), [event('stock_dividend', 0.9)], [`contradicted ${ON}`]],
    ['events between the same two bars', jump(0.225), [event('split', 0.25), event('spin_off', 0.9)], []],
    ['an event before the first bar', jump(1), [event('split', 0.25, 0)], []],
  ])('%s', (_, series, events, expected) => {
    expect(found(series, events)).toEqual(expected);
  });

  it('by the deviation of the returns before it, of which earlier events are no part', () => {
    const wild = seriesOf(Array.from({ length: 120 }, (_, i) => (i % 2 === 0 ? 100 : 80)));
    expect(found(wild, [event('split', 0.5)])).toEqual([]);
    const closes = Array.from({ length: 120 }, (_, i) => (i % 2 === 0 ? 100 : 101) * (i < 80 ? 1 : 0.1));
    expect(found(seriesOf(closes), [event('split', 0.1, 80), event('split', 0.5)])).toEqual([`contradicted ${ON}`]);
  });

  it('by a move of a tenth where fewer than 20 returns are before it', () => {
    const short = seriesOf(Array.from({ length: 30 }, () => 100));
    expect(found(short, [event('split', 0.93, 10)])).toEqual([]);
    expect(found(short, [event('split', 0.88, 10)])).toHaveLength(1);
  });
});

describe('a split is suspected', () => {
  it.each([1 / 2, 1 / 3, 1 / 7, 1 / 100, 3 / 2, 2 / 3, 2, 50])('at a jump of %d', (factor) => {
    expect(found(jump(factor), [])).toEqual([`split_suspected ${ON}`]);
    const kind = factor > 1 ? 'reverse_split' : 'split';
    expect(found(jump(factor), [event(kind, factor)])).toEqual([]);
    // The prices still contradict an event two sessions early; that is no second doubt about the jump.
    expect(found(jump(factor), [event(kind, factor, EX - 3)])).not.toContain(`split_suspected ${ON}`);
    expect(found(jump(factor), [event(kind, factor, EX - 4)])).toContain(`split_suspected ${ON}`);
  });

  it('not at a crash that is near no ratio, or whose open is not near the ratio of the close', () => {
    expect(found(jump(0.43), [])).toEqual([]);
    const series = jump(0.5);
    series.open[EX] = 100;
    expect(found(series, [])).toEqual([]);
  });
});

it('a hole is 60 sessions without a bar', () => {
  const without = (count: number) => seriesOf([1, 1, 1], [DAYS[0], DAYS[1], DAYS[2 + count]]);
  expect(findHoles(without(59))).toEqual([]);
  expect(findHoles(without(60))).toEqual([
    { kind: 'hole', day: DAYS[2], details: { until: formatDay(DAYS[62]), sessions: 60 } },
  ]);
});
