/** The articles that a new service begins with. Their texts lie beside this file, one folder a language. */
import { readFile } from 'node:fs/promises';
import { insertFirstArticles, type NewArticle, type NewText } from '../../db/articles/articles.ts';
import type { Pool } from '../../db/pool.ts';
import { required } from '../../engine/util/values.ts';
import { LOCALES, type Locale } from '../http/language/locale.ts';

type Head = Pick<NewArticle, 'slug' | 'category' | 'tags'>;

/** In the order in which they are listed. */
export const FIRST_ARTICLES: readonly Head[] = [
  { slug: 'a-strategy-in-one-line', category: 'strategy', tags: [] },
  { slug: 'was-it-luck', category: 'backtest', tags: [] },
  { slug: 'hold-the-strongest', category: 'strategy', tags: [] },
  { slug: 'what-a-trade-costs', category: 'backtest', tags: [] },
  { slug: 'companies-that-are-gone', category: 'data', tags: [] },
  { slug: 'prices-before-a-split', category: 'data', tags: [] },
  { slug: 'tomorrow-is-not-known', category: 'concept', tags: [] },
  { slug: 'what-a-drawdown-asks', category: 'concept', tags: [] },
];

/** The title is the heading of the file, the summary its first paragraph. */
const PARTS = /^# (?<title>.+)\n\n(?<summary>.+)\n\n(?<body>[\s\S]+)$/;

export async function readFirstArticle(slug: string, locale: Locale): Promise<NewText & { readonly body: string }> {
  const text = await readFile(new URL(`first/${locale}/${slug}.md`, import.meta.url), 'utf8');
  const { title, summary, body } = required(PARTS.exec(text)?.groups);
  return { locale, title, summary, body };
}

/** Publishes them where there has never been an article: what an administrator deletes stays away. */
export async function publishFirstArticles(pool: Pool, at: Date): Promise<void> {
  await insertFirstArticles(pool, at, () =>
    Promise.all(
      FIRST_ARTICLES.map(async (head) => ({
        ...head,
        texts: await Promise.all(LOCALES.map((locale) => readFirstArticle(head.slug, locale))),
      })),
    ),
  );
}
