/** Random instruments of a portfolio. */
import type { BarSeries } from '../../engine/market/series.ts';
import type { ReferenceMember } from './reference-portfolio.ts';
import { lehmer, randomSeries } from './series.ts';

/** A market of random walks that begin and end apart, lack bars, and partly end in a delisting. */
export function randomMembers(count: number, length: number, seed: number): ReferenceMember[] {
  const random = lehmer(seed);
  return Array.from({ length: count }, (_, i) => {
    const whole = randomSeries(length, seed + 7 * i + 1);
    const begin = Math.floor((random() ** 2 * length) / 2);
    const end = length - Math.floor((random() ** 3 * length) / 2);
    const holes = random() < 0.5 ? 0 : 0.15;
    const kept = Array.from({ length }, (_, t) => t).filter((t) => t >= begin && t < end && random() >= holes);
    const picked = pick(whole, kept.length > 0 ? kept : [0]);
    // A walk is as good a series after splits as without.
    const adjustedFor = [0.3, 0.6].map((share, k) => ({
      day: picked.day[Math.floor(share * picked.length)],
      price: [0.25, 0.9, 8][(i + k) % 3],
      shares: [0.25, 1, 8][(i + k) % 3],
    }));
    const series = { ...picked, adjustedFor };
    const from = random() < 0.5 ? 0 : Math.floor(series.length / 3);
    return { symbol: `${'QAZ'[i % 3]}${i}.US`, series, from, to: series.length, isDelisted: random() < 0.3 };
  });
}

export function pick(series: BarSeries, indices: readonly number[]): BarSeries {
  const column = (values: Float64Array) => Float64Array.from(indices, (t) => values[t]);
  return {
    length: indices.length,
    day: Int32Array.from(indices, (t) => series.day[t]),
    open: column(series.open),
    high: column(series.high),
    low: column(series.low),
    close: column(series.close),
    volume: column(series.volume),
    adjustedFor: series.adjustedFor,
  };
}
