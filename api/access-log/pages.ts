/** The pages of the web site, by which page views are counted. */
export const SITE_PAGES = [
  '/',
  '/s/{symbol}',
  '/backtest',
  '/r/{slug}',
  '/p/{slug}',
  '/optimize',
  '/screener',
  '/sql',
  '/files',
  '/portfolio',
  '/sweeps',
  '/strategies',
  '/rules',
  '/signals',
  '/runs',
  '/account',
  '/articles',
  '/articles/{slug}',
  '/admin',
  '/admin/{page}',
  '/docs',
  '/clients',
] as const;

/** Whatever else a client says that it has seen. */
export const OTHER_PAGE = 'other';
export type SitePage = (typeof SITE_PAGES)[number] | typeof OTHER_PAGE;

const PATTERNS = SITE_PAGES.map((page) => ({ page, pattern: new RegExp(`^${page.replace(/\{\w+\}/, '[^/]+')}$`) }));

/** The page that a path belongs to: clients can name any path, and statistics must not grow with what they make up. */
export function pageOf(path: string): SitePage {
  const plain = path.replace(/(?<=[^/])\/$/, '');
  return PATTERNS.find(({ pattern }) => pattern.test(plain))?.page ?? OTHER_PAGE;
}
