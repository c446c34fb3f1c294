/** Articles. Each has a text per language, which is a draft or published. */
import { type AuditedConnection, auditedTransaction } from '../log/audit-log.ts';
import type { Pool, Queryable } from '../pool.ts';
import { type Page, type PageRequest, runQuery, selectPage, statements } from '../query-builder.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection, TABLES } from '../schema/tables.ts';

export const ARTICLE_CATEGORIES = TABLES.articles.category.values;

export type ArticleCategory = (typeof ARTICLE_CATEGORIES)[number];

export const ARTICLE_STATUSES = TABLES.article_texts.status.values;

export type ArticleStatus = (typeof ARTICLE_STATUSES)[number];

const ARTICLE_HEAD = selection('articles', {
  slug: 'slug',
  category: 'category',
  /** An address; a path for an uploaded cover. */
  coverUrl: 'cover_url',
  tags: 'tags',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

/** The fields that the texts of an article share. */
export type ArticleHead = Selected<typeof ARTICLE_HEAD>;

const TEXT = selection('article_texts', {
  locale: 'locale',
  title: 'title',
  summary: 'summary',
  body: 'body_md',
  status: 'status',
  publishedAt: 'published_at',
  updatedAt: 'updated_at',
});

/** An article in one language. A title, summary, or body that is null is empty. */
export type ArticleText = Selected<typeof TEXT>;

/** An article with its texts, one per language. */
export interface Article extends ArticleHead {
  readonly texts: readonly ArticleText[];
}

export type NewText = Pick<ArticleText, 'locale' | 'title' | 'summary' | 'body'>;

export interface NewArticle extends Pick<ArticleHead, 'slug' | 'category' | 'coverUrl' | 'tags'> {
  /** Null: it comes with the service. */
  readonly authorId: number | null;
  readonly at: Date;
  readonly texts: readonly NewText[];
}

/** Inserts an article that is not published. False when the slug is taken. */
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

/** Held while the first articles are inserted, so that of several processes one does it. */
const FIRST_LOCK = 7_310;

const FIRST_ACT = { action: 'article.create', targetType: 'article' } as const;

/** Publishes the first articles of a database, the first one as the newest, unless it has articles or ever had one. */
export async function insertFirstArticles(
  pool: Pool,
  at: Date,
  read: () => Promise<readonly Pick<NewArticle, 'slug' | 'category' | 'tags' | 'texts'>[]>,
): Promise<void> {
  const intent = { actorId: null, actorName: 'service', requestId: null, entries: [] };
  await auditedTransaction(pool, intent, at, async (connection) => {
    await connection.query('select pg_advisory_xact_lock($1)', [FIRST_LOCK]);
    const { rows } = await connection.query<{ isNew: boolean }>(
      `select not exists (select from articles)
         and not exists (select from audit_log where action = $1) as "isNew"`,
      [FIRST_ACT.action],
    );
    const articles = rows[0].isNew ? await read() : [];
    for (const [i, article] of articles.entries()) {
      const published = new Date(at.getTime() - i * 1_000);
      const locales = article.texts.map(({ locale }) => locale);
      await insertArticle(connection, { ...article, coverUrl: null, authorId: null, at: published });
      await updateArticleStatus(connection, article.slug, locales, 'published', published);
    }
    return { result: undefined, entries: articles.map(({ slug }) => ({ ...FIRST_ACT, targetId: slug, details: {} })) };
  });
}

/** Locks the article for the rest of the transaction, so that changes to it run one after the other. */
export async function lockArticle(connection: AuditedConnection, slug: string): Promise<Article | null> {
  await connection.query('select from articles where slug = $1 for update', [slug]);
  return selectArticle(connection, slug);
}

export async function selectArticle(db: Queryable, slug: string): Promise<Article | null> {
  const { rows } = await db.query<ArticleHead>(`select ${ARTICLE_HEAD.sql} from articles where slug = $1`, [slug]);
  if (rows.length === 0) return null;
  const { rows: texts } = await db.query<ArticleText>(`select ${TEXT.sql} from article_texts where slug = $1`, [slug]);
  return { ...rows[0], texts };
}

export interface ArticleHeadChange {
  readonly category?: ArticleCategory;
  readonly coverUrl?: string | null;
  readonly tags?: readonly string[];
}

/** Changes the passed fields. */
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

/** Replaces the text in a language. A published text that loses its title or body becomes a draft. */
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

/** Sets the status of the texts in some languages. The first publication sets `publishedAt`. */
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

/** An uploaded picture. */
export type ArticleCover = Pick<Rows['article_covers'], 'content_type' | 'content'>;

export async function selectCover(db: Queryable, slug: string): Promise<ArticleCover | null> {
  const { rows } = await db.query<ArticleCover>('select content_type, content from article_covers where slug = $1', [
    slug,
  ]);
  return rows[0] ?? null;
}

export async function replaceCover(
  connection: AuditedConnection,
  slug: string,
  { content_type, content }: ArticleCover,
): Promise<void> {
  await connection.query(
    `insert into article_covers (slug, content_type, content) values ($1, $2, $3)
     on conflict (slug) do update set content_type = excluded.content_type, content = excluded.content`,
    [slug, content_type, content],
  );
}

export async function deleteCover(connection: AuditedConnection, slug: string): Promise<void> {
  await connection.query('delete from article_covers where slug = $1', [slug]);
}

export async function deleteArticle(connection: AuditedConnection, slug: string): Promise<void> {
  await connection.query('delete from articles where slug = $1', [slug]);
}

export interface ArticleFilter {
  readonly status?: ArticleStatus;
  readonly category?: ArticleCategory;
  /** Part of the slug, title, or summary. */
  readonly text?: string;
}

/** Articles of which at least one text matches, the latest change first. Texts come without their bodies. */
export async function selectArticles(
  db: Queryable,
  { status, category, text }: ArticleFilter,
  page: PageRequest,
): Promise<Page<Article>> {
  const { raw, rowsOf } = await statements();
  const texts = rowsOf('article_texts', { status }).whereRaw('article_texts.slug = articles.slug');
  if (text !== undefined) {
    texts.whereRaw(`position(lower(?) in lower(concat_ws(E'\\n', slug, title, summary))) > 0`, [text]);
  }
  const matching = rowsOf('articles', { category }).whereExists(texts.select(raw('1')));
  const { total, items } = await selectPage(db, matching, page, (articles) =>
    articles.select(ARTICLE_HEAD.columns).orderBy('updated_at', 'desc').orderBy('slug'),
  );
  const found = await selectTextsWithoutBodies(
    db,
    items.map(({ slug }) => slug),
  );
  const bySlug = Map.groupBy(found, ({ slug }) => slug);
  return { total, items: items.map((head) => ({ ...head, texts: bySlug.get(head.slug) ?? [] })) };
}

async function selectTextsWithoutBodies(db: Queryable, slugs: readonly string[]) {
  const { rowsOf } = await statements();
  const texts = await runQuery(
    db,
    rowsOf('article_texts').whereIn('slug', slugs).select({
      slug: 'slug',
      locale: 'locale',
      title: 'title',
      summary: 'summary',
      status: 'status',
      publishedAt: 'published_at',
      updatedAt: 'updated_at',
    }),
  );
  return texts.map((text) => ({ ...text, body: null }));
}
