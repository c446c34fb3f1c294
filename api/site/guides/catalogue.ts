/** The guides of the documentation, in the order in which they are listed. The texts lie beside this file, one folder a language. */
import type { SiteText } from '../texts/catalogue.ts';

/** The call that a guide shows, as its page sends it for the reader. */
export interface GuideCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

export interface Guide {
  /** The file of its text, and the end of its address. */
  readonly slug: string;
  readonly title: SiteText;
  readonly call: GuideCall;
}

export interface GuideSection {
  readonly title: SiteText;
  readonly guides: readonly Guide[];
}

const YEAR = { symbol: 'ACRX', time_range: '1Y' };

export const GUIDE_SECTIONS: readonly GuideSection[] = [
  {
    title: 'docs.start',
    guides: [
      { slug: 'first-call', title: 'docs.first_call', call: { method: 'GET', path: '/v1/quote/ACRX' } },
      { slug: 'limits', title: 'docs.limits', call: { method: 'GET', path: '/v1/quote/ACRX' } },
      { slug: 'paging', title: 'docs.paging', call: { method: 'GET', path: '/v1/backtests?page=1&page_size=50' } },
      { slug: 'errors', title: 'docs.errors', call: { method: 'GET', path: '/v1/kline/ACRX?period=hour' } },
      {
        slug: 'idempotency',
        title: 'docs.idempotency',
        call: { method: 'POST', path: '/v1/backtest', body: { ...YEAR, strategy: 'macd' } },
      },
      { slug: 'webhooks', title: 'docs.webhooks', call: { method: 'GET', path: '/v1/my/webhooks' } },
    ],
  },
  {
    title: 'docs.data',
    guides: [
      {
        slug: 'candles',
        title: 'docs.candles',
        call: { method: 'GET', path: '/v1/kline/ACRX?days=4&adjust=qfq' },
      },
      {
        slug: 'lake',
        title: 'docs.lake',
        call: {
          method: 'POST',
          path: '/v1/sql',
          body: { query: 'select symbol, max(date) as day from bars group by symbol limit 3' },
        },
      },
    ],
  },
  {
    title: 'docs.research',
    guides: [
      {
        slug: 'receipts',
        title: 'docs.receipts',
        call: { method: 'POST', path: '/v1/backtest', body: { ...YEAR, strategy: 'sma_cross', include_equity: false } },
      },
      {
        slug: 'rules',
        title: 'docs.rules',
        call: {
          method: 'POST',
          path: '/v1/rules/check',
          body: { text: 'close > sma(50) and rsi(14) < 70', part: 'entry' },
        },
      },
    ],
  },
];

export const GUIDES: readonly Guide[] = GUIDE_SECTIONS.flatMap(({ guides }) => guides);

/** Where a guide is: the first one is the documentation's first page. */
export const guideAddress = ({ slug }: Guide): string => (slug === GUIDES[0].slug ? '/docs' : `/docs/${slug}`);
