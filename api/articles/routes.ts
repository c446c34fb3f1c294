/** Published articles: `/api/articles`. */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { selectCover } from '../../db/articles/articles.ts';
import {
  type PublishedArticle,
  selectPublishedArticle,
  selectPublishedArticles,
} from '../../db/articles/published-articles.ts';
import type { Pool } from '../../db/pool.ts';
import { found } from '../../engine/util/errors.ts';
import { localeOf } from '../access/request-context.ts';
import { type Route, routesWith } from '../call/route.ts';
import { StoredFileReply } from '../http/answer/reply.ts';
import { listSchema, localeField, pageQuery, z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { coverAddress } from './cover.ts';
import { articleItemSchema, articleSchema, categoryField, slugPath } from './schemas.ts';

interface Services {
  readonly pool: Pool;
  readonly publicApiBase: string;
}

const defineRoute = routesWith<Services>();

const COMMON = { tag: 'Public', access: 'anyone', limit: 'public' } as const;
const COVER_MAX_AGE_S = 86_400;
/** The language of articles that are not published in the requested one. */
export const FALLBACK_LOCALE: Locale = 'zh-CN';

function itemView(article: PublishedArticle, publicApiBase: string): z.input<typeof articleItemSchema> {
  return {
    slug: article.slug,
    category: article.category,
    cover_url: coverAddress(article.coverUrl, publicApiBase),
    tags: [...article.tags],
    locale: article.locale,
    locales: [...article.locales],
    title: article.title,
    summary: article.summary,
    published_at: article.publishedAt.toISOString(),
    updated_at: article.updatedAt.toISOString(),
  };
}

export const ARTICLE_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listArticles',
    ...COMMON,
    method: 'get',
    path: '/api/articles',
    summary: 'List published articles, newest first',
    description:
      `An article that is not published in the requested language is listed in ${FALLBACK_LOCALE} (see \`locale\`), or not ` +
      'at all if it is not published in that language either.',
    querySchema: z.object({
      locale: localeField,
      category: categoryField.optional().meta({ description: 'Only articles of this category' }),
      ...pageQuery,
    }),
    caching: 'for_minutes',
    dataSchema: listSchema(articleItemSchema),
    errors: [],
    handle: async ({ query, context, services: { pool, publicApiBase } }) => {
      const { page, size, category = null } = query;
      const language = { locale: localeOf(query, context), fallback: FALLBACK_LOCALE };
      const { total, items } = await selectPublishedArticles(pool, language, category, { page, size });
      return { total, page, size, items: items.map((item) => itemView(item, publicApiBase)) };
    },
  }),
  defineRoute({
    operationId: 'getArticle',
    ...COMMON,
    method: 'get',
    path: '/api/articles/{slug}',
    summary: 'Get an article with its neighbors in the list',
    pathSchema: slugPath,
    querySchema: z.object({ locale: localeField }),
    caching: 'for_minutes',
    dataSchema: articleSchema,
    errors: ['not_found'],
    handle: async ({ path, query, context, services: { pool, publicApiBase } }) => {
      const language = { locale: localeOf(query, context), fallback: FALLBACK_LOCALE };
      const article = found(await selectPublishedArticle(pool, path.slug, language));
      const { articleHtml } = await import('./html.ts');
      const { body, prev, next, locale } = article;
      context.headers['Content-Language'] = locale;
      return { ...itemView(article, publicApiBase), body_md: body, body_html: await articleHtml(body), prev, next };
    },
  }),
  defineRoute({
    operationId: 'downloadArticleCover',
    ...COMMON,
    method: 'get',
    path: '/api/articles/{slug}/cover',
    summary: 'Download the uploaded cover of an article',
    pathSchema: slugPath,
    querySchema: z.object({
      v: z.string().max(40).optional().meta({ description: 'Changes with the picture' }),
    }),
    fileTypes: ['image/png', 'image/jpeg', 'image/webp'],
    isResumable: true,
    dataSchema: z.string(),
    errors: ['not_found', 'precondition_failed'],
    handle: async ({ path, context, services: { pool } }) => {
      const { content, content_type: contentType } = found(await selectCover(pool, path.slug));
      context.headers['Cache-Control'] = `private, max-age=${COVER_MAX_AGE_S}`;
      return new StoredFileReply({
        name: `${path.slug}.${contentType.slice('image/'.length)}`,
        contentType,
        bytes: content.length,
        checksum: hash('sha256', content, 'hex'),
        open: async ({ start, end }) => Readable.from(content.subarray(start, end + 1)),
      });
    },
  }),
];
