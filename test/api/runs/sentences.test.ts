/** Reads all sentences about runs that lose, tie, gain, hold, or do nothing, in three languages, and looks for contradictions. */
import { describe, expect, it } from '@jest/globals';
import { LOCALES, type Locale } from '../../../api/http/language/locale.ts';
import { sentencesOf } from '../../../api/runs/statistics-view.ts';
import { decimal, verdictText } from '../../../api/runs/verdict-texts.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { holdingReturns } from '../../../engine/portfolio/benchmark.ts';
import { returnsOf } from '../../../engine/statistics/moments.ts';
import { regress, skillOf } from '../../../engine/statistics/skill.ts';
import { benchmarkFigures } from '../../../engine/tear-sheet/benchmark.ts';
import { returnFigures } from '../../../engine/tear-sheet/returns.ts';
import type { Sentence } from '../../../engine/tear-sheet/sentence.ts';
import { type Choice, choiceOf, searchSentence } from '../../../engine/tear-sheet/skill-sentences.ts';
import { timeFigures } from '../../../engine/tear-sheet/time.ts';
import { tradeFigures } from '../../../engine/tear-sheet/trades.ts';
import { verdictOf, withChoice } from '../../../engine/tear-sheet/verdict.ts';
import { measureRun } from '../../../jobs/runs/measured-run.ts';
import { lehmer } from '../../support/series.ts';

const DAYS = Int32Array.from(sessionsBetween(requireDay('2020-01-02'), requireDay('2023-12-29')));
const SEED = '0123456789abcdef';

/** Sentences of which no two may stand together, by language. */
const PAIRS: Readonly<Record<Locale, readonly (readonly [RegExp, RegExp])[]>> = {
  en: [
    [/^Shown:/, /^Not shown|Too short to tell|nothing was earned/],
    [/^Shown:/, /chance could have done it/],
    [/^Gained/, /^Lost/],
    [/^Lost|^Returned/, /earned more|earned nothing/],
    [/^Not shown|Too short to tell|nothing was earned/, /(choice of the entries|choice of the names) counts/],
    [/^Not shown|Too short/, /chance does not explain|more than luck|not luck/],
    [/^Lost/, /at least half of what/],
  ],
  'zh-CN': [
    [/^已显示/, /^未显示|^太短|无本领可言/],
    [/^已显示/, /运气也可能做到/],
    [/^收益\d/, /^亏损\d/],
    [/^未显示|^太短|无本领可言/, /(入场时机|选股)起了作用/],
    [/^未显示|^太短/, /难以用运气解释/],
    [/^亏损/, /至少占扣除前收益的一半/],
  ],
  'zh-TW': [
    [/^已顯示/, /^未顯示|^太短|無本領可言/],
    [/^已顯示/, /運氣也可能做到/],
    [/^報酬\d/, /^虧損\d/],
    [/^未顯示|^太短|無本領可言/, /(進場時機|選股)起了作用/],
    [/^未顯示|^太短/, /難以用運氣解釋/],
    [/^虧損/, /至少占扣除前報酬的一半/],
  ],
};

function walk(count: number, seed: number, drift: number): Float64Array {
  const random = lehmer(seed);
  return grown(Float64Array.from({ length: count }, (_, t) => (t === 0 ? 0 : drift + 0.02 * (random() - 0.5))));
}

function grown(returns: Float64Array): Float64Array {
  let value = 100;
  return returns.map((r) => {
    value *= 1 + r;
    return value;
  });
}

interface Made {
  readonly equity: Float64Array;
  readonly close: Float64Array;
  readonly trades: number;
  readonly slippage?: number;
  readonly rank?: number;
  /** Whether all random runs end alike: nothing was free to draw. */
  readonly isRankOfEquals?: boolean;
}

const MARKETS = { rising: 0.0008, falling: -0.0008, still: 0 };

function made(count: number, market: keyof typeof MARKETS): Record<string, Made> {
  const close = market === 'still' ? new Float64Array(count).fill(100) : walk(count, 3, MARKETS[market]);
  const over = (rate: (r: number, t: number) => number) => grown(holdingReturns(close).map(rate));
  return {
    holding: { close, equity: Float64Array.from(close), trades: 1 },
    'no trades': { close, equity: new Float64Array(count).fill(100), trades: 0 },
    'half of the market': { close, equity: over((r) => 0.5 * r), trades: 40 },
    'market and luck': { close, equity: over((r, t) => r + 0.006 * Math.sin(7 * t * t)), trades: 40, rank: 0.97 },
    loses: { close, equity: over((r, t) => 0.2 * r - 0.001 - 0.001 * (t % 2)), trades: 12, slippage: 20 },
    wins: { close, equity: over((r, t) => 0.5 * r + 0.0015 + 0.002 * ((t * t) % 3)), trades: 80, rank: 0.99 },
    'loses all': { close, equity: over((_, t) => (t === 30 ? -1 : 0)), trades: 2 },
    'eaten by costs': { close, equity: over((r) => r - 0.0001), trades: 60, slippage: 30 },
  };
}

const FIVE = { p5: 1, p25: 2, p50: 3, p75: 4, p95: 5 };
const SAME = { p5: 1, p25: 1, p50: 1, p75: 1, p95: 1 };
const BOOTSTRAP = {
  samples: 1_000,
  block_length: 1,
  seed: SEED,
  bands: [],
  final_equity: FIVE,
  max_drawdown_pct: FIVE,
  under_water_bars: FIVE,
  p_loss: 0.2,
  p_drawdown_above: { '20': 0, '30': 0, '50': 0 },
};

/** The verdict on a run whose figures are those of a tear sheet, without its resamples. */
function verdict(
  { equity, close, trades, slippage = 0, rank, isRankOfEquals = false }: Made,
  isPortfolio: boolean,
): Sentence[] {
  const sessions = equity.length;
  const days = DAYS.subarray(0, sessions);
  const column = () => new Float64Array(sessions);
  const one = {
    symbol: 'ALFA.US',
    entryDay: DAYS[0],
    entrySession: 0,
    barsHeld: 1,
    entryPrice: 10,
    exitPrice: 10,
    shares: 1,
    pnl: 1,
    pnlPct: 1,
    commission: 0,
    slippage,
    maePct: 0,
    mfePct: 0,
    exitReason: 'signal',
  };
  const all = Array.from({ length: trades }, () => one);
  const returns = returnsOf(equity, 100);
  const market = holdingReturns(close);
  const holdings = { positions: new Int32Array(sessions), invested: column(), largest: column(), squares: column() };
  const ranked = rank === undefined ? null : { rank, runs: 500, total_pct: isRankOfEquals ? SAME : FIVE };
  return verdictOf({
    sessions,
    returns: returnFigures(days, returns),
    benchmark: benchmarkFigures(days, returns, market),
    regression: null,
    interestOfGainPct: null,
    time: timeFigures({
      days,
      returns,
      benchmark: market,
      excess: { returns, benchmark: market },
      equity: Float64Array.of(100, ...equity),
      money: Float64Array.of(100, ...equity),
      trades: all,
      holdings,
    }),
    trades: tradeFigures(all, isPortfolio ? 0 : null),
    chance: {
      bootstrap: BOOTSTRAP,
      trade_order: null,
      random_entries: isPortfolio ? null : ranked,
      random_sets: isPortfolio ? ranked : null,
    },
    skill: skillOf(returns, market, regress(returns, market)),
    areSetsSkipped: isPortfolio && rank === undefined,
  });
}

const CHOICES: readonly (Choice | null)[] = [
  null,
  { trials: 1, account: { runs: 1, dsr: null } },
  { trials: 1, account: { runs: 40, dsr: 0.31 } },
  { trials: 25, skill: { dsr: 0.97 }, account: { runs: 90, dsr: 0.99 } },
  { trials: 25, account: null },
];

function contradictions(texts: readonly string[], locale: Locale): string[] {
  return PAIRS[locale].flatMap(([a, b]) => {
    const [one, other] = [a, b].map((pattern) => texts.find((text) => pattern.test(text)));
    return one !== undefined && other !== undefined ? [`${one} / ${other}`] : [];
  });
}

const COUNTS = [40, 90, 300, 900];

describe('the sentences of a verdict', () => {
  it('never contradict each other, begin with the result, and have no place without a figure', () => {
    const keys = new Set<string>();
    for (const market of ['rising', 'falling', 'still'] as const) {
      for (const count of COUNTS) {
        for (const [name, one] of Object.entries(made(count, market))) {
          for (const isPortfolio of [false, true]) {
            const sentences = verdict(one, isPortfolio);
            for (const choice of CHOICES) {
              const all: Sentence[] = withChoice(sentences, choice ? choiceOf(choice) : []);
              for (const { key } of all) keys.add(key);
              for (const locale of LOCALES) {
                const texts = all.map((sentence) => verdictText(sentence, locale));
                const of = { market, count, name, locale };
                expect({ ...of, found: contradictions(texts, locale) }).toEqual({ ...of, found: [] });
                expect({ ...of, bad: texts.filter((text) => /NaN|undefined|null|Infinity|[{}]/.test(text)) }).toEqual({
                  ...of,
                  bad: [],
                });
              }
              if (one.trades === 0) continue;
              const [first, second] = all.map(({ key }) => key);
              expect(first).toMatch(/^(gained|lost|returned)/);
              expect(second).toMatch(/^skill_/);
            }
          }
        }
      }
    }
    for (const key of [
      'skill_shown_rarely',
      'skill_none',
      'skill_holding',
      'skill_short',
      'skill_no_market',
      'sets_better',
    ])
      expect([key, keys.has(key)]).toEqual([key, true]);
  });

  it('say in the first one how much of the gain is interest on cash', () => {
    const figures = { 'returns.total_pct': 12, 'benchmark.total_pct': 10, of_gain: 33.33 };
    const textOf = (locale: Locale) => verdictText({ key: 'gained_more', figures }, locale);
    expect(LOCALES.map(textOf)).toEqual([
      'Gained 12.0% while its benchmark gained 10.0%; interest on cash is 33.3% of the gain.',
      '收益12.0%，同期基准收益10.0%；现金利息占收益的33.3%。',
      '報酬12.0%，同期基準報酬10.0%；現金利息占報酬的33.3%。',
    ]);
    const idle = verdictText({ key: 'no_trades', figures: { 'trades.count': 0, of_gain: 100 } }, 'en');
    expect(idle).toBe('The run made no trade. There is nothing to judge; interest on cash is 100.0% of the gain.');
  });

  it('tell no rank among random runs that are all the same', () => {
    const { 'market and luck': one } = made(300, 'rising');
    const ranks = (isRankOfEquals: boolean) =>
      [false, true].flatMap((isPortfolio) =>
        verdict({ ...one, isRankOfEquals }, isPortfolio).filter(({ key }) => /^(entries|sets)_/.test(key)),
      );
    expect(ranks(false)).toHaveLength(2);
    expect(ranks(true)).toEqual([]);
  });

  it('agree with the sentences of the statistics about the same run', () => {
    for (const market of ['rising'] as const) {
      for (const one of Object.values(made(130, market))) {
        const returns = returnsOf(one.equity, 100);
        const held = { name: 'buy_hold', returns: holdingReturns(one.close) };
        const { statistics } = measureRun(returns, held, null, { days: 189, seed: SEED, isWanted: true });
        if (statistics === undefined) throw new Error('no statistics');
        for (const locale of LOCALES) {
          const told = sentencesOf({ statistics, selection: null }, locale);
          const [, sure] = verdict({ ...one, trades: 40 }, false);
          expect(told[0]).toBe(verdictText(sure, locale));
          expect(contradictions(told, locale)).toEqual([]);
        }
      }
    }
  });

  it('have no minus before a figure that is rounded to 0', () => {
    expect([-0.04, 0, -0.06, -1234.56].map((figure) => decimal(figure, 1))).toEqual(['0.0', '0.0', '-0.1', '-1,234.6']);
  });

  it('call a search significant only where its reality check does', () => {
    const text = (p: number) => verdictText(searchSentence(p), 'en');
    expect(text(1)).toMatch(/^Not shown.* 100 of 100/);
    expect(text(0.051)).toMatch(/^Not shown.* 5 of 100/);
    expect(text(0.05)).toMatch(/^Shown.* 5 of 100/);
    expect(text(0)).toMatch(/^Shown.*fewer than 1 of 100/);
  });
});
