/** The exam: questions, the calls that a client makes for each, and the answers by hand. */
import {
  barsOf,
  changePct,
  deviation,
  drawdownPct,
  type HandMarket,
  highestBefore,
  lowestBefore,
  mean,
  rankCorrelation,
  rounded,
  type Signal,
  smaAt,
  trade,
} from './by-hand.ts';

export interface Task {
  readonly question: string;
  /** `{0.items.1.id}` stands for a value of the first answer. */
  readonly calls: readonly { readonly tool: string; readonly input: object }[];
  /** Where the answers of the calls have the figure. */
  readonly figure: string;
  readonly answer: (market: HandMarket) => number;
}

const LAST = '2026-05-29';
const YEAR = { start: '2025-01-02', end: LAST };
const PEERS = ['LUMA', 'QILL', 'VEDX', 'MENX', 'KEDX', 'CORX', 'FLLX', 'OABX'];
const RETURNS = [0.012, -0.004, 0.007, 0.001, -0.009, 0.003, 0.005, -0.002, 0.011, -0.006, 0.004, 0.008];

const candles = (symbols: readonly string[], range = {}) => ({
  tool: 'data',
  input: { candles: { symbols, rows: 0, ...range } },
});
const sql = (query: string) => ({ tool: 'data', input: { sql: { query } } });
const run = (kind: string, spec: object) => ({ tool: 'run', input: { kind, spec } });

const BREAKOUT = { strategy: 'rules', rules: { entry: 'close > highest(20)', exit: 'close < lowest(10)' } };
const breaksOut: Signal = (bars, i) => bars[i].close > highestBefore(bars, i, 20);
const breaksDown: Signal = (bars, i) => bars[i].close < lowestBefore(bars, i, 10);
const brokenOut = (market: HandMarket, ticker: string) =>
  trade(barsOf(market, ticker), YEAR.start, breaksOut, breaksDown);

const isAbove =
  (fast: number, slow: number): Signal =>
  (bars, i) =>
    smaAt(bars, i, fast) > smaAt(bars, i, slow);
const isNotAbove =
  (fast: number, slow: number): Signal =>
  (bars, i) =>
    smaAt(bars, i, fast) <= smaAt(bars, i, slow);
const holdAbove = (market: HandMarket, ticker: string, fast: number, slow: number) =>
  trade(barsOf(market, ticker), YEAR.start, isAbove(fast, slow), isNotAbove(fast, slow));
const ABOVE = { strategy: 'rules', rules: { entry: 'sma($f) > sma($s)', exit: 'sma($f) <= sma($s)' } };

/** Places of the last bars of months that have so many bars after them. */
function monthEnds(bars: ReturnType<typeof barsOf>, ahead: number): number[] {
  return bars.flatMap(({ date }, i) =>
    i + ahead < bars.length && bars[i + 1].date.slice(0, 7) !== date.slice(0, 7) ? [i] : [],
  );
}

export const TASKS: readonly Task[] = [
  {
    question: 'What did ACRX change from July 2024 to May 2026, in percent?',
    calls: [candles(['ACRX'], { start: '2024-07-01', end: LAST })],
    figure: '0.summary.change_pct',
    answer: (market) => changePct(barsOf(market, 'ACRX')),
  },
  {
    question: 'Which loss from a peak did BRVA have in that time?',
    calls: [candles(['BRVA'], { start: '2024-07-01', end: LAST })],
    figure: '0.summary.max_drawdown_pct',
    answer: (market) => drawdownPct(barsOf(market, 'BRVA').map(({ close }) => rounded(close, 6))),
  },
  {
    question: 'Of LUMA, QILL, and VEDX in 2025: what did the third change?',
    calls: [candles(['LUMA', 'QILL', 'VEDX'], { start: '2025-01-02', end: '2025-12-31' })],
    figure: '0.items.2.summary.change_pct',
    answer: (market) => changePct(barsOf(market, 'VEDX', '2025-01-02', '2025-12-31')),
  },
  {
    question: 'On how many sessions of 2025 did KEDX close above the session before?',
    calls: [
      sql(`select count(*) filter (close > before) as n from (select date, close, lag(close) over (order by date) as before
           from bars_adjusted where symbol = 'KEDX.US' and venue_mode = 'consolidated') where year(date) = 2025`),
    ],
    figure: '0.rows.0.text',
    answer: (market) => {
      const bars = barsOf(market, 'KEDX');
      return bars.filter(({ date, close }, i) => date.startsWith('2025') && i > 0 && close > bars[i - 1].close).length;
    },
  },
  {
    question: 'What is the annual volatility of MENX in 2026, from daily log returns?',
    calls: [
      sql(`select stddev_samp(r) * sqrt(252) as v from (select date, ln(close / lag(close) over (order by date)) as r
           from bars_adjusted where symbol = 'MENX.US' and venue_mode = 'consolidated') where year(date) = 2026`),
    ],
    figure: '0.rows.0.text',
    answer: (market) => {
      const bars = barsOf(market, 'MENX');
      const returns = bars.flatMap(({ date, close }, i) =>
        date.startsWith('2026') ? [Math.log(close / bars[i - 1].close)] : [],
      );
      return deviation(returns) * Math.sqrt(252);
    },
  },
  {
    question: 'Of these eight names, which close is furthest above its mean of 50 closes, in percent?',
    calls: [
      {
        tool: 'data',
        input: {
          screen: {
            symbols: PEERS,
            where: 'close > 0',
            columns: { stretch: '(close / sma(50) - 1) * 100' },
            sort: { by: '(close / sma(50) - 1) * 100', order: 'desc' },
            limit: 1,
          },
        },
      },
    ],
    figure: '0.items.0.stretch',
    answer: (market) =>
      Math.max(
        ...PEERS.map((ticker) => {
          const bars = barsOf(market, ticker);
          const last = bars.length - 1;
          return 100 * (bars[last].close / smaAt(bars, last, 50) - 1);
        }),
      ),
  },
  {
    question: 'What did holding FLLX earn from 2025 on?',
    calls: [run('backtest', { symbol: 'FLLX', strategy: 'buy_hold', ...YEAR })],
    figure: '0.total_pnl_pct',
    answer: (market) => rounded(changePct(barsOf(market, 'FLLX', YEAR.start))),
  },
  {
    question: 'What did breakouts of 20 days, sold below the low of 10, earn on ACRX, through its split?',
    calls: [run('backtest', { symbol: 'ACRX', ...BREAKOUT, ...YEAR })],
    figure: '0.total_pnl_pct',
    answer: (market) => rounded(100 * ((brokenOut(market, 'ACRX').equity.at(-1) ?? 0) - 1)),
  },
  {
    question: 'What was the worst loss from a peak of the same rules on CORX?',
    calls: [run('backtest', { symbol: 'CORX', ...BREAKOUT, ...YEAR })],
    figure: '0.max_drawdown_pct',
    answer: (market) => rounded(drawdownPct(brokenOut(market, 'CORX').equity)),
  },
  {
    question: 'What did the second trade of a crossover of 10 and 30 days on LUMA earn?',
    calls: [
      run('backtest', { symbol: 'LUMA', ...ABOVE, params: { f: 10, s: 30 }, ...YEAR }),
      { tool: 'read', input: { kind: 'backtest', id: '{0.id}', part: 'trades', offset: 1 } },
    ],
    figure: '1.rows.0.pnl_pct',
    answer: (market) => rounded(holdAbove(market, 'LUMA', 10, 30).trades[1]),
  },
  {
    question: 'Which total return has the best of four such crossovers on QILL?',
    calls: [
      run('optimize', {
        symbol: 'QILL',
        ...ABOVE,
        grid: { f: [5, 10], s: [20, 40] },
        objective: 'total_pnl_pct',
        ...YEAR,
      }),
    ],
    figure: '0.best.0.total_pnl_pct',
    answer: (market) =>
      rounded(
        Math.max(
          ...[5, 10].flatMap((fast) =>
            [20, 40].map((slow) => 100 * ((holdAbove(market, 'QILL', fast, slow).equity.at(-1) ?? 0) - 1)),
          ),
        ),
      ),
  },
  {
    question: 'What did 60 % LUMA and 40 % OABX earn, bought once?',
    calls: [
      run('portfolio', {
        allocation: {
          targets: [
            { symbol: 'LUMA', weight: 0.6 },
            { symbol: 'OABX', weight: 0.4 },
          ],
          rebalance: 'none',
        },
        execute_on: 'close',
        ...YEAR,
      }),
    ],
    figure: '0.total_pnl_pct',
    answer: (market) =>
      rounded(
        0.6 * changePct(barsOf(market, 'LUMA', YEAR.start)) + 0.4 * changePct(barsOf(market, 'OABX', YEAR.start)),
      ),
  },
  {
    question: 'How did these eight names do on average in the five sessions after the first close above 20 highs?',
    calls: [
      run('outcomes', {
        condition: 'close > highest(20)',
        universe: { symbols: PEERS },
        horizons: [5],
        adjust: 'split',
        ...YEAR,
      }),
    ],
    figure: '0.horizons.0.mean',
    answer: (market) => {
      const after = PEERS.flatMap((ticker) => {
        const bars = barsOf(market, ticker);
        return bars.flatMap(({ date, close }, i) =>
          date >= YEAR.start && i + 5 < bars.length && breaksOut(bars, i) && !breaksOut(bars, i - 1)
            ? [bars[i + 5].close / close - 1]
            : [],
        );
      });
      return rounded(mean(after), 10);
    },
  },
  {
    question: 'Does the change of 21 days rank the next 21 days of these names, at ends of months?',
    calls: [
      run('factors', {
        universe: { symbols: PEERS },
        factors: [{ name: 'momentum', value: 'roc(21)' }],
        horizons: [21],
        every: 'month',
        ...YEAR,
      }),
    ],
    figure: '0.factors.0.horizons.0.ic.mean',
    answer: (market) => {
      const all = PEERS.map((ticker) => barsOf(market, ticker));
      const places = monthEnds(all[0], 21).filter((i) => all[0][i].date >= YEAR.start);
      return mean(
        places.map((i) =>
          rankCorrelation(
            all.map((bars) => bars[i].close / bars[i - 21].close),
            all.map((bars) => bars[i + 21].close / bars[i].close),
          ),
        ),
      );
    },
  },
  {
    question: 'Which Sharpe ratio do these returns of twelve days have?',
    calls: [
      {
        tool: 'judge',
        input: {
          csv: [
            'date,own',
            ...RETURNS.map((value, i) => `2026-03-${String(9 + i + 2 * Math.floor(i / 5)).padStart(2, '0')},${value}`),
          ].join('\n'),
        },
      },
    ],
    figure: '0.streams.0.sharpe',
    answer: () => rounded((mean(RETURNS) / deviation(RETURNS)) * Math.sqrt(252)),
  },
];
