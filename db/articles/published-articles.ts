/** Articles as readers have them: the published texts. */

import type { Queryable } from '../pool.ts';
import type { Page, PageRequest } from '../query-builder.ts';
import type { ArticleCategory, ArticleHead, ArticleText } from './articles.ts';

/** An article for readers: one text, and the languages in which it is published. */
export interface PublishedArticle
  extends Pick<ArticleHead, 'slug' | 'category' | 'coverUrl' | 'tags'>,
    Pick<ArticleText, 'locale' | 'summary' | 'updatedAt'> {
  readonly title: string;
  readonly publishedAt: Date;
  readonly locales: readonly ArticleText['locale'][];
}

/** The published text `t` in a language ($1); without one, the text in the fallback language ($2). */
const SERVED = `from articles a
  join lateral (
    select * from article_texts t where t.slug = a.slug and t.status = 'published' and t.locale in ($1, $2)
    order by (t.locale = $1) desc limit 1) t on true`;

const READ = `a.slug, a.category, a.cover_url as "coverUrl", a.tags, t.locale, t.title, t.summary, t.published_at as "publishedAt", t.updated_at as "updatedAt",
  (select array_agg(l.locale order by l.locale) from article_texts l where l.slug = a.slug and l.status = 'published')
    as locales`;

const NEWEST_FIRST = 't.published_at desc, a.slug';

export interface ReadingLanguage {
  readonly locale: ArticleText['locale'];
  /** Used where no text in `locale` is published. */
  readonly fallback: ArticleText['locale'];
}

/** Published articles without their bodies, newest publication first. */
export async function selectPublishedArticles(
  db: Queryable,
  { locale, fallback }: ReadingLanguage,
  category: ArticleCategory | null,
  { page, size }: PageRequest,
): Promise<Page<PublishedArticle>> {
  const where = 'where ($3::text is null or a.category = $3)';
  const total = await db.query<{ total: number }>(`select count(*) as total ${SERVED} ${where}`, [
    locale,
    fallback,
    category,
  ]);
  const { rows } = await db.query<PublishedArticle>(
    `select ${READ} ${SERVED} ${where} order by ${NEWEST_FIRST} limit $4 offset $5`,
    [locale, fallback, category, size, (page - 1) * size],
  );
  return { total: total.rows[0].total, items: rows };
}

export interface Neighbor {
  readonly slug: string;
  readonly title: string;
  readonly locale: ArticleText['locale'];
}

export interface PublishedArticleInFull extends PublishedArticle {
  readonly body: string;
  /** The next newer article, and the next older one. */
  readonly prev: Neighbor | null;
  readonly next: Neighbor | null;
}

/** A published article with its neighbors in the list of all articles; null when none of its texts is published. */
export async function selectPublishedArticle(
  db: Queryable,
  slug: string,
  { locale, fallback }: ReadingLanguage,
): Promise<PublishedArticleInFull | null> {
  const { rows } = await db.query<PublishedArticleInFull>(
    `select * from (
       select ${READ}, t.body_md as body, lag(n.entry) over list as prev, lead(n.entry) over list as next
       ${SERVED}, lateral (select jsonb_build_object('slug', a.slug, 'title', t.title, 'locale', t.locale) as entry) n
       window list as (order by ${NEWEST_FIRST})) listed
     where slug = $3`,
    [locale, fallback, slug],
  );
  return rows[0] ?? null;
}
