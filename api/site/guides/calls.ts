/** The call that each guide shows, as its page sends it for the reader. */

export interface GuideCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

const YEAR = { symbol: 'ACRX', time_range: '1Y' };
const FIRST_CALL: GuideCall = { method: 'GET', path: '/v1/quote/ACRX' };

/** By the slug of the guide. */
const CALLS: ReadonlyMap<string, GuideCall> = new Map([
  ['limits', { method: 'GET', path: '/v1/quote/ACRX' }],
  ['paging', { method: 'GET', path: '/v1/backtests?page=1&page_size=50' }],
  ['errors', { method: 'GET', path: '/v1/kline/ACRX?period=hour' }],
  ['idempotency', { method: 'POST', path: '/v1/backtest', body: { ...YEAR, strategy: 'macd' } }],
  ['webhooks', { method: 'GET', path: '/v1/my/webhooks' }],
  ['candles', { method: 'GET', path: '/v1/kline/ACRX?days=4&adjust=qfq' }],
  [
    'lake',
    {
      method: 'POST',
      path: '/v1/sql',
      body: { query: 'select symbol, max(date) as day from bars group by symbol limit 3' },
    },
  ],
  [
    'receipts',
    { method: 'POST', path: '/v1/backtest', body: { ...YEAR, strategy: 'sma_cross', include_equity: false } },
  ],
  [
    'rules',
    { method: 'POST', path: '/v1/rules/check', body: { text: 'close > sma(50) and rsi(14) < 70', part: 'entry' } },
  ],
]);

export const callOf = (slug: string): GuideCall => CALLS.get(slug) ?? FIRST_CALL;
