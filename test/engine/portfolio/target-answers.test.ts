/** Compares target weights on real bars with figures that another implementation of the same rules computed. */
import { beforeAll, expect, it } from '@jest/globals';
import { formatDay } from '../../../engine/market/dates.ts';
import { contributionsOf } from '../../../engine/portfolio/figures.ts';
import { returnsOf } from '../../../engine/statistics/moments.ts';
import { regress, type SkillFigures, skillOf } from '../../../engine/statistics/skill.ts';
import { required } from '../../../engine/util/values.ts';
import { expectSame, reportedMetrics, reportedTrade } from '../../support/known-answers.ts';
import { CAPITAL, RealTargets } from '../../support/real-targets.ts';
import { comparedCases, readTargetAnswers } from '../../support/target-answers.ts';

const { cases, content, describe } = readTargetAnswers();
const answers = content === null ? [] : [...cases, ...comparedCases(content)];

function skillView({ beta, alphaPct, alphaT, appraisal, psr, exAnte }: SkillFigures) {
  return { beta, alpha_pct: alphaPct, alpha_t: alphaT, appraisal, psr, ...exAnte };
}

describe('target weights on real bars', () => {
  let real: RealTargets;

  beforeAll(() => {
    real = new RealTargets(answers.map(({ body }) => body));
  });

  it.each(answers.map((answer) => [answer.name, answer] as const))('%s', (_, { body, ...expected }) => {
    const { prepared, run, metrics } = real.run(body);
    const { clock, instruments, benchmark, market } = prepared;
    const dateOf = (t: number) => formatDay(clock[t]);
    expect(clock).toHaveLength(expected.sessions);
    const symbolOf = (instrument: number) => instruments[instrument].symbol.replace('.US', '');
    const trades = run.trades.map((trade, i) =>
      reportedTrade(trade, i, symbolOf(trade.instrument), instruments[trade.instrument].range.series.day),
    );
    for (const [i, trade] of expected.trades.first.entries()) expectSame(trades[i], trade, `trade ${i}`);
    expect(trades).toHaveLength(expected.trades.count);
    for (const [i, trade] of expected.trades.last.toReversed().entries()) {
      expectSame(required(trades.at(-1 - i)), trade, `trade ${i} from the end`);
    }
    const { some, count } = expected.flows;
    expect(run.flows).toHaveLength(count);
    const returns = returnsOf(run.curve, CAPITAL);
    const made = new Map(
      run.flows.map(({ session, amount }) => [dateOf(session), { amount, r: returns[session] }] as const),
    );
    for (const [date, amount, r] of some) expectSame(required(made.get(date), date), { amount, r }, date);
    const reweighted = run.rebalances.map(dateOf);
    const { first, last } = expected.reweighted;
    expect(reweighted).toHaveLength(expected.reweighted.count);
    expect([reweighted.slice(0, first.length), reweighted.slice(reweighted.length - last.length)]).toEqual([
      first,
      last,
    ]);
    expect(run.exhausted === null ? null : dateOf(run.exhausted)).toBe(expected.exhausted);
    const at = new Map([...clock].map((day, t) => [formatDay(day), t]));
    const peaks = run.curve.map((_, t) => run.curve.subarray(0, t + 1).reduce((a, b) => Math.max(a, b), CAPITAL));
    for (const [date, equity, drawdown, held, curve] of expected.equity ?? []) {
      const t = required(at.get(date));
      const actual = { equity: run.equity[t], drawdown: 100 * (1 - run.curve[t] / peaks[t]), held: benchmark[t] };
      expectSame({ ...actual, curve: run.curve[t] }, { equity, drawdown, held, curve }, date);
    }
    for (const [date, positions, invested] of expected.positions ?? []) {
      const t = required(at.get(date));
      const share = run.equity[t] === 0 ? null : (100 * run.invested[t]) / run.equity[t];
      expectSame({ positions: run.positions[t], invested: share }, { positions, invested }, date);
    }
    expectSame(reportedMetrics(metrics, clock), expected.metrics, 'metrics');
    if (expected.contributions === undefined || expected.skill === undefined) return;
    const contributions = contributionsOf(run.trades);
    expect(contributions).toHaveLength(expected.contributions.length);
    for (const [i, { instrument, pnlSharePct, ...one }] of contributions.entries()) {
      const actual = { symbol: symbolOf(instrument), trades: one.trades, pnl: one.pnl, pnl_share_pct: pnlSharePct };
      expectSame(actual, expected.contributions[i], `contribution ${i}`);
    }
    const { ex_ante, shown, benchmark: against, ...skill } = expected.skill;
    const found = required(skillOf(returns, market, regress(returns, market)));
    expect(found.shown).toBe(shown);
    expect(against).toBe(body.benchmark?.replace('equal_weight', 'equal_weight_daily') ?? 'equal_weight_daily');
    const { psr, t, bars } = required(ex_ante);
    expectSame(skillView({ ...found, exAnte: null }), skill, 'skill');
    expectSame({ ...required(found.exAnte) }, { psr, t, bars }, 'skill beforehand');
  });
});
