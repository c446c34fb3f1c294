/** The pages of the site: where each is, what it is called, and the module that fills it. */
import type { SITE_PAGES } from '../access-log/pages.ts';
import { ADMIN_PAGES } from './admin-pages.ts';
import { describeArticle } from './article-preview.ts';
import { describeShared, describeSymbol, type Preview, type PreviewCall } from './previews.ts';
import type { SiteText } from './texts/catalogue.ts';

export interface SitePage {
  /** As page views are counted, but for the pages of the back office, which share one there. */
  readonly path: (typeof SITE_PAGES)[number] | `/admin/${string}` | '/404';
  /** In `browser/`; defines the element that fills the page. */
  readonly module: string;
  readonly element: string;
  /** Pages for reading have links at the top, tools have a navigation at the left and all of the width. */
  readonly layout: 'reading' | 'tool';
  readonly title: SiteText;
  readonly description: SiteText;
  /** Pages that show an account's own things are not for search engines. */
  readonly isPrivate?: boolean;
  readonly describe?: (call: PreviewCall, parameter: string) => Promise<Preview>;
}

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
    path: '/r/{slug}',
    module: 'pages/shared-run.ts',
    element: 'shared-run-page',
    layout: 'tool',
    title: 'page.shared',
    description: 'page.shared.description',
    describe: describeShared,
  },
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
