/** Where the site leads: one list for the top of reading pages, the left of tools, and the menu of phones. */
import type { SiteText } from './texts/catalogue.ts';

interface Destination {
  readonly href: string;
  readonly text: SiteText;
  /** Not at the top of reading pages. */
  readonly isMinor?: boolean;
}

interface Section {
  readonly title: SiteText;
  readonly destinations: readonly Destination[];
  readonly isForAdmins?: boolean;
}

export const SECTIONS: readonly Section[] = [
  {
    title: 'nav.research',
    destinations: [
      { href: '/', text: 'nav.home', isMinor: true },
      { href: '/backtest', text: 'nav.backtest' },
      { href: '/optimize', text: 'nav.optimize' },
      { href: '/strategies', text: 'page.strategies' },
      { href: '/portfolio', text: 'nav.portfolio', isMinor: true },
      { href: '/screener', text: 'nav.screener' },
      { href: '/sweeps', text: 'nav.sweeps', isMinor: true },
      { href: '/sql', text: 'nav.sql', isMinor: true },
      { href: '/files', text: 'nav.files', isMinor: true },
    ],
  },
  {
    title: 'nav.mine',
    destinations: [
      { href: '/runs', text: 'nav.runs', isMinor: true },
      { href: '/signals', text: 'page.signals', isMinor: true },
      { href: '/account', text: 'nav.account', isMinor: true },
    ],
  },
  {
    title: 'nav.help',
    destinations: [
      { href: '/rules', text: 'page.rules', isMinor: true },
      { href: '/articles', text: 'nav.articles' },
      { href: '/docs', text: 'nav.docs' },
      { href: '/clients', text: 'page.clients', isMinor: true },
    ],
  },
  {
    title: 'nav.admin',
    isForAdmins: true,
    destinations: [
      { href: '/admin', text: 'nav.admin.overview' },
      { href: '/admin/ops', text: 'page.ops' },
      { href: '/admin/users', text: 'page.admin_users' },
      { href: '/admin/articles', text: 'page.admin_articles' },
      { href: '/admin/exports', text: 'page.admin_exports' },
      { href: '/admin/audit', text: 'page.admin_audit' },
      { href: '/admin/revisions', text: 'page.admin_revisions' },
    ],
  },
];
