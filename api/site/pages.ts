/** The pages of the site: where each is, what it is called, and the module that fills it. */
import { ADMIN_PAGES } from './admin-pages.ts';
import { describeArticle } from './article-preview.ts';
import { describeSharedBacktest, describeSharedPortfolio, describeSymbol } from './previews.ts';
import type { SitePage } from './site-page.ts';
import { describeClients, describeRules } from './text-pages.ts';

const ACCOUNT_PAGES: readonly SitePage[] = [
  {
    path: '/account',
    module: 'pages/account.ts',
    element: 'account-page',
    layout: 'tool',
    title: 'page.account',
    description: 'page.account.description',
    isPrivate: true,
  },
  {
    path: '/articles',
    module: 'pages/articles.ts',
    element: 'articles-page',
    layout: 'reading',
    title: 'page.articles',
    description: 'page.articles.description',
  },
  {
    path: '/articles/{slug}',
    module: 'pages/article.ts',
    element: 'article-page',
    layout: 'reading',
    title: 'page.article',
    description: 'page.articles.description',
    describe: describeArticle,
  },
];

const STRATEGY_PAGES: readonly SitePage[] = [
  {
    path: '/strategies',
    module: 'pages/strategies.ts',
    element: 'strategies-page',
    layout: 'tool',
    title: 'page.strategies',
    description: 'page.strategies.description',
  },
  {
    path: '/rules',
    module: 'pages/text.ts',
    element: 'text-page',
    layout: 'reading',
    title: 'page.rules',
    description: 'page.rules.description',
    isText: true,
    describe: describeRules,
  },
  {
    path: '/signals',
    module: 'pages/signals.ts',
    element: 'signals-page',
    layout: 'tool',
    title: 'page.signals',
    description: 'page.signals.description',
    isPrivate: true,
  },
];

const PROGRAM_PAGES: readonly SitePage[] = [
  {
    path: '/docs',
    module: 'pages/docs.ts',
    element: 'docs-page',
    layout: 'reading',
    title: 'page.docs',
    description: 'page.docs.description',
    hasInlineStyles: true,
  },
  {
    path: '/clients',
    module: 'pages/text.ts',
    element: 'text-page',
    layout: 'reading',
    title: 'page.clients',
    description: 'page.clients.description',
    isText: true,
    describe: describeClients,
  },
];

export const PAGES: readonly SitePage[] = [
  {
    path: '/',
    module: 'pages/home.ts',
    element: 'home-page',
    layout: 'reading',
    title: 'page.home',
    description: 'page.home.description',
  },
  {
    path: '/s/{symbol}',
    module: 'pages/symbol.ts',
    element: 'symbol-page',
    layout: 'tool',
    title: 'page.symbol',
    description: 'page.symbol.description',
    describe: describeSymbol,
  },
  {
    path: '/backtest',
    module: 'pages/backtest.ts',
    element: 'backtest-page',
    layout: 'tool',
    title: 'page.backtest',
    description: 'page.backtest.description',
  },
  {
    path: '/optimize',
    module: 'pages/optimize.ts',
    element: 'optimize-page',
    layout: 'tool',
    title: 'page.optimize',
    description: 'page.optimize.description',
  },
  {
    path: '/portfolio',
    module: 'pages/portfolio.ts',
    element: 'portfolio-page',
    layout: 'tool',
    title: 'page.portfolio',
    description: 'page.portfolio.description',
  },
  {
    path: '/p/{slug}',
    module: 'pages/shared-portfolio.ts',
    element: 'shared-portfolio-page',
    layout: 'tool',
    title: 'page.shared_portfolio',
    description: 'page.shared_portfolio.description',
    describe: describeSharedPortfolio,
  },
  {
    path: '/sweeps',
    module: 'pages/sweeps.ts',
    element: 'sweeps-page',
    layout: 'tool',
    title: 'page.sweeps',
    description: 'page.sweeps.description',
  },
  {
    path: '/screener',
    module: 'pages/screener.ts',
    element: 'screener-page',
    layout: 'tool',
    title: 'page.screener',
    description: 'page.screener.description',
  },
  {
    path: '/sql',
    module: 'pages/sql.ts',
    element: 'sql-page',
    layout: 'tool',
    title: 'page.sql',
    description: 'page.sql.description',
  },
  {
    path: '/files',
    module: 'pages/files.ts',
    element: 'files-page',
    layout: 'tool',
    title: 'page.files',
    description: 'page.files.description',
  },
  {
    path: '/runs',
    module: 'pages/runs.ts',
    element: 'runs-page',
    layout: 'tool',
    title: 'page.runs',
    description: 'page.runs.description',
    isPrivate: true,
  },
  {
    path: '/r/{slug}',
    module: 'pages/shared-run.ts',
    element: 'shared-run-page',
    layout: 'tool',
    title: 'page.shared',
    description: 'page.shared.description',
    describe: describeSharedBacktest,
  },
  {
    path: '/admin/ops',
    module: 'pages/ops.ts',
    element: 'ops-page',
    layout: 'tool',
    title: 'page.ops',
    description: 'page.ops.description',
    isPrivate: true,
  },
  ...PROGRAM_PAGES,
  ...STRATEGY_PAGES,
  ...ACCOUNT_PAGES,
  ...ADMIN_PAGES,
];

/** For addresses of nothing. */
export const NOT_FOUND_PAGE: SitePage = {
  path: '/404',
  module: 'pages/not-found.ts',
  element: 'not-found-page',
  layout: 'reading',
  title: 'page.not_found',
  description: 'page.not_found.description',
  isPrivate: true,
};
