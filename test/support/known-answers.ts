/** Figures that another implementation of the same rules computed on real bars, and how ours are compared with them. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect } from '@jest/globals';
import { formatDay } from '../../engine/market/dates.ts';
import type { PortfolioMetrics } from '../../engine/portfolio/backtest.ts';
import type { PortfolioTrade } from '../../engine/portfolio/portfolio.ts';

const FOLDER = fileURLToPath(new URL('../../../shared/data/known-answers/', import.meta.url));

export type Figures = Readonly<Record<string, number | string | null>>;

export interface KnownAnswers<Case, Rest = unknown> {
  /** The other parts of the file; null where it is not available. */
  readonly content: Rest | null;
  /** Empty where the file is not available, which is said. */
  readonly cases: readonly Case[];
  /** Skips its tests where there are none. */
  readonly describe: typeof describe | typeof describe.skip;
}

/** The cases of a file such as `rotation.json`. */
export function readKnownAnswers<Case, Rest = unknown>(name: string): KnownAnswers<Case, Rest> {
  const path = `${FOLDER}${name}`;
  if (!existsSync(path)) {
    process.stderr.write(`SKIPPED: the known answers of ${name} are not at ${path}\n`);
    return { content: null, cases: [], describe: describe.skip };
  }
  const bytes = readFileSync(path);
  const content = JSON.parse(String(name.endsWith('.gz') ? gunzipSync(bytes) : bytes));
  return { content, cases: content.cases, describe };
}

/** Expects figures to be equal to `tolerance`, relative from 1 on, and everything else exactly. */
export function expectSame(actual: Readonly<Record<string, unknown>>, expected: Figures, of: string, tolerance = 1e-9) {
  for (const [name, value] of Object.entries(expected)) {
    const found = actual[name];
    const isSame =
      typeof value === 'number' && typeof found === 'number'
        ? Math.abs(found - value) <= tolerance * Math.max(1, Math.abs(value))
        : found === value;
    if (!isSame) expect({ of, name, value: found }).toEqual({ of, name, value });
  }
}

/** Metrics of a run over `clock` by their names in the API, not rounded. */
export function reportedMetrics(metrics: PortfolioMetrics, clock: Int32Array): Record<string, unknown> {
  const wire = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return {
    ...Object.fromEntries(Object.entries(metrics).map(([name, value]) => [wire(name), value])),
    start_date: formatDay(clock[0]),
    end_date: formatDay(clock[clock.length - 1]),
  };
}

/** The trade number `i` by its names in the API; `day`: those of the bars of its instrument. */
export function reportedTrade(trade: PortfolioTrade, i: number, symbol: string, day: Int32Array) {
  return {
    seq: i + 1,
    symbol,
    entry_date: formatDay(day[trade.entryIndex]),
    entry_price: trade.entryPrice,
    exit_date: formatDay(trade.exitDay),
    exit_price: trade.exitPrice,
    shares: trade.shares,
    pnl: trade.pnl,
    pnl_pct: trade.pnlPct,
    bars_held: trade.exitIndex - trade.entryIndex,
    exit_reason: trade.exitReason,
    commission: trade.commission,
    mae_pct: trade.maePct,
    mfe_pct: trade.mfePct,
  };
}

interface ServedAnswer {
  readonly metrics: Readonly<Record<string, number | string>>;
  readonly equity: readonly (readonly [ts: string, equity: number, benchmark: number])[];
  readonly sessions: number;
}

/** Expects the figures and the curve of a run over HTTP, to the digits that answers have. */
// biome-ignore lint/suspicious/noExplicitAny: the result of any kind of run
export function expectServed(result: any, { metrics, equity, sessions }: ServedAnswer): void {
  for (const [name, value] of Object.entries(metrics)) {
    if (typeof value === 'string') expect([name, result[name]]).toEqual([name, value]);
    else expect([name, Math.abs(result[name] - value) <= 0.0051]).toEqual([name, true]);
  }
  expect(result.equity).toHaveLength(sessions);
  const points = new Map(result.equity.map((point: { ts: string }) => [point.ts, point]));
  for (const [ts, value, benchmark] of equity) {
    const near = (figure: number) => expect.closeTo(figure, 1);
    expect(points.get(ts)).toMatchObject({ ts, equity: near(value), buy_hold: near(benchmark) });
  }
}
