/** The guides of the documentation, in the order in which they are listed. The texts lie beside this file, one folder a language. */
import type { BrowserText } from '../texts/catalogue.ts';

export interface Guide {
  /** The file of its text, and the end of its address. */
  readonly slug: string;
  readonly title: BrowserText;
}

export interface GuideSection {
  readonly title: BrowserText;
  readonly guides: readonly Guide[];
}

export const GUIDE_SECTIONS: readonly GuideSection[] = [
  {
    title: 'docs.start',
    guides: [
      { slug: 'first-call', title: 'docs.first_call' },
      { slug: 'limits', title: 'docs.limits' },
      { slug: 'paging', title: 'docs.paging' },
      { slug: 'errors', title: 'docs.errors' },
      { slug: 'idempotency', title: 'docs.idempotency' },
      { slug: 'webhooks', title: 'docs.webhooks' },
    ],
  },
  {
    title: 'docs.data',
    guides: [
      { slug: 'candles', title: 'docs.candles' },
      { slug: 'lake', title: 'docs.lake' },
    ],
  },
  {
    title: 'docs.research',
    guides: [
      { slug: 'receipts', title: 'docs.receipts' },
      { slug: 'rules', title: 'docs.rules' },
    ],
  },
];

export const GUIDES: readonly Guide[] = GUIDE_SECTIONS.flatMap(({ guides }) => guides);

/** Where a guide is: the first one is the documentation's first page. */
export const guideAddress = ({ slug }: Guide): string => (slug === GUIDES[0].slug ? '/docs' : `/docs/${slug}`);
