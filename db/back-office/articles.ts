/** Articles: one group per slug with a text in each language. A text is a draft or published. */

import type { Page, PageRequest } from '../page.ts';
import type { Queryable } from '../pool.ts';
import type { AuditedConnection } from './audit-log.ts';

export const ARTICLE_CATEGORIES = ['strategy', 'backtest', 'data', 'concept'] as const;
export type ArticleCategory = (typeof ARTICLE_CATEGORIES)[number];
export const ARTICLE_STATUSES = ['draft', 'published'] as const;
export type ArticleStatus = (typeof ARTICLE_STATUSES)[number];

export interface ArticleText {
  readonly locale: string;
  /** Null: empty, here and below. */
  readonly title: string | null;
  readonly summary: string | null;
  readonly body: string | null;
  readonly status: ArticleStatus;
  /** Of the first publication; stays when the text becomes a draft again. */
  readonly publishedAt: Date | null;
  readonly updatedAt: Date;
}

interface ArticleHead {
  readonly slug: string;
  readonly category: ArticleCategory;
  readonly coverUrl: string | null;
  readonly tags: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A group with its texts, one per language. */
export interface Article extends ArticleHead {
  readonly texts: readonly ArticleText[];
}

const HEAD = `a.slug, a.category, a.cover_url as "coverUrl", a.tags, a.created_at as "createdAt",
  a.updated_at as "updatedAt"`;
const TEXT = `locale, title, summary, body_md as body, status, published_at as "publishedAt", updated_at as "updatedAt"`;

export interface NewArticle extends Pick<ArticleHead, 'slug' | 'category' | 'coverUrl' | 'tags'> {
  readonly authorId: number;
  readonly at: Date;
  readonly texts: readonly Pick<ArticleText, 'locale' | 'title' | 'summary' | 'body'>[];
}

/** A group of drafts. False when the slug is taken. */
export async function insertArticle(connection: AuditedConnection, article: NewArticle): Promise<boolean> {
  const { rowCount } = await connection.query(
    `insert into articles (slug, category, cover_url, tags, author_id, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6) on conflict (slug) do nothing`,
    [article.slug, article.category, article.coverUrl, article.tags, article.authorId, article.at],
  );
  if (rowCount !== 1) return false;
  for (const { locale, title, summary, body } of article.texts) {
    await connection.query(
      `insert into article_texts (slug, locale, title, summary, body_md, updated_at) values ($1, $2, $3, $4, $5, $6)`,
      [article.slug, locale, title, summary, body, article.at],
    );
  }
  return true;
}

/** The group, locked for the rest of the transaction: changes of one article come one after the other. */
export async function lockArticle(connection: AuditedConnection, slug: string): Promise<Article | null> {
  await connection.query('select from articles where slug = $1 for update', [slug]);
  return selectArticle(connection, slug);
}

export async function selectArticle(db: Queryable, slug: string): Promise<Article | null> {
  const { rows } = await db.query<ArticleHead>(`select ${HEAD} from articles a where slug = $1`, [slug]);
  if (rows.length === 0) return null;
  const { rows: texts } = await db.query<ArticleText>(`select ${TEXT} from article_texts where slug = $1`, [slug]);
  return { ...rows[0], texts };
}

export interface ArticleHeadChange {
  readonly category?: ArticleCategory;
  readonly coverUrl?: string | null;
  readonly tags?: readonly string[];
}

/** Writes the fields that are given. */
export async function updateArticleHead(
  connection: AuditedConnection,
  slug: string,
  change: ArticleHeadChange,
  at: Date,
): Promise<void> {
  await connection.query(
    `update articles set category = coalesce($2, category), tags = coalesce($3, tags), updated_at = $6,
       cover_url = case when $4 then $5 else cover_url end
     where slug = $1`,
    [slug, change.category ?? null, change.tags ?? null, change.coverUrl !== undefined, change.coverUrl ?? null, at],
  );
}

/** Replaces the text of a language. A published one that loses its title or body is a draft again. */
export async function updateArticleText(
  connection: AuditedConnection,
  slug: string,
  { locale, title, summary, body }: Pick<ArticleText, 'locale' | 'title' | 'summary' | 'body'>,
  at: Date,
): Promise<void> {
  await connection.query(
    `update article_texts set title = $3, summary = $4, body_md = $5, updated_at = $6,
       status = case when $3::text is null or $5::text is null then 'draft' else status end
     where slug = $1 and locale = $2`,
    [slug, locale, title, summary, body, at],
  );
}

/** Moves the texts of some languages to a status; the first publication leaves its time. */
export async function updateArticleStatus(
  connection: AuditedConnection,
  slug: string,
  locales: readonly string[],
  status: ArticleStatus,
  at: Date,
): Promise<void> {
  await connection.query(
    `update article_texts set status = $3,
       published_at = case when $3 = 'published' then coalesce(published_at, $4) else published_at end
     where slug = $1 and locale = any($2) and status <> $3`,
    [slug, locales, status, at],
  );
}

export async function deleteArticle(connection: AuditedConnection, slug: string): Promise<void> {
  await connection.query('delete from articles where slug = $1', [slug]);
}

export interface ArticleFilter {
  readonly status?: ArticleStatus;
  readonly category?: ArticleCategory;
  /** Part of slug, title or summary. */
  readonly text?: string;
}

const LISTED = `exists (select from article_texts t where t.slug = a.slug
    and ($1::text is null or t.status = $1)
    and ($3::text is null or position(lower($3) in lower(concat_ws(E'\\n', t.slug, t.title, t.summary))) > 0))
  and ($2::text is null or a.category = $2)`;

/** Groups of which at least one text matches, the latest change first; texts come without their bodies. */
export async function selectArticles(
  db: Queryable,
  { status, category, text }: ArticleFilter,
  { page, size }: PageRequest,
): Promise<Page<Article>> {
  const values = [status ?? null, category ?? null, text ?? null];
  const total = await db.query<{ total: number }>(`select count(*) as total from articles a where ${LISTED}`, values);
  const { rows } = await db.query<ArticleHead>(
    `select ${HEAD} from articles a where ${LISTED} order by a.updated_at desc, a.slug limit $4 offset $5`,
    [...values, size, (page - 1) * size],
  );
  const { rows: texts } = await db.query<ArticleText & { readonly slug: string }>(
    `select slug, ${TEXT.replace('body_md', 'null::text')} from article_texts where slug = any($1)`,
    [rows.map(({ slug }) => slug)],
  );
  const bySlug = Map.groupBy(texts, ({ slug }) => slug);
  return { total: total.rows[0].total, items: rows.map((head) => ({ ...head, texts: bySlug.get(head.slug) ?? [] })) };
}

/** An article as it is read: one text, and the languages in which it is published. */
export interface PublishedArticle
  extends Pick<ArticleHead, 'slug' | 'category' | 'coverUrl' | 'tags'>,
    Pick<ArticleText, 'locale' | 'summary' | 'updatedAt'> {
  readonly title: string;
  readonly publishedAt: Date;
  readonly locales: readonly string[];
}

/** What is served in a language: its own published text, or else the one in the fallback language. */
const SERVED = `from articles a
  join lateral (
    select * from article_texts t where t.slug = a.slug and t.status = 'published' and t.locale in ($1, $2)
    order by (t.locale = $1) desc limit 1) t on true`;
const READ = `a.slug, a.category, a.cover_url as "coverUrl", a.tags, t.locale, t.title, t.summary, t.published_at as "publishedAt", t.updated_at as "updatedAt",
  (select array_agg(l.locale order by l.locale) from article_texts l where l.slug = a.slug and l.status = 'published')
    as locales`;
const NEWEST_FIRST = 't.published_at desc, a.slug';

export interface ReadingLanguage {
  readonly locale: string;
  /** Read where there is no published text in `locale`. */
  readonly fallback: string;
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

export interface Neighbour {
  readonly slug: string;
  readonly title: string;
  readonly locale: string;
}

export interface PublishedArticleInFull extends PublishedArticle {
  readonly body: string;
  /** The next newer and the next older one. */
  readonly prev: Neighbour | null;
  readonly next: Neighbour | null;
}

/** A published article with its neighbours in the list of all; null when nothing of it is published. */
export async function selectPublishedArticle(
  db: Queryable,
  slug: string,
  { locale, fallback }: ReadingLanguage,
): Promise<PublishedArticleInFull | null> {
  const { rows } = await db.query(
    `select * from (
       select ${READ}, t.body_md as body, lag(n.entry) over list as prev, lead(n.entry) over list as next
       ${SERVED}, lateral (select jsonb_build_object('slug', a.slug, 'title', t.title, 'locale', t.locale) as entry) n
       window list as (order by ${NEWEST_FIRST})) listed
     where slug = $3`,
    [locale, fallback, slug],
  );
  return rows[0] ?? null;
}
