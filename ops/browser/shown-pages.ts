/** Pages to look at: each with an element that is there once the page is loaded. */

const QUERY = [
  'select date, count(rsi_14) as known',
  "from screener_daily where date > '2026-01-01' group by date order by date",
].join(' ');

export interface ShownPage {
  readonly path: string;
  readonly isReady: string;
}

/** With the symbols of the sample market. */
export const SHOWN_PAGES: readonly ShownPage[] = [
  { path: '/', isReady: 'dl[aria-busy="false"]' },
  { path: '/s/TMRK', isReady: 'price-chart canvas' },
  { path: '/backtest', isReady: 'run-chart canvas' },
  { path: '/backtest?symbol=MTMX.US&strategy=sma_cross&time_range=5Y&run=1', isReady: 'run-chart canvas' },
  {
    path: '/optimize?symbol=ACRX.US&strategy=sma_cross&g.fast_period=10:30:5&g.slow_period=50:90:10',
    isReady: 'search-report .heat',
  },
  { path: '/optimize', isReady: 'walk-chart canvas' },
  { path: '/screener?preset=trend_breakout', isReady: 'data-table table, data-table .state' },
  { path: '/screener?where=close+%3E+sma(200)', isReady: 'data-table table, data-table .state' },
  { path: '/strategies', isReady: 'strategy-editor button' },
  { path: '/columns', isReady: 'column-form button' },
  { path: '/rules', isReady: '.prose table' },
  { path: '/clients', isReady: '.prose pre' },
  { path: '/truth', isReady: '.prose table' },
  { path: '/docs', isReady: 'guide-program button' },
  { path: '/docs/errors', isReady: 'guide-program button' },
  { path: '/docs/reference', isReady: '.references-rendered h1' },
  { path: '/signals', isReady: '.state h2' },
  { path: '/runs', isReady: 'data-table' },
  { path: '/connect?error=invalid_client', isReady: '.state p' },
  { path: '/portfolio', isReady: 'portfolio-chart canvas' },
  { path: '/portfolio?symbols=ACRX+LUMA', isReady: 'portfolio-chart canvas' },
  { path: '/sweeps', isReady: 'histogram-bars svg' },
  { path: '/factors', isReady: 'main h1' },
  { path: '/outcomes?condition=close+%3E+highest(50)&universe=stock', isReady: 'outcome-path svg' },
  { path: '/forward', isReady: '.state h2' },
  { path: '/claims', isReady: 'claim-table table' },
  { path: '/data', isReady: 'table-detail table' },
  { path: `/sql?query=${encodeURIComponent(QUERY)}`, isReady: 'query-chart svg' },
  { path: '/s/EMBR?period=week&adjust=none', isReady: 'price-chart canvas' },
];
