/** Weights beside those of Python packages: `oracles/weights.py` names the calls, `oracles/weights.json` has their figures. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type CovarianceMethod, covarianceOf } from '../../../../engine/rotation/weights/covariance.ts';
import type { WeightMethod } from '../../../../engine/rotation/weights/methods.ts';
import { weightsOf } from '../../../../engine/rotation/weights/weights.ts';
import { factorReturns } from '../oracles/walks.ts';

/** Figures without a solver agree to rounding, those of solvers to the precision of the other solver. */
const EXACT = 1e-9;
const SOLVED = 1e-6;

interface Answer {
  readonly covariance: CovarianceMethod;
  readonly first_row: readonly number[];
  readonly last_diagonal: number;
  readonly pypfopt: Readonly<Record<'min_variance' | 'hrp', readonly number[]>>;
  readonly skfolio: Readonly<
    Record<'inverse_volatility' | 'min_variance' | 'max_diversification' | 'risk_parity', readonly number[]>
  >;
  readonly riskfolio: Readonly<Record<'risk_parity', readonly number[]>>;
}

interface Case {
  readonly names: number;
  readonly sessions: number;
  readonly seed: number;
  readonly min: number;
  readonly max: number;
  readonly answers: readonly Answer[];
}

const cases: readonly Case[] = JSON.parse(readFileSync(new URL('../oracles/weights.json', import.meta.url), 'utf8'));

function expectClose(found: ArrayLike<number>, expected: readonly number[], tolerance: number, of: string) {
  const worst = Math.max(...expected.map((value, i) => Math.abs(found[i] - value)));
  if (!(worst <= tolerance)) expect({ of, found: Array.from(found) }).toEqual({ of, found: expected });
}

describe.each(cases)('$names names over $sessions sessions', ({ names, sessions, seed, min, max, answers }) => {
  const returns = factorReturns(names, sessions, seed);

  it.each(answers)('with the $covariance covariance', ({ covariance, first_row, last_diagonal, ...theirs }) => {
    const matrix = covarianceOf(covariance, returns);
    expectClose(matrix.getRow(0), first_row, EXACT * first_row[0], 'covariance');
    expectClose([matrix.get(names - 1, names - 1)], [last_diagonal], EXACT * last_diagonal, 'covariance');
    const ours = (method: WeightMethod, bounds = { min: 0, max: 1 }) =>
      weightsOf(
        { method, covariance, bounds, lookback: sessions, targetVolatilityPct: null },
        { scores: returns.map(() => 1), fixed: [], window: () => ({ returns, isThin: returns.map(() => false) }) },
      ).weights;
    const bounds = { min, max };
    const { pypfopt, skfolio, riskfolio } = theirs;
    expectClose(ours('hrp'), pypfopt.hrp, EXACT, 'hrp');
    if (covariance === 'sample') expectClose(ours('inverse_volatility'), skfolio.inverse_volatility, EXACT, 'inverse');
    expectClose(ours('min_variance', bounds), pypfopt.min_variance, SOLVED, 'min_variance of PyPortfolioOpt');
    expectClose(ours('min_variance', bounds), skfolio.min_variance, SOLVED, 'min_variance of skfolio');
    expectClose(ours('max_diversification', bounds), skfolio.max_diversification, SOLVED, 'max_diversification');
    expectClose(ours('risk_parity'), skfolio.risk_parity, SOLVED, 'risk_parity of skfolio');
    expectClose(ours('risk_parity'), riskfolio.risk_parity, SOLVED, 'risk_parity of Riskfolio-Lib');
  });
});
