/** Truncated runs: no built-in strategy looks ahead, and a strategy that does is detected. */

import { describe, expect, it } from '@jest/globals';
import { EXECUTE_ON, type Execution } from '../../../engine/backtest/execution.ts';
import { measureWarmUp, type ProvedRun, provePrefixes, type Rules } from '../../../engine/backtest/look-ahead.ts';
import { simulate } from '../../../engine/backtest/simulate.ts';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { type BarSeries, sliceSeries } from '../../../engine/market/series.ts';
import { readRules, rulesStrategy } from '../../../engine/rules/strategy.ts';
import { effectiveParameters, requireStrategy, STRATEGIES } from '../../../engine/strategies/catalogue.ts';
import type { ParameterValues } from '../../../engine/strategies/parameters.ts';
import type { Overlays, RuleTexts, Strategy } from '../../../engine/strategies/strategy.ts';
import { required } from '../../../engine/util/values.ts';
import { asTraded, eventAt, knownBefore } from '../../support/events.ts';
import { randomSeries } from '../../support/series.ts';

const BARS = 160;
const FROM = 60;

/** Parameters that trade often on short series. */
const QUICK: Readonly<Record<string, ParameterValues>> = {
  chandelier: { sma_period: 8, atr_period: 5, exit_mult: 1.5, stop_loss_pct: 8 },
  sma_cross: { fast_period: 3, slow_period: 8, take_profit_pct: 12 },
  donchian: { entry_period: 6, exit_period: 4, max_bars: 15 },
  rsi_reversion: { rsi_period: 3, entry_below: 40, exit_above: 60, trend_period: 0 },
  bollinger_reversion: { period: 8, mult: 1 },
  macd: { fast_period: 3, slow_period: 8, signal_period: 3 },
  roc_momentum: { period: 10 },
  buy_hold: {},
};

function rulesOf(strategy: Strategy, given: ParameterValues): Rules {
  const effective = effectiveParameters(strategy, given);
  if ('refused' in effective) throw new Error(JSON.stringify(effective.refused));
  const { values } = effective;
  return (series) => strategy.plan(new IndicatorSet(series), values);
}

function runOn(series: BarSeries, executeOn: Execution['executeOn'], from = FROM): ProvedRun {
  const execution = { executeOn, commissionRate: 0.001, minCommission: 1, slippageBps: 5, initialCapital: 100_000 };
  const cut = (to: number) => sliceSeries(series, 0, to);
  return { series, from, to: series.length, execution, finalReason: 'end_of_data', cut };
}

function proofOf(run: ProvedRun, rules: Rules) {
  const proof = provePrefixes(run, rules);
  for (;;) {
    const step = proof.next();
    if (step.done) return step.value;
  }
}

const OVERLAYS_OFF: Overlays = { stopLossPct: 0, takeProfitPct: 0, maxBars: 0 };

/** Buys before a rise and sells before a fall that it reads `ahead` bars too early. */
const peeking = (ahead: number, isAtExit = false): Rules => {
  return ({ close }) => {
    const rises = (t: number) => close[t + ahead] > close[t + ahead - 1] * 1.005;
    const falls = (t: number) => close[t + ahead] < close[t + ahead - 1] * 0.995;
    const scan = (holds: (t: number) => boolean) => (from: number, to: number) => {
      for (let t = from; t < to; t++) if (holds(t)) return t;
      return to;
    };
    const honest = (t: number) => t > 0 && close[t] > close[t - 1];
    return {
      signals: { entry: scan(isAtExit ? honest : rises), exit: scan(falls), trail: null, stop: null },
      overlays: OVERLAYS_OFF,
    };
  };
};

describe('the prefix proof', () => {
  it.each(STRATEGIES.map((strategy) => [strategy.code, strategy] as const))(
    'finds nothing in %s, on every prefix of 20 series in both modes',
    (code, strategy) => {
      let traded = 0;
      for (let seed = 1; seed <= 20; seed++) {
        const run = runOn(randomSeries(BARS, seed), EXECUTE_ON[seed % 2]);
        const rules = rulesOf(strategy, QUICK[code]);
        traded += simulate({ ...run, ...rules(run.series) }).trades.length;
        expect(proofOf(run, rules)).toEqual({
          prefixes: BARS - FROM,
          differences: 0,
          verdict: 'none',
          first: null,
        });
      }
      // Bought once and held, there is one trade a series.
      expect(traded).toBeGreaterThanOrEqual(20);
    },
  );

  it.each([
    [1, false],
    [1, true],
    [2, false],
    [5, false],
  ])('finds a strategy that looks %i bar ahead (only at exits: %s)', (ahead, isAtExit) => {
    for (const executeOn of EXECUTE_ON) {
      const found = proofOf(runOn(randomSeries(BARS, 3), executeOn), peeking(ahead, isAtExit));
      expect(found.verdict).toBe('found');
      expect(found.differences).toBeGreaterThan(0);
      expect(found.first?.day).toBeLessThanOrEqual(required(found.first?.cutAfter));
    }
  });

  it('finds a rule that looks ahead only while it searches for its next bar', () => {
    const rules: Rules = ({ close }) => {
      const entry = (from: number, to: number) => {
        const ahead = to > from + 1 ? 4 : 0;
        for (let t = Math.max(from, 1); t < to; t++) if (close[t + ahead] > close[t + ahead - 1] * 1.01) return t;
        return to;
      };
      const exit = (from: number, to: number) => Math.min(from + 2, to);
      return { signals: { entry, exit, trail: null, stop: null }, overlays: OVERLAYS_OFF };
    };
    const kinds = [1, 2, 3, 4].map((seed) => proofOf(runOn(randomSeries(BARS, seed), 'close'), rules).first?.kind);
    for (const kind of kinds) expect(['equity', 'trade']).toContain(kind);
  });
});

describe('the prefix proof of a run over splits and dividends', () => {
  const walk = randomSeries(BARS, 8);
  const events = [
    eventAt(walk, 80, 0.25),
    eventAt(walk, 100, 0.97, 'cash_dividend'),
    eventAt(walk, 130, 3, 'reverse_split'),
  ];
  const traded = asTraded(walk, events);
  const level = traded.close[FROM];
  const proof = (rules: Rules, executeOn: Execution['executeOn']) => {
    const cut = (to: number) => knownBefore(traded, events, to);
    const run = { ...runOn(cut(BARS), executeOn), cut };
    expect(simulate({ ...run, ...rules(run.series) }).trades.length).toBeGreaterThan(0);
    return proofOf(run, rules);
  };
  const ownRules = (texts: RuleTexts): Rules => {
    const read = readRules(texts);
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    return rulesOf(rulesStrategy(read.rules), {});
  };

  it.each([
    { entry: `close > ${level}`, exit: `close < ${level / 2}` },
    { entry: `dollar_volume > ${level * 4e5} and volume > 2e5`, exit: 'bars_held > 3' },
    { entry: `crosses_above(close, ${level})`, trail: 'peak - 2', stop: 'entry_price - 3' },
    { entry: 'close > sma(5)', exit: 'for_bars(close < entry_price - 1, 2)' },
  ])('finds nothing in rules with levels: %j', (texts) => {
    for (const executeOn of EXECUTE_ON) expect(proof(ownRules(texts), executeOn)).toMatchObject({ verdict: 'none' });
  });

  it('finds nothing in a built-in strategy', () => {
    for (const { code } of STRATEGIES) {
      const rules = rulesOf(requireStrategy(code), QUICK[code]);
      expect([code, proof(rules, 'next_open').verdict]).toEqual([code, 'none']);
    }
  });

  it.each(['entry', 'exit'] as const)(
    'finds a level of prices that later events changed, planted in the %s',
    (side) => {
      const peek: Rules = (series) => {
        // The figures of the last bar's basis, as if nothing had come between.
        const oneBasis = { ...series, adjustedFor: [] };
        const honest = ownRules({ entry: 'close > 0', exit: 'bars_held > 5' })(series);
        const leaking = ownRules({ entry: `close > ${level / 2}`, exit: `close < ${level / 2}` })(oneBasis);
        return { ...honest, signals: { ...honest.signals, [side]: leaking.signals[side] } };
      };
      for (const executeOn of EXECUTE_ON) {
        const found = proof(peek, executeOn);
        expect(found.verdict).toBe('found');
        expect(found.differences).toBeGreaterThan(0);
      }
    },
  );
});

describe('the warm-up', () => {
  const sma = required(STRATEGIES.find(({ code }) => code === 'sma_cross'));
  const rsi = required(STRATEGIES.find(({ code }) => code === 'rsi_reversion'));

  it('of an average is about its period', () => {
    const run = runOn(randomSeries(600, 4), 'close', 400);
    const found = measureWarmUp(run, rulesOf(sma, { fast_period: 5, slow_period: 20 }), 20);
    expect(found.available).toBe(400);
    expect(found.compared).toEqual([20, 40, 80, 160, 320, 400]);
    expect([20, 40]).toContain(found.needed);
  });

  it('of a recursion is more than its period, and the trades after it do not change', () => {
    const series = randomSeries(900, 6);
    const rules = rulesOf(rsi, { rsi_period: 40, entry_below: 49, exit_above: 51, trend_period: 0 });
    const run = runOn(series, 'close', 700);
    const { needed } = measureWarmUp(run, rules, 40);
    expect(needed).toBeGreaterThan(40);
    const tradesAfter = (bars: number) => {
      const cut = sliceSeries(series, 700 - bars, 900);
      const { trades } = simulate({ ...run, ...rules(cut), series: cut, from: bars, to: bars + 200 });
      return trades.map(({ entryIndex, exitIndex }) => [entryIndex - bars, exitIndex - bars]);
    };
    expect(tradesAfter(needed)).toEqual(tradesAfter(700));
    expect(tradesAfter(needed / 2)).not.toEqual(tradesAfter(700));
  });

  it('is the whole history where that is shorter than the period', () => {
    const found = measureWarmUp(runOn(randomSeries(100, 2), 'close', 10), rulesOf(sma, {}), 50);
    expect(found).toEqual({ needed: 10, available: 10, compared: [10] });
  });
});
