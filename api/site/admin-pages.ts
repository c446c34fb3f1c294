/** The pages of the back office; each asks for an administrator by itself. */
import type { SitePage } from './site-page.ts';
import type { SiteText } from './texts/catalogue.ts';

const page = (name: string, title: SiteText): SitePage => ({
  path: name === '' ? '/admin' : `/admin/${name}`,
  module: name === '' ? 'pages/admin.ts' : `pages/admin-${name}.ts`,
  element: name === '' ? 'admin-page' : `admin-${name}-page`,
  layout: 'tool',
  title,
  description: 'page.admin.description',
  isPrivate: true,
});

export const ADMIN_PAGES: readonly SitePage[] = [
  page('', 'page.admin'),
  page('users', 'page.admin_users'),
  page('articles', 'page.admin_articles'),
  page('exports', 'page.admin_exports'),
  page('audit', 'page.admin_audit'),
  page('revisions', 'page.admin_revisions'),
];
