/** The covariances and weights of rotations by NumPy, scikit-learn, PyPortfolioOpt, and skfolio. */
import { fileURLToPath } from 'node:url';
import { type CovarianceMethod, covarianceOf, type Returns } from '../../../../engine/rotation/weights/covariance.ts';
import type { WeightMethod } from '../../../../engine/rotation/weights/methods.ts';
import { weightsOf } from '../../../../engine/rotation/weights/weights.ts';
import { type Figures, pairUp } from '../pairs.ts';
import { wholeSeries } from '../sample-runs.ts';
import type { Suite } from '../suite.ts';

const SCRIPT = fileURLToPath(new URL('rotation-weights.py', import.meta.url));
const NAMES = 12;
const SESSIONS = 126;
/** The last bar of each window. */
const ENDS = Array.from({ length: 6 }, (_, i) => 150 + 180 * i);
const [LOW, HIGH] = [0.02, 0.25];
const SQUARED_PERCENT_A_YEAR = 252 * 100 ** 2;

const METHODS: readonly CovarianceMethod[] = ['sample', 'ledoit_wolf'];
const WITHOUT_BOUNDS: readonly WeightMethod[] = ['hrp', 'risk_parity', 'inverse_volatility'];
const SOURCES: readonly (readonly [WeightMethod, string])[] = [
  ['min_variance', 'PyPortfolioOpt'],
  ['hrp', 'PyPortfolioOpt'],
  ['min_variance', 'skfolio'],
  ['max_diversification', 'skfolio'],
  ['risk_parity', 'skfolio'],
  ['inverse_volatility', 'skfolio'],
];

function windows(ends: readonly number[]): Returns[] {
  const closes = wholeSeries(NAMES).map(({ series }) => series.close);
  return ends.map((end) =>
    closes.map((close) =>
      Float64Array.from({ length: SESSIONS }, (_, i) => {
        const bar = end - SESSIONS + 1 + i;
        return close[bar] / close[bar - 1] - 1;
      }),
    ),
  );
}

function figuresOf(covariance: CovarianceMethod, returns: Returns): Figures {
  const figures: Record<string, number> = {};
  const matrix = covarianceOf(covariance, returns);
  for (let i = 0; i < NAMES; i++)
    for (let j = 0; j <= i; j++) figures[`covariance ${i} ${j}`] = SQUARED_PERCENT_A_YEAR * matrix.get(i, j);
  for (const [method, source] of SOURCES) {
    // Theirs are of the sample covariance only.
    if (method === 'inverse_volatility' && covariance !== 'sample') continue;
    const bounds = WITHOUT_BOUNDS.includes(method) ? { min: 0, max: 1 } : { min: LOW, max: HIGH };
    const { weights } = weightsOf(
      { method, covariance, bounds, lookback: SESSIONS, targetVolatilityPct: null },
      { scores: returns.map(() => 1), fixed: [], window: () => ({ returns, isThin: returns.map(() => false) }) },
    );
    weights.forEach((weight, i) => {
      figures[`${method} of ${source}, ${i}`] = weight;
    });
  }
  return figures;
}

export const ROTATION_WEIGHTS: Suite = {
  name: 'rotation-weights',
  title: 'scikit-learn, PyPortfolioOpt, and skfolio',
  source:
    'NumPy 2.4.6: cov; scikit-learn 1.9.1: LedoitWolf; PyPortfolioOpt 1.6.0: EfficientFrontier, HRPOpt; skfolio 1.12.2: MeanRisk, RiskBudgeting, MaximumDiversification, InverseVolatility',
  compares:
    'Covariances of 126 returns of 12 instruments, of the sample and shrunk by Ledoit and Wolf, and the weights of rotations by five methods, with bounds; solvers of both sides stop within 1e-6',
  tolerance: 1e-6,
  needsPython: true,
  requirements: 'requirements-performance.txt',
  async pairs(choose, python) {
    const ends = choose(ENDS, 2);
    const all = windows(ends);
    const theirs = await python.run<readonly Readonly<Record<CovarianceMethod, Figures>>[]>(SCRIPT, {
      windows: all.map((window) => window.map((returns) => [...returns])),
      low: LOW,
      high: HIGH,
    });
    return all.flatMap((returns, i) =>
      METHODS.flatMap((method) =>
        pairUp(`the ${method} window to bar ${ends[i]}`, theirs[i][method], figuresOf(method, returns)),
      ),
    );
  },
};
