import { describe, expect, it } from '@jest/globals';
import { requireDay } from '../../../engine/market/dates.ts';
import {
  parseSymbol,
  popularSymbols,
  type Searchable,
  searchSymbols,
  servedSymbols,
} from '../../../engine/market/symbols.ts';
import { TickerBook, tickerSpans } from '../../../engine/market/ticker-book.ts';

const day = requireDay;

describe('symbol grammar', () => {
  it.each([
    ['AAPL', 'AAPL'],
    ['aapl.us', 'AAPL'],
    ['BRK.B', 'BRK.B'],
    ['brk.b.US', 'BRK.B'],
    ['ALDR-A', 'ALDR-A'],
    ['QILL-201908.US', 'QILL-201908'],
  ])('%s is the ticker %s', (text, ticker) => {
    expect(parseSymbol(text)).toEqual({ ok: true, ticker });
  });

  it.each(['', '.US', '-A', 'A B', 'A/B', 'ABCDEFGHIJKLMNOP', 'ÄÖ', "A';--"])('"%s" is malformed', (text) => {
    expect(parseSymbol(text)).toEqual({ ok: false, reason: 'malformed' });
  });

  it.each([
    ['AAPL.HK', 'HK'],
    ['0700.hk', 'HK'],
    ['600000.CN', 'CN'],
  ])('%s names a market that is not open', (text, market) => {
    expect(parseSymbol(text)).toEqual({ ok: false, reason: 'market_not_open', market });
  });
});

describe('the holder of a ticker', () => {
  const history = (
    ticker: string,
    listedOn: string | null,
    delistedOn: string | null,
    previous: [string, string][] = [],
  ) => ({
    ticker,
    listedOn: listedOn === null ? null : day(listedOn),
    delistedOn: delistedOn === null ? null : day(delistedOn),
    previousTickers: previous.map(([old, last]) => ({ ticker: old, lastDay: day(last) })),
  });
  const book = new TickerBook([
    ...tickerSpans(1, history('META', '2012-05-18', null, [['FB', '2022-06-08']])),
    ...tickerSpans(2, history('FB', '2025-06-26', null)),
    ...tickerSpans(3, history('QILL', null, '2019-08-16')),
    ...tickerSpans(4, history('QILL', '2021-04-14', null)),
    ...tickerSpans(6, history('LH', '1990-03-29', null)),
    ...tickerSpans(7, history('LH', '2024-05-20', '2024-06-26')),
    ...tickerSpans(
      5,
      history('C', '1999-01-04', null, [
        ['B', '2010-01-04'],
        ['A', '2005-01-03'],
      ]),
    ),
  ]);

  it.each([
    ['FB', '2015-01-02', 1],
    ['FB', '2022-06-08', 1],
    ['FB', '2023-01-03', null],
    ['FB', '2025-07-01', 2],
    ['META', '2023-01-03', 1],
    ['META', '2015-01-02', 1],
    ['META', '2011-01-03', null],
    ['QILL', '2018-01-02', 3],
    ['QILL', '2020-01-02', 3],
    ['QILL', '2022-01-03', 4],
    ['A', '2004-01-02', 5],
    ['A', '2006-01-03', null],
    ['B', '2004-01-02', null],
    ['B', '2006-01-03', 5],
    ['NONE', '2020-01-02', null],
    ['LH', '2024-05-17', 6],
    ['LH', '2024-05-21', 7],
    ['LH', '2024-06-27', 6],
    // The first and the last day of a span, and the days next to them.
    ['META', '2012-05-17', null],
    ['META', '2012-05-18', 1],
    ['FB', '2022-06-09', null],
    ['LH', '2024-05-20', 7],
    ['LH', '2024-06-26', 7],
    ['A', '1999-01-03', null],
    ['A', '1999-01-04', 5],
    ['A', '2005-01-03', 5],
    ['A', '2005-01-04', null],
    ['B', '2005-01-03', null],
    ['B', '2005-01-04', 5],
    ['B', '2010-01-04', 5],
    ['B', '2010-01-05', null],
  ])('of %s on %s is found', (ticker, date, expected) => {
    expect(book.instrumentOn(ticker, day(date))).toBe(expected);
  });
});

describe('served symbols', () => {
  const listing = (key: string, ticker: string, listedOn: string | null, delistedOn: string | null) => ({
    key,
    ticker,
    listedOn: listedOn === null ? null : day(listedOn),
    delistedOn: delistedOn === null ? null : day(delistedOn),
  });

  it('are the plain ticker for the newest holder, and have the delisting month for older ones', () => {
    const served = servedSymbols([
      listing('old', 'QILL', '2009-03-02', '2019-08-16'),
      listing('new', 'QILL', '2021-04-14', null),
      listing('alone', 'GONE', '2000-01-03', '2010-05-07'),
      listing('unknown', 'DUP', null, null),
      listing('later', 'DUP', '2015-02-02', null),
    ]);
    expect(Object.fromEntries(served)).toEqual({
      old: 'QILL-201908',
      new: 'QILL',
      alone: 'GONE',
      unknown: 'DUP-201502',
      later: 'DUP',
    });
  });

  it('are unique', () => {
    const served = servedSymbols([
      listing('a', 'X', '2000-01-03', '2010-05-07'),
      listing('b', 'X', '2001-01-03', '2010-05-20'),
      listing('c', 'X', '2011-01-03', null),
      listing('d', 'X-201005', '2011-01-03', null),
    ]);
    expect(Object.fromEntries(served)).toEqual({ a: 'X-201005-3', b: 'X-201005-2', c: 'X', d: 'X-201005' });
  });
});

describe('symbol search', () => {
  const item = (symbol: string, name: string, more: Partial<Searchable> = {}): Searchable => ({
    symbol,
    foldedName: name.toLowerCase(),
    aliases: [],
    isDelisted: false,
    isPopular: false,
    ...more,
  });
  const items = [
    item('META', 'meta platforms', { aliases: ['FB'], isPopular: true }),
    item('FB', 'buffer fund'),
    item('FBX', 'old fbx', { isDelisted: true }),
    item('FBA', 'some name', { isPopular: true }),
    item('ZZZ', 'fb holdings'),
    item('YYY', 'great fb company'),
  ];

  it('ranks exact code, former code, code prefix, name prefix, fragment', () => {
    expect(searchSymbols(items, 'fb').map((hit) => hit.symbol)).toEqual(['FB', 'META', 'FBA', 'FBX', 'ZZZ', 'YYY']);
    expect(searchSymbols(items, 'fb.us')[0].symbol).toBe('FB');
  });

  it('ignores case and accents', () => {
    const credit = [item('EMBR', 'credit financier')];
    expect(searchSymbols(credit, 'CRÉDIT')).toHaveLength(1);
  });

  it('answers an empty query with popular symbols that trade', () => {
    expect(popularSymbols(items).map((hit) => hit.symbol)).toEqual(['FBA', 'META']);
    const unmarked = items.map((one) => ({ ...one, isPopular: false }));
    const listed = unmarked.filter(({ isDelisted }) => !isDelisted);
    expect(popularSymbols(unmarked).map((hit) => hit.symbol)).toEqual(listed.map(({ symbol }) => symbol).sort());
  });
});
