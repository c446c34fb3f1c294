/** Articles in the back office: `/api/admin/articles`. */
import {
  ARTICLE_STATUSES,
  type Article,
  type ArticleText,
  selectArticle,
  selectArticles,
} from '../../db/articles/articles.ts';
import { found } from '../../engine/util/errors.ts';
import { fromKeys } from '../../engine/util/values.ts';
import { coverAddress, readCover } from '../articles/cover.ts';
import {
  ARTICLE_BODY,
  articleChangeBody,
  articleGroupItemSchema,
  articleGroupSchema,
  articlePreviewBody,
  articlePreviewSchema,
  COVER_BODY,
  COVER_LIMITS,
  categoryField,
  coverBody,
  localesBody,
  newArticleBody,
  slugPath,
} from '../articles/schemas.ts';
import type { Route } from '../call/route.ts';
import { deletedSchema, listSchema, pageQuery, searchText, z } from '../http/input/fields.ts';
import { LOCALES, type Locale } from '../http/language/locale.ts';
import {
  changeArticle,
  changeCover,
  createArticle,
  publishArticle,
  removeArticle,
  unpublishArticle,
} from './articles.ts';
import { defineRoute, type Services } from './services.ts';

const COMMON = { tag: 'Back office: articles', access: 'admin', limit: 'back_office' } as const;

const COVER_PATH = '/api/admin/articles/{slug}/cover';
/** A PNG of one pixel. */
const SMALLEST_PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

function headView({ slug, category, coverUrl, tags, createdAt, updatedAt }: Article, publicApiBase: string) {
  return {
    slug,
    category,
    cover_url: coverAddress(coverUrl, publicApiBase),
    tags: [...tags],
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

function inEachLanguage<T>({ slug, texts }: Article, view: (text: ArticleText) => T): Record<Locale, T> {
  return fromKeys(LOCALES, (locale) => {
    const text = texts.find((one) => one.locale === locale);
    if (!text) throw new Error(`the article ${slug} has no text in ${locale}`);
    return view(text);
  });
}

function stateView({ title, status, publishedAt, updatedAt }: ArticleText) {
  return { title, status, published_at: publishedAt?.toISOString() ?? null, updated_at: updatedAt.toISOString() };
}

function itemView(article: Article, { publicApiBase }: Services): z.input<typeof articleGroupItemSchema> {
  return { ...headView(article, publicApiBase), contents: inEachLanguage(article, stateView) };
}

function groupView(article: Article, { publicApiBase }: Services): z.input<typeof articleGroupSchema> {
  const fullText = (text: ArticleText) => ({ ...stateView(text), summary: text.summary, body_md: text.body });
  return { ...headView(article, publicApiBase), contents: inEachLanguage(article, fullText) };
}

export const ARTICLE_ADMIN_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listAdminArticles',
    ...COMMON,
    method: 'get',
    path: '/api/admin/articles',
    summary: 'List articles with the state of each language, latest change first',
    description: 'Lists an article when at least one of its texts matches. An empty text is a draft.',
    querySchema: z.object({
      status: z.enum(ARTICLE_STATUSES).optional().meta({ description: 'The status of a text' }),
      category: categoryField.optional().meta({ description: 'Only articles of this category' }),
      q: searchText(120).meta({ description: 'Part of the slug or of a title' }),
      ...pageQuery,
    }),
    dataSchema: listSchema(articleGroupItemSchema),
    errors: [],
    handle: async ({ query: { q, page, size, ...filter }, services }) => {
      const { total, items } = await selectArticles(services.pool, { ...filter, text: q }, { page, size });
      return { total, page, size, items: items.map((item) => itemView(item, services)) };
    },
  }),
  defineRoute({
    operationId: 'createArticle',
    ...COMMON,
    method: 'post',
    takesIdempotencyKey: true,
    path: '/api/admin/articles',
    summary: 'Create an article with every language as a draft',
    audit: { action: 'article.create', target: 'article' },
    successStatus: 201,
    bodySchema: newArticleBody,
    bodyExample: {
      slug: 'what-is-a-trailing-stop',
      category: 'strategy',
      tags: ['stops'],
      contents: {
        en: {
          title: 'What is a trailing stop?',
          summary: 'A stop that follows the price.',
          body_md: 'It only moves up.',
        },
      },
    },
    bodyLimits: ARTICLE_BODY,
    dataSchema: articleGroupSchema,
    errors: ['article_exists', 'article_untitled'],
    handle: async ({ body, ...call }) => groupView(await createArticle(call, body), call.services),
  }),
  defineRoute({
    operationId: 'previewArticle',
    ...COMMON,
    method: 'post',
    path: '/api/articles/preview',
    summary: 'Render a text as readers will see it',
    description: 'For administrators; saves nothing.',
    bodySchema: articlePreviewBody,
    bodyExample: { body_md: 'A stop that **follows** the price.' },
    bodyLimits: ARTICLE_BODY,
    dataSchema: articlePreviewSchema,
    errors: [],
    handle: async ({ body }) => {
      const { articleHtml } = await import('../articles/html.ts');
      return { body_html: await articleHtml(body.body_md) };
    },
  }),
  defineRoute({
    operationId: 'getAdminArticle',
    ...COMMON,
    method: 'get',
    path: '/api/admin/articles/{slug}',
    summary: 'Get an article with its texts in every language',
    pathSchema: slugPath,
    dataSchema: articleGroupSchema,
    errors: ['not_found'],
    handle: async ({ path, services }) => groupView(found(await selectArticle(services.pool, path.slug)), services),
  }),
  defineRoute({
    operationId: 'updateArticle',
    ...COMMON,
    method: 'put',
    path: '/api/admin/articles/{slug}',
    summary: 'Update an article',
    description: 'A published text that loses its title or body becomes a draft.',
    audit: { action: 'article.update', target: 'article', parameter: 'slug' },
    pathSchema: slugPath,
    bodySchema: articleChangeBody,
    bodyExample: {
      tags: ['stops', 'exits'],
      contents: { en: { summary: 'A stop that follows the price, and never falls.' } },
    },
    bodyLimits: ARTICLE_BODY,
    dataSchema: articleGroupSchema,
    errors: ['not_found'],
    handle: async ({ path, body, ...call }) => groupView(await changeArticle(call, path.slug, body), call.services),
  }),
  defineRoute({
    operationId: 'updateArticleCover',
    ...COMMON,
    method: 'put',
    path: COVER_PATH,
    summary: 'Upload the cover of an article',
    description: `At most ${COVER_LIMITS.bytes} bytes and ${COVER_LIMITS.pixels} pixels on a side. It replaces the cover before.`,
    audit: { action: 'article.update', target: 'article', parameter: 'slug' },
    pathSchema: slugPath,
    bodySchema: coverBody,
    bodyExample: { image: SMALLEST_PICTURE },
    bodyLimits: COVER_BODY,
    dataSchema: articleGroupSchema,
    errors: ['not_found', 'cover_refused'],
    handle: async ({ path, body, ...call }) => {
      const cover = await readCover(Buffer.from(body.image, 'base64'));
      return groupView(await changeCover(call, path.slug, cover), call.services);
    },
  }),
  defineRoute({
    operationId: 'deleteArticleCover',
    ...COMMON,
    method: 'delete',
    path: COVER_PATH,
    summary: 'Delete the cover of an article',
    audit: { action: 'article.update', target: 'article', parameter: 'slug' },
    pathSchema: slugPath,
    dataSchema: articleGroupSchema,
    errors: ['not_found'],
    handle: async ({ path, ...call }) => groupView(await changeCover(call, path.slug, null), call.services),
  }),
  defineRoute({
    operationId: 'deleteArticle',
    ...COMMON,
    method: 'delete',
    path: '/api/admin/articles/{slug}',
    summary: 'Delete an article in every language',
    audit: { action: 'article.delete', target: 'article', parameter: 'slug' },
    pathSchema: slugPath,
    dataSchema: deletedSchema,
    errors: ['not_found'],
    handle: async ({ path, ...call }) => {
      await removeArticle(call, path.slug);
      return { deleted: true } as const;
    },
  }),
  defineRoute({
    operationId: 'publishArticle',
    ...COMMON,
    method: 'post',
    takesIdempotencyKey: true,
    path: '/api/admin/articles/{slug}/publish',
    summary: 'Publish languages of an article',
    description:
      'By default all languages that have a body. When one of them lacks its title or body, nothing changes.',
    audit: { action: 'article.publish', target: 'article', parameter: 'slug' },
    pathSchema: slugPath,
    bodySchema: localesBody,
    bodyExample: { locales: ['en'] },
    dataSchema: articleGroupSchema,
    errors: ['not_found', 'article_incomplete'],
    handle: async ({ path, body, ...call }) =>
      groupView(await publishArticle(call, path.slug, body.locales), call.services),
  }),
  defineRoute({
    operationId: 'unpublishArticle',
    ...COMMON,
    method: 'post',
    takesIdempotencyKey: true,
    path: '/api/admin/articles/{slug}/unpublish',
    summary: 'Unpublish languages of an article',
    description: 'By default all languages. The time of the first publication stays.',
    audit: { action: 'article.unpublish', target: 'article', parameter: 'slug' },
    pathSchema: slugPath,
    bodySchema: localesBody,
    bodyExample: { locales: ['en'] },
    dataSchema: articleGroupSchema,
    errors: ['not_found'],
    handle: async ({ path, body, ...call }) =>
      groupView(await unpublishArticle(call, path.slug, body.locales), call.services),
  }),
];
