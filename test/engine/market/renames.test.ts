/** Tickers that one instrument probably had one after the other. */
import { expect, it } from '@jest/globals';
import { requireDay } from '../../../engine/market/dates.ts';
import { likelyRenames, renameSentence, type TickerLife } from '../../../engine/market/ticker-book.ts';

const life = (ticker: string, first: string, open: number, last: string, close: number): TickerLife => ({
  ticker,
  first: requireDay(first),
  last: requireDay(last),
  open,
  close,
});
const META = life('META', '2022-06-09', 194.28, '2024-01-05', 351.95);
const FB = life('FB', '2020-01-02', 206.75, '2022-06-08', 196.64);

it('are those of which one begins on the session after the other, at its price', () => {
  const [found, ...others] = likelyRenames([META, FB, life('OLD', '2020-01-02', 5, '2024-01-05', 6)]);
  expect(others).toEqual([]);
  expect(renameSentence(found)).toBe(
    'FB ends on 2022-06-08, and META begins at its price: if it was renamed, symbols.csv says so (symbol META, previous_symbols FB:2022-06-08)',
  );
  // Over a weekend with a holiday.
  const monday = [life('AA', '2024-01-02', 5, '2024-01-12', 6), life('BB', '2024-01-16', 6.2, '2024-02-01', 6)];
  expect(likelyRenames(monday).map(({ to }) => to)).toEqual(['BB']);
});

it('are not those of another day or price, nor where several may follow or precede', () => {
  expect(likelyRenames([FB, { ...META, first: requireDay('2022-06-10') }])).toEqual([]);
  expect(likelyRenames([FB, { ...META, open: 180 }])).toEqual([]);
  expect(likelyRenames([FB, META, { ...META, ticker: 'NEW' }])).toEqual([]);
  expect(likelyRenames([FB, { ...FB, ticker: 'OTHER' }, META])).toEqual([]);
});
