/** Returns of delistings after the last close, in runs and in their benchmarks. */
import { describe, expect, it } from '@jest/globals';
import { type BacktestSettings, runBacktest } from '../../../engine/backtest/backtest.ts';
import { tradedOf, unpricedDelistings } from '../../../engine/backtest/doubts.ts';
import { type BarSeries, heldPrices, sliceByDay, sliceSeries } from '../../../engine/market/series.ts';
import {
  type PortfolioMember,
  portfolioMetrics,
  preparePortfolio,
  runPrepared,
} from '../../../engine/portfolio/backtest.ts';
import { simulateRotation } from '../../../engine/rotation/simulate.ts';
import { requireStrategy } from '../../../engine/strategies/catalogue.ts';
import { CellBlock, fillInstrument } from '../../../engine/sweep/cells.ts';
import { randomEntries } from '../../../engine/tear-sheet/chance.ts';
import { panelOf } from '../../support/panels.ts';
import { seriesOf } from '../../support/series.ts';

/** Falls to 8; its holders then get -55 %: 3.6. */
const CLOSES = [10, 11, 12, 11, 10, 8];
const BROUGHT = 8 * (1 + -55 / 100);
const OVERLAYS = { stop_loss_pct: 0, take_profit_pct: 0, max_bars: 0 };
const gone = (returnPct: number | null, venue = 'NASDAQ'): BarSeries => ({
  ...seriesOf(CLOSES),
  delisting: { returnPct, venue },
});
const lasting = seriesOf([10, 10, 10, 10, 10, 10, 10, 10]);
const LAST = lasting.day[7];
const EXECUTION = {
  executeOn: 'close',
  commissionRate: 0,
  minCommission: 0,
  slippageBps: 0,
  initialCapital: 1_000,
} as const;
const HOLD: BacktestSettings = {
  strategy: 'buy_hold',
  params: OVERLAYS,
  timeRange: 'MAX',
  start: null,
  end: null,
  adjust: 'split',
  execution: EXECUTION,
};

const inputOf = (series: BarSeries) => ({
  series,
  asOf: LAST,
  events: [],
  lifetime: { listedOn: null, delistedOn: series.day[series.length - 1] },
});
const run = (series: BarSeries, settings: Partial<BacktestSettings> = {}) => {
  const outcome = runBacktest({ ...HOLD, ...settings }, inputOf(series));
  if (!outcome) throw new Error('no bars');
  return outcome;
};

describe('a backtest', () => {
  it('closes at the last close × (1 + return), and so does what it is compared with', () => {
    const { run: simulation, metrics, bars } = run(gone(-55));
    expect(simulation.trades).toEqual([
      expect.objectContaining({
        exitPrice: BROUGHT,
        exitReason: 'delisted',
        shares: 100,
        pnlPct: expect.closeTo(-64, 12),
      }),
    ]);
    expect(simulation.trades[0].maePct).toBeCloseTo(-64, 12);
    expect(simulation.equity.at(-1)).toBeCloseTo(360, 10);
    expect(metrics.totalPnlPct).toBeCloseTo(-64, 12);
    expect(metrics.buyHoldPnlPct).toBeCloseTo(-64, 12);
    expect([...heldPrices(bars)]).toEqual([10, 11, 12, 11, 10, BROUGHT]);
    expect(bars.close[5]).toBe(8);
  });

  it('loses all, or gains by a merger', () => {
    expect(run(gone(-100)).metrics).toMatchObject({ finalEquity: 0, totalPnlPct: -100, annualizedPct: -100 });
    expect(run(gone(25)).metrics.finalEquity).toBeCloseTo(1_000, 10);
  });

  it.each(['close', 'next_open'] as const)('takes the last close where no return is known (%s)', (executeOn) => {
    const execution = { ...EXECUTION, executeOn };
    const { delisting: _, ...plain } = gone(null);
    expect(run(gone(null), { execution })).toEqual({ ...run(plain, { execution }), bars: expect.anything() });
  });

  it('that ends before the last bar, or sells at it by its own rule, does not', () => {
    const { day } = gone(-55);
    expect(run(gone(-55), { end: day[4] }).run.trades[0]).toMatchObject({ exitPrice: 10, exitReason: 'end_of_data' });
    const stopped = run(gone(-55), { params: { ...OVERLAYS, stop_loss_pct: 15 } }).run.trades;
    expect(stopped).toEqual([expect.objectContaining({ exitPrice: 8, exitReason: 'stop_loss' })]);
    const late = {
      params: { ...OVERLAYS, stop_loss_pct: 15 },
      execution: { ...EXECUTION, executeOn: 'next_open' },
    } as const;
    expect(run(gone(-55), late).run.trades[0]).toMatchObject({ exitPrice: BROUGHT, exitReason: 'delisted' });
  });

  it('knows the return only with its last bar', () => {
    const series = gone(-55);
    expect(sliceSeries(series, 2, 6).delisting).toEqual(series.delisting);
    expect(sliceByDay(series, series.day[0], LAST).delisting).toEqual(series.delisting);
    expect(sliceSeries(series, 0, 5).delisting).toBeUndefined();
    expect(sliceSeries(series, 6, 6).delisting).toBeUndefined();
  });
});

describe('a run of many', () => {
  const member = (symbol: string, series: BarSeries): PortfolioMember => ({
    symbol,
    ...inputOf(series),
    lifetime: { listedOn: null, delistedOn: series === lasting ? null : series.day[5] },
  });
  const members = (returnPct: number | null) => [member('AAA.US', gone(returnPct)), member('BBB.US', lasting)];
  const allocation = {
    maxPositions: 2,
    sizing: 'equal',
    volatilityPeriod: 20,
    rankBy: null,
    rebalance: 'none',
    cashBufferPct: 0,
  } as const;

  it.each(['close', 'next_open'] as const)('sells at a delisting for what it brought (%s)', (executeOn) => {
    const settings = { ...HOLD, allocation, execution: { ...EXECUTION, executeOn } };
    const prepared = preparePortfolio(settings, members(-55), null);
    if (!prepared) throw new Error('no bars');
    const portfolio = runPrepared(prepared, settings, OVERLAYS);
    const bought = executeOn === 'close' ? 50 : 500 / 11;
    expect(portfolio.trades).toEqual([
      expect.objectContaining({ instrument: 0, exitReason: 'delisted', exitPrice: BROUGHT, shares: bought }),
      expect.objectContaining({ instrument: 1, exitReason: 'end_of_data', exitPrice: 10 }),
    ]);
    expect(portfolio.trades[0].maePct).toBeCloseTo(100 * (3.6 / (executeOn === 'close' ? 10 : 11) - 1), 12);
    expect(portfolio.equity.at(-1)).toBeCloseTo(500 + bought * 3.6, 8);
    // Equal amounts, bought once: 500 and 50 shares at 3.6; and every session anew.
    expect(portfolioMetrics(prepared, portfolio, 1_000).buyHoldPnlPct).toBeCloseTo(-32, 10);
    expect(prepared.market[5]).toBeCloseTo((3.6 / 10 - 1) / 2, 12);
  });

  it('is compared with what holding its benchmark brought', () => {
    const settings = { ...HOLD, allocation };
    const prepared = preparePortfolio(settings, [member('BBB.US', lasting)], member('AAA.US', gone(-55)));
    expect([...(prepared?.benchmark ?? [])].slice(4)).toEqual(
      [1_000, 1_000 * (BROUGHT / 10), 360, 360].map((value) => expect.closeTo(value, 8)),
    );
  });

  it('by a schedule sells for it too', () => {
    const panel = panelOf(
      [
        { ticker: 'AAA', series: gone(-55), isDelisted: true },
        { ticker: 'BBB', series: lasting, isDelisted: false },
      ].map((one) => ({ ...one, symbol: `${one.ticker}.US`, from: 0, to: one.series.length })),
    );
    const { trades } = simulateRotation({
      panel,
      values: { rebalances: [{ session: 0, eligible: 2, score: Float64Array.of(2, 1) }], filter: null },
      rule: {
        order: 'desc',
        hold: { top: 1 },
        keep: null,
        weigh: (_panel, _at, { length }) => ({ weights: new Float64Array(length).fill(1), total: 1, areDefined: true }),
        exits: null,
        cashBufferPct: 0,
      },
      execution: EXECUTION,
    });
    expect(trades).toEqual([expect.objectContaining({ exitReason: 'delisted', exitPrice: BROUGHT, shares: 100 })]);
  });

  it('has the same figures in a cell of a sweep', () => {
    const block = new CellBlock(1, 1);
    fillInstrument(block, 0, HOLD, inputOf(gone(-55)), [
      { strategy: requireStrategy('buy_hold'), combinations: [OVERLAYS] },
    ]);
    expect(block.column(0, 'totalPnlPct')[0]).toBe(run(gone(-55)).metrics.totalPnlPct);
    expect(block.column(0, 'excessReturnPct')[0]).toBeCloseTo(0, 12);
  });

  it('is told beside random entries that a delisting ends alike', () => {
    const trades = [{ barsHeld: 5 }];
    const entries = { trades, total: -0.64, capital: 1_000, seed: '0123456789abcdef', execution: EXECUTION };
    // All that hold five bars hold through the last one.
    expect(randomEntries({ ...entries, bars: gone(-55) })?.total_pct).toMatchObject({ p50: expect.closeTo(-64, 10) });
  });
});

describe('without a return', () => {
  const falling = (length: number, venue: string, last: number) => {
    const series = seriesOf(Array.from({ length }, (_, t) => (t === length - 1 ? last : 100)));
    return { ...series, delisting: { returnPct: null, venue } };
  };
  const effect = (
    series: BarSeries,
    delisted: number | undefined = 1_000,
    events: Parameters<typeof tradedOf>[2] = [],
  ) => unpricedDelistings([{ ...tradedOf('AAA.US', series, events), stays: [], orders: [], delisted }]);

  it('names that lost more than half in 20 sessions are told with the usual one of their venue', () => {
    expect(effect(falling(30, 'NASDAQ', 49))).toEqual({ count: 1, failed: 1, effect: -550 });
    expect(effect(falling(30, 'XNAS', 49)).effect).toBe(-550);
    expect(effect(falling(30, 'NYSE', 49)).effect).toBe(-300);
    expect(effect(falling(5, 'NYSE', 49)).effect).toBe(-300);
    expect(effect(falling(30, 'NYSE', 50))).toEqual({ count: 1, failed: 0, effect: 0 });
  });

  it('a split is no fall, an earlier fall none of the last sessions, and a known return needs no note', () => {
    const series = falling(30, 'NYSE', 25);
    const split = { kind: 'split', exDay: series.day[29], factor: 0.25 } as const;
    expect(effect(series, 1_000, [split]).failed).toBe(0);
    const early = seriesOf(Array.from({ length: 30 }, (_, t) => (t < 9 ? 100 : 40)));
    expect(effect({ ...early, delisting: { returnPct: null, venue: 'NYSE' } }).failed).toBe(0);
    expect(effect({ ...series, delisting: { returnPct: -10, venue: 'NYSE' } })).toEqual({
      count: 0,
      failed: 0,
      effect: 0,
    });
    expect(unpricedDelistings([{ ...tradedOf('AAA.US', series, []), stays: [], orders: [] }]).count).toBe(0);
  });
});
