/** The pages of the site, in the sections of its navigation: where each is, what it is called, and the module that fills it. */
import { pathMatcher } from '../http/path-template.ts';
import type { Door } from './plans-text.ts';
import type { SiteText } from './texts/catalogue.ts';

/** Titles that have a description. */
type PageTitle = { [K in SiteText]: `${K}.description` extends SiteText ? K : never }[SiteText];

export interface SitePage {
  readonly path: string;
  readonly title: SiteText;
  readonly description: SiteText;
  /** In `browser/`; defines the element that fills the page. */
  readonly module: string;
  readonly element: string;
  /** Pages for reading have larger type and short lines, tools have all of the width. */
  readonly layout: 'reading' | 'tool';
  /** In the navigation; default: the title. */
  readonly link?: SiteText;
  /** Hidden from search engines: shows data of an account. */
  readonly isPrivate?: boolean;
  /** Whether the server writes the whole page: it is the body of its preview. */
  readonly isText?: boolean;
  /** Its runs need this of a plan. */
  readonly door?: Door;
  /** A module in `browser/` that the page's own loads at once, beside its first calls. */
  readonly begins?: string;
  /** A small module in `browser/` that runs before the page's own has loaded, and makes its first call. */
  readonly calls?: string;
  /** Whether a library of the page writes style elements: its policy allows them. */
  readonly hasInlineStyles?: boolean;
}

interface Section {
  readonly title: SiteText;
  readonly pages: readonly SitePage[];
  readonly isForAdmins?: boolean;
}

interface PageOptions extends Partial<Omit<SitePage, 'path' | 'description' | 'module' | 'element'>> {
  /** Name of its module and, with `-page`, of its element; default: that of the title. */
  readonly script?: string;
}

function page(path: string, name: PageTitle, options: PageOptions = {}): SitePage {
  const { script = name.slice('page.'.length), ...more } = options;
  const files = { module: `pages/${script}.ts`, element: `${script}-page` };
  return { path, title: name, description: `${name}.description`, ...files, layout: 'tool', ...more };
}

const admin = (name: string, title: SiteText) =>
  page(`/admin/${name}`, 'page.admin', { title, script: `admin-${name}`, isPrivate: true });

export const SECTIONS: readonly Section[] = [
  {
    title: 'nav.research',
    pages: [
      page('/', 'page.home', { link: 'nav.home' }),
      page('/backtest', 'page.backtest', { link: 'nav.backtest' }),
      page('/optimize', 'page.optimize', { link: 'nav.optimize', door: 'optimize' }),
      page('/portfolio', 'page.portfolio', { link: 'nav.portfolio', door: 'portfolio_symbols_max' }),
      page('/screener', 'page.screener', { link: 'nav.screener' }),
      page('/sweeps', 'page.sweeps', { link: 'nav.sweeps', door: 'sweep_cells_max' }),
      page('/factors', 'page.factors', { link: 'nav.factors', door: 'factor_cells_max' }),
      page('/outcomes', 'page.outcomes'),
      page('/judge', 'page.judge'),
      page('/claims', 'page.claims', { link: 'nav.claims' }),
      page('/strategies', 'page.strategies', { link: 'nav.strategies' }),
      page('/columns', 'page.columns', { link: 'nav.columns' }),
      page('/sql', 'page.sql', { link: 'nav.sql', door: 'sql_rows_max' }),
      page('/data', 'page.data', { link: 'nav.data' }),
    ],
  },
  {
    title: 'nav.mine',
    pages: [
      page('/runs', 'page.runs', { link: 'nav.runs', isPrivate: true }),
      page('/forward', 'page.forward', { link: 'nav.forward', isPrivate: true }),
      page('/signals', 'page.signals', { isPrivate: true }),
      page('/account', 'page.account', { link: 'nav.account', isPrivate: true }),
    ],
  },
  {
    title: 'nav.help',
    pages: [
      page('/docs', 'page.docs', { link: 'nav.docs', script: 'guide', isText: true }),
      page('/rules', 'page.rules', { link: 'nav.rules', script: 'text', layout: 'reading', isText: true }),
      page('/articles', 'page.articles', { link: 'nav.articles', layout: 'reading' }),
      page('/plans', 'page.plans', { script: 'text', layout: 'reading', isText: true }),
      page('/clients', 'page.clients', { script: 'text', layout: 'reading', isText: true }),
      page('/truth', 'page.truth', { script: 'text', layout: 'reading', isText: true }),
    ],
  },
  {
    title: 'nav.admin',
    isForAdmins: true,
    pages: [
      page('/admin', 'page.admin', { link: 'nav.admin.overview', isPrivate: true }),
      page('/admin/ops', 'page.ops', { isPrivate: true }),
      admin('users', 'page.admin_users'),
      admin('articles', 'page.admin_articles'),
      admin('exports', 'page.admin_exports'),
      admin('audit', 'page.admin_audit'),
      admin('revisions', 'page.admin_revisions'),
    ],
  },
];

export const PAGES: readonly SitePage[] = [
  ...SECTIONS.flatMap(({ pages }) => pages),
  page('/docs/reference', 'page.reference', { layout: 'reading', isText: true, hasInlineStyles: true }),
  page('/docs/{guide}', 'page.docs', { script: 'guide', isText: true }),
  page('/verdicts', 'page.verdicts', { script: 'text', layout: 'reading', isText: true }),
  page('/connect', 'page.connect', { layout: 'reading', isPrivate: true }),
  page('/tear-sheet', 'page.tear_sheet', { script: 'tear-sheet', isPrivate: true }),
  page('/s/{symbol}', 'page.symbol', { calls: 'first-candles.ts', begins: 'elements/price-chart.ts' }),
  page('/r/{slug}', 'page.shared'),
  page('/p/{slug}', 'page.shared_portfolio', { script: 'shared' }),
  page('/f/{slug}', 'page.forward'),
  page('/o/{slug}', 'page.shared_outcomes', { script: 'shared' }),
  page('/articles/{slug}', 'page.articles', { title: 'page.article', script: 'article', layout: 'reading' }),
];

/** Earlier addresses of pages. */
export const MOVED_PAGES: ReadonlyMap<string, string> = new Map([['/files', '/data']]);

/** For unknown addresses. */
export const NOT_FOUND_PAGE = page('/404', 'page.not_found', {
  script: 'not-found',
  layout: 'reading',
  isPrivate: true,
});

/** Any other path that a client reports. */
const OTHER_PAGE = 'other';
const COUNTED = PAGES.map(({ path }) => ({
  counted: path.replace(/^\/admin\/.*/, '/admin/{page}'),
  matches: pathMatcher(path),
}));

/** The page that a view of a path counts as. Clients can report any path, so unknown ones share one counter. */
export function countedPage(path: string): string {
  return COUNTED.find(({ matches }) => matches(path))?.counted ?? OTHER_PAGE;
}
