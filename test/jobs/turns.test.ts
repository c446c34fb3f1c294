import { expect, it } from '@jest/globals';
import { inTurns } from '../../jobs/queue/turns.ts';

it('lets a backtest begin between portfolios that a worker was given before it', () => {
  const portfolios = [1, 2, 3].map((id) => ({ queue: 'portfolio' as const, id }));
  const backtests = [4, 5].map((id) => ({ queue: 'backtest' as const, id }));
  const order = (last: 'backtest' | 'portfolio') => inTurns([...portfolios, ...backtests], last).map(({ id }) => id);
  expect(order('portfolio')).toEqual([4, 1, 5, 2, 3]);
  expect(order('backtest')).toEqual([1, 4, 2, 5, 3]);
});
