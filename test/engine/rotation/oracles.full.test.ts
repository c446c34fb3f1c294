/** Rotations beside those of `oracles/rotations.py`, which computes them by pandas, PyPortfolioOpt, cvxpy, and scikit-learn. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import type { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { isAbove } from '../../../engine/indicators/ties.ts';
import { firstIndexFrom } from '../../../engine/market/series.ts';
import { FILTER, type Panel } from '../../../engine/rotation/panel.ts';
import { type RotationRule, rebalanceSessions } from '../../../engine/rotation/rotation.ts';
import type { NameCount, RankOrder } from '../../../engine/rotation/selection.ts';
import { simulateRotation } from '../../../engine/rotation/simulate.ts';
import { weighBy } from '../../../engine/rotation/weigh.ts';
import type { CovarianceMethod } from '../../../engine/rotation/weights/covariance.ts';
import type { WeightMethod } from '../../../engine/rotation/weights/methods.ts';
import { required } from '../../../engine/util/values.ts';
import { deadline } from '../../support/deadlines.ts';
import { everyNth } from '../../support/extent.ts';
import { panelOf, ranks, type ScoreRule, valuesOf } from '../../support/panels.ts';
import { openPythonEnvironment, PythonUnavailable } from '../../support/python-environment.ts';
import { walkingMembers } from './oracles/walks.ts';

const fileOf = (name: string) => fileURLToPath(new URL(`oracles/${name}`, import.meta.url));
const read = (name: string) => JSON.parse(readFileSync(fileOf(name), 'utf8'));

interface Count {
  readonly top?: number;
  readonly top_pct?: number;
}

interface Case {
  readonly name: string;
  readonly names: number;
  readonly sessions: number;
  readonly start: number;
  readonly seed: number;
  readonly every: 'week' | 'month' | 'quarter' | number;
  readonly offset: number;
  readonly score: 'roc' | 'volatility' | 'ranks';
  readonly order: RankOrder;
  readonly hold: Count;
  readonly keep: Count | null;
  readonly method: WeightMethod;
  readonly lookback: number;
  readonly covariance: CovarianceMethod;
  readonly min: number;
  readonly max: number;
  readonly target: number | null;
  readonly fixed: Readonly<Record<string, number>>;
  readonly filter: { readonly ticker: string; readonly sessions: number } | null;
  readonly stop_loss: number;
  readonly execute_on: 'close' | 'next_open';
  readonly costs: { readonly rate: number; readonly least: number; readonly slippage: number };
  readonly buffer: number;
  readonly rebalances: readonly {
    readonly session: number;
    readonly eligible: number;
    readonly scored: number;
    readonly entered: readonly string[];
    readonly left: readonly string[];
    readonly turnover_pct: number;
    readonly weights: Readonly<Record<string, number>>;
    readonly filter: boolean;
  }[];
  /** Index in the clock, and money. */
  readonly equity: readonly [number, number][];
  readonly trades: readonly [string, string, number][];
  readonly trade_count: number;
}

const cases: readonly Case[] = read('rotations.json');
const SOLVED: ReadonlySet<WeightMethod> = new Set(['min_variance', 'risk_parity', 'max_diversification']);

const roc = ({ series: { close } }: IndicatorSet) =>
  close.map((price, t) => (t < 40 ? Number.NaN : 100 * (price / close[t - 40] - 1)));
const volatility = (indicators: IndicatorSet) => indicators.volatility(30);

const SCORES: Readonly<Record<Case['score'], ScoreRule>> = {
  roc: { columns: [roc], combine: (values) => values },
  volatility: { columns: [volatility], combine: (values) => values },
  ranks: {
    columns: [roc, volatility],
    combine: (momentum, risk) => {
      const calm = ranks(risk.map((value) => -value));
      return ranks(momentum).map((rank, i) => rank + calm[i]);
    },
  },
};

const countOf = ({ top, top_pct }: Count): NameCount => (top === undefined ? { topPct: required(top_pct) } : { top });

function panelFor({ names, sessions, seed, start }: Case): Panel {
  const members = walkingMembers(names, sessions, seed);
  const days = [...new Set(members.flatMap(({ series }) => [...series.day]))].sort((a, b) => a - b);
  return panelOf(
    members
      .map((member) => ({ ...member, from: firstIndexFrom(member.series, days[start]) }))
      .filter(({ from, to }) => from < to),
  );
}

function ruleOf(one: Case): RotationRule {
  return {
    order: one.order,
    hold: countOf(one.hold),
    keep: one.keep && countOf(one.keep),
    weigh: weighBy(
      {
        method: one.method,
        lookback: one.lookback,
        covariance: one.covariance,
        bounds: { min: one.min, max: one.max },
        targetVolatilityPct: one.target,
      },
      one.fixed,
    ),
    exits: one.stop_loss === 0 ? null : { stopLossPct: one.stop_loss, takeProfitPct: 0, stop: null, trail: null },
    cashBufferPct: one.buffer,
  };
}

function filterOf({ filter }: Case, { members, clock }: Panel): Int8Array | null {
  if (filter === null) return null;
  const { series } = required(members.find(({ ticker }) => ticker === filter.ticker));
  return Int8Array.from(clock, (day) => {
    const bar = series.day.indexOf(day);
    const window = series.close.subarray(bar + 1 - filter.sessions, bar + 1);
    const mean = window.reduce((sum, price) => sum + price, 0) / filter.sessions;
    return isAbove(series.close[bar], mean) ? FILTER.open : FILTER.closed;
  });
}

function runOf(one: Case, panel: Panel) {
  const every = typeof one.every === 'number' ? { sessions: one.every } : one.every;
  const sessions = rebalanceSessions(panel.clock, { every, offset: one.offset });
  return simulateRotation({
    panel,
    values: valuesOf(panel, sessions, SCORES[one.score], filterOf(one, panel)),
    rule: ruleOf(one),
    execution: {
      executeOn: one.execute_on,
      commissionRate: one.costs.rate,
      minCommission: one.costs.least,
      slippageBps: one.costs.slippage,
      initialCapital: 100_000,
    },
  });
}

describe('a rotation agrees with Python', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => {
    // Weights of solvers agree to the precision of the other solver, and with them all that is bought.
    const tolerance = SOLVED.has(one.method) ? 1e-6 : 1e-9;
    const expectClose = (of: string, found: number, expected: number) => {
      const isClose = Math.abs(found - expected) <= tolerance * Math.max(1, Math.abs(expected));
      if (!isClose) expect({ of, value: found }).toEqual({ of, value: expected });
    };
    const panel = panelFor(one);
    const run = runOf(one, panel);
    const tickerOf = (member: number) => panel.members[member].ticker;
    expect(run.rebalances).toHaveLength(one.rebalances.length);
    for (const [i, found] of run.rebalances.entries()) {
      const expected = one.rebalances[i];
      const { eligible, scored, entered, left, filter } = expected;
      expect({
        i,
        session: panel.clock.indexOf(found.day) + panel.first,
        eligible: found.eligible,
        scored: found.scored,
        entered: found.entered.map(tickerOf),
        left: found.left.map(tickerOf),
        filter: found.filter,
        names: [...found.weights.keys()].map(tickerOf),
      }).toEqual({
        i,
        session: expected.session,
        eligible,
        scored,
        entered,
        left,
        filter,
        names: Object.keys(expected.weights),
      });
      for (const [member, weight] of found.weights) {
        expectClose(`weight of ${tickerOf(member)} at ${i}`, weight, expected.weights[tickerOf(member)]);
      }
      expectClose(`turnover at ${i}`, found.turnoverPct, expected.turnover_pct);
    }
    for (const [t, equity] of one.equity) expectClose(`equity at ${t}`, run.equity[t], equity);
    expect(run.trades).toHaveLength(one.trade_count);
    for (const [k, [ticker, reason, pnl]] of one.trades.entries()) {
      const trade = run.trades[5 * k];
      expect([tickerOf(trade.instrument), trade.exitReason]).toEqual([ticker, reason]);
      // A gain is a difference of amounts that are as exact as the capital.
      expect(Math.abs(trade.pnl - pnl)).toBeLessThanOrEqual(tolerance * 100_000);
    }
  });

  it(
    'as recorded',
    async () => {
      const progress = (line: string) => void process.stderr.write(`${line}\n`);
      const python = await openPythonEnvironment(fileOf('requirements.txt'), { progress }).catch((error) => {
        if (!(error instanceof PythonUnavailable)) throw error;
        process.stderr.write(`SKIPPED: the figures of Python are not computed again (${error.message})\n`);
        return null;
      });
      if (python === null) return;
      for (const name of everyNth(2, ['rotations', 'weights'])) {
        expectSimilar(await python.run(fileOf(`${name}.py`), null), read(`${name}.json`), name);
      }
    },
    deadline(600_000),
  );
});

/** The same up to the precision of a solver, whose last steps differ between processors. */
function expectSimilar(found: unknown, expected: unknown, path: string): void {
  if (typeof expected === 'number' && typeof found === 'number') {
    if (!(Math.abs(found - expected) <= 1e-6 * Math.max(1, Math.abs(expected))))
      expect({ path, found }).toEqual({ path, found: expected });
  } else if (typeof expected === 'object' && expected !== null && typeof found === 'object' && found !== null) {
    expect({ path, keys: Object.keys(found) }).toEqual({ path, keys: Object.keys(expected) });
    for (const [key, value] of Object.entries(expected))
      expectSimilar(Reflect.get(found, key), value, `${path}.${key}`);
  } else expect({ path, found }).toEqual({ path, found: expected });
}
