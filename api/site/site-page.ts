/** A page of the site. */
import type { SITE_PAGES } from '../access-log/pages.ts';
import type { Preview, PreviewCall } from './previews.ts';
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
  /** Whether the body of its preview is the page: a text that the server writes. */
  readonly isText?: boolean;
  /** Whether a library of the page writes style elements: its policy allows them. */
  readonly hasInlineStyles?: boolean;
  readonly describe?: (call: PreviewCall, parameter: string) => Promise<Preview>;
}
