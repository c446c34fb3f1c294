/** Levels that rules and ranks see at each bar of real instruments, against their prices as traded. */
import { describe, expect, it } from '@jest/globals';
import { pricedRangeOf } from '../../../engine/backtest/backtest.ts';
import { type ProvedRun, provePrefixes, type Rules } from '../../../engine/backtest/look-ahead.ts';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { ADJUST_MODES, adjustToLastBar } from '../../../engine/market/adjust.ts';
import type { BarSeries } from '../../../engine/market/series.ts';
import type { PortfolioMember } from '../../../engine/portfolio/backtest.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { HistoryColumns } from '../../../engine/rules/columns.ts';
import { compileCondition, compileValue } from '../../../engine/rules/compile.ts';
import { strategyOf } from '../../../engine/rules/strategy.ts';
import { FigureHistory } from '../../../engine/screener/figure-history.ts';
import { effectiveParameters } from '../../../engine/strategies/catalogue.ts';
import { required } from '../../../engine/util/values.ts';
import { hasRealMarket, readMembers } from '../../support/real-market.ts';

if (!hasRealMarket) process.stderr.write('SKIPPED: rules on real bars, which are not available\n');

/** Splits, reverse splits, spin-offs, and dividends. */
const TICKERS = ['AAPL', 'AVGO', 'DD', 'DHR'];
const RULES = { entry: 'close > 150 and dollar_volume > 1e7', exit: 'close < 140 or close < entry_price - 20' };

function compiled(text: string, result: 'value' | 'condition') {
  const checked = checkRule(text, { result, mayUsePosition: false, parameters: null });
  if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
  return checked.expression;
}

function expectClose(found: ArrayLike<number>, expected: Float64Array): void {
  for (const [t, value] of expected.entries()) {
    if (!(Math.abs(found[t] - value) <= 1e-9 * Math.abs(value))) expect([t, found[t]]).toEqual([t, value]);
  }
}

(hasRealMarket ? describe : describe.skip)('on real bars', () => {
  const members: PortfolioMember[] = hasRealMarket ? [...readMembers(new Set(TICKERS)).values()] : [];
  const moved = (member: PortfolioMember) => adjustToLastBar(member.series, member.events, 'total').adjustedFor.length;

  it.each(ADJUST_MODES)('levels are as traded under the adjustment %s', (adjust) => {
    expect(Math.min(...members.map(moved))).toBeGreaterThan(3);
    for (const { series: traded, events } of members) {
      const indicators = new IndicatorSet(adjustToLastBar(traded, events, adjust));
      const columns = new HistoryColumns(indicators);
      const known = (text: string) => columns.known(compileValue(compiled(text, 'value')));
      const money = traded.close.map((price, t) => price * traded.volume[t]);
      expectClose(known('close'), traded.close);
      expectClose(
        known('-close'),
        traded.close.map((price) => -price),
      );
      expectClose(known('volume'), traded.volume);
      expectClose(known('dollar_volume'), money);
      for (const [field, expected] of [
        ['close', traded.close],
        ['dollar_volume', money],
      ] as const) {
        const figures = new FigureHistory(indicators, field, 0);
        expectClose(
          Array.from(expected, (_, t) => figures.at(t)),
          expected,
        );
      }
      const mask = columns.mask(compileCondition(compiled('close > 150.0001', 'condition')));
      expect([...mask]).toEqual(Array.from(traded.close, (price) => (price > 150.0001 ? 1 : 0)));
    }
  });

  it('rules with levels make the same trades on every prefix of two years', () => {
    const strategy = strategyOf({ strategy: 'rules', rules: RULES, params: {} });
    const effective = effectiveParameters(strategy, {});
    if ('refused' in effective) throw new Error('faults');
    const rules: Rules = (series: BarSeries) => strategy.plan(new IndicatorSet(series), effective.values);
    for (const member of members) {
      // Two years around the last split, so that it lies between the bars.
      const split = required(member.events.findLast(({ kind }) => kind !== 'cash_dividend')).exDay;
      const range = { start: split - 365, end: split + 365, timeRange: 'MAX', adjust: 'total' } as const;
      const ranged = required(pricedRangeOf(range, member));
      const execution = {
        executeOn: 'close',
        commissionRate: 0,
        minCommission: 0,
        slippageBps: 0,
        initialCapital: 1e5,
      } as const;
      const run: ProvedRun = { ...ranged, execution };
      const proof = provePrefixes(run, rules);
      let step = proof.next();
      while (!step.done) step = proof.next();
      expect([member.symbol, step.value.verdict]).toEqual([member.symbol, 'none']);
    }
  });
});
