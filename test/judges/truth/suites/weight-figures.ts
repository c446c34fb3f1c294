/** Volatilities and the weights of portfolios, by PyPortfolioOpt, skfolio, and ffn. */
import { fileURLToPath } from 'node:url';
import { IndicatorSet } from '../../../../engine/indicators/indicator-set.ts';
import type { Sizing } from '../../../../engine/portfolio/portfolio.ts';
import { weights } from '../../../../engine/portfolio/selection.ts';
import { FigureHistory } from '../../../../engine/screener/figure-history.ts';
import { type Figures, pairUp } from '../pairs.ts';
import { wholeSeries } from '../sample-runs.ts';
import type { NamedSeries } from '../sample-series.ts';
import type { Suite } from '../suite.ts';

const SCRIPT = fileURLToPath(new URL('weight-figures.py', import.meta.url));
const INSTRUMENTS = 8;
const PERIOD = 63;
/** Sessions at whose end the money is shared out. */
const ENDS = Array.from({ length: 18 }, (_, i) => 100 + 60 * i);

/** Few places for many instruments, so that no weight is cut at twice an equal share. */
const weightsBy = (sizing: Sizing, maxPositions: number, volatilities: readonly number[]) =>
  weights({ sizing, maxPositions }, [...volatilities.keys()], (instrument) => volatilities[instrument]);

function figuresAt(sample: readonly NamedSeries[], histories: readonly FigureHistory[], end: number): Figures {
  const volatilities = histories.map((history) => history.at(end));
  const inverse = weightsBy('inverse_volatility', 2, volatilities);
  const equal = weightsBy('equal', sample.length, volatilities);
  return Object.fromEntries(
    sample.flatMap(({ symbol }, i) => [
      [`volatility of ${symbol}`, volatilities[i]],
      [`weight by skfolio of ${symbol}`, inverse(i)],
      [`weight by ffn of ${symbol}`, inverse(i)],
      [`equal weight of ${symbol}`, equal(i)],
    ]),
  );
}

export const WEIGHTS: Suite = {
  name: 'weights',
  title: 'PyPortfolioOpt, skfolio, and ffn',
  source:
    'PyPortfolioOpt 1.6.0: risk_models.sample_cov; skfolio 1.12.2: InverseVolatility, EqualWeighted; ffn 1.4.1: calc_inv_vol_weights',
  compares:
    'Annualized volatilities of 63 log returns, and weights of portfolios of equal parts and of inverse volatility',
  tolerance: 1e-9,
  needsPython: true,
  requirements: 'requirements-performance.txt',
  async pairs(choose, python) {
    const ends = choose(ENDS, 4);
    const sample = wholeSeries(INSTRUMENTS);
    const histories = sample.map(({ series }) => new FigureHistory(new IndicatorSet(series), 'volatility_pct', PERIOD));
    const close = Object.fromEntries(sample.map(({ symbol, series }) => [symbol, [...series.close]]));
    const theirs = await python.run<readonly Figures[]>(SCRIPT, { close, ends, period: PERIOD });
    return ends.flatMap((end, i) => pairUp(`the window to bar ${end}`, theirs[i], figuresAt(sample, histories, end)));
  },
};
