/** Random returns and bars: the same arithmetic as in `walks.py`, so that both sides have the same bits. */
import { dayOf, weekday } from '../../../../engine/market/dates.ts';
import { allocateSeries } from '../../../../engine/market/series.ts';
import type { PanelMember } from '../../../../engine/rotation/panel.ts';
import type { Returns } from '../../../../engine/rotation/weights/covariance.ts';
import { lehmer } from '../../../support/series.ts';

/** A column of returns per name; they share a factor, and each name has a movement of its own. */
export function factorReturns(names: number, sessions: number, seed: number): Returns {
  const random = lehmer(seed);
  const draw = (make: () => number) => Array.from({ length: names }, make);
  const loads = draw(() => 0.3 + random());
  const sizes = draw(() => 0.005 + 0.02 * random());
  const columns = draw(() => 0).map(() => new Float64Array(sessions));
  for (let t = 0; t < sessions; t++) {
    const factor = 0.02 * (random() - 0.5);
    for (const [i, column] of columns.entries()) column[t] = loads[i] * factor + sizes[i] * (random() - 0.5);
  }
  return columns;
}

interface WalkBar {
  readonly session: number;
  readonly open: number;
  readonly close: number;
}

/** Instruments with gaps, late listings, and delistings, by ticker. Highs and lows are those of open and close. */
export function walkingMembers(names: number, sessions: number, seed: number): PanelMember[] {
  const random = lehmer(seed);
  const returns = factorReturns(names, 2 * sessions, seed + 1);
  const days = weekdays(sessions);
  return returns
    .map((own, i) => {
      const first = i % 3 === 0 ? Math.trunc((random() * sessions) / 3) : 0;
      const last = sessions - 1 - (i % 4 === 0 ? Math.trunc((random() * sessions) / 3) : 0);
      const holes = i % 5 === 1 ? 0.04 : 0;
      let price = 20 + 80 * random();
      const bars: WalkBar[] = [];
      for (let t = 0; t < sessions; t++) {
        const open = price * (1 + own[2 * t] / 4);
        price = open * (1 + own[2 * t + 1]);
        const isHole = random() < holes;
        if (first <= t && t <= last && !(isHole && t < last)) bars.push({ session: t, open, close: price });
      }
      return memberOf(`${'QAZW'[i % 4]}${i}`, bars, days, i % 4 === 0);
    })
    .sort((a, b) => (a.ticker < b.ticker ? -1 : 1));
}

/** Weekdays from 2020-01-01. */
function weekdays(count: number): number[] {
  const days: number[] = [];
  for (let day = dayOf(2020, 1, 1); days.length < count; day++) if (weekday(day) % 6 !== 0) days.push(day);
  return days;
}

function memberOf(ticker: string, bars: readonly WalkBar[], days: readonly number[], isDelisted: boolean): PanelMember {
  const series = allocateSeries(bars.length);
  for (const [i, { session, open, close }] of bars.entries()) {
    series.day[i] = days[session];
    series.open[i] = open;
    series.close[i] = close;
    series.high[i] = Math.max(open, close);
    series.low[i] = Math.min(open, close);
    series.volume[i] = 1e6;
  }
  return { ticker, isDelisted, series, symbol: `${ticker}.US`, from: 0, to: bars.length };
}
