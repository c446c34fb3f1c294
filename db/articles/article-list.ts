/** Lists of articles in every state, for administrators. */
import type { Page, PageRequest } from '../page.ts';
import type { Queryable } from '../pool.ts';
import { raw, rowsOf, runQuery, selectPage } from '../query-builder.ts';
import { ARTICLE_HEAD, type Article, type ArticleCategory, type ArticleStatus } from './articles.ts';

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
