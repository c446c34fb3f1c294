/** Creates, changes, publishes, and deletes articles. */
import {
  type Article,
  type ArticleCover,
  type ArticleStatus,
  type ArticleText,
  deleteArticle,
  deleteCover,
  insertArticle,
  lockArticle,
  replaceCover,
  updateArticleHead,
  updateArticleStatus,
  updateArticleText,
} from '../../db/articles/articles.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { coverAddress, coverPath } from '../articles/cover.ts';
import type { ArticleChangeBody, NewArticleBody } from '../articles/schemas.ts';
import { audited, auditIntent, entriesWith } from '../call/audited.ts';
import { LOCALES, type Locale } from '../http/language/locale.ts';
import type { AdminCall } from './services.ts';

type Content = Pick<ArticleText, 'title' | 'summary' | 'body'>;
type ContentChange = NonNullable<NewArticleBody['contents'][Locale]> | null | undefined;

const EMPTY: Content = { title: null, summary: null, body: null };

/** Blank text counts as empty. */
const filled = (text: string | null) => (text !== null && /\S/.test(text) ? text : null);

/** A text after a change. An omitted field stays as it is, and null clears it. */
function changed(before: Content, change: ContentChange): Content {
  if (change === undefined) return before;
  if (change === null) return EMPTY;
  const { title = before.title, summary = before.summary, body_md: body = before.body } = change;
  return { title: filled(title), summary: filled(summary), body: filled(body) };
}

export async function createArticle(call: AdminCall, body: NewArticleBody): Promise<Article> {
  const { slug, category, tags, cover_url: coverUrl, contents } = body;
  const { now } = call.services;
  const intent = auditIntent(call, { targetId: slug });
  return audited(call, intent, async (connection) => {
    const texts = LOCALES.map((locale) => ({ locale, ...changed(EMPTY, contents[locale]) }));
    if (texts.every(({ title }) => title === null)) throw new ServiceError('article_untitled');
    const authorId = call.caller.account.userId;
    const at = new Date(now());
    if (!(await insertArticle(connection, { slug, category, tags, coverUrl, authorId, at, texts }))) {
      throw new ServiceError('article_exists', { slug });
    }
    return { result: found(await lockArticle(connection, slug)), entries: intent.entries };
  });
}

/** Changes the fields in the body. A published text that loses its title or body becomes a draft. */
export async function changeArticle(call: AdminCall, slug: string, body: ArticleChangeBody): Promise<Article> {
  const at = new Date(call.services.now());
  const { category, cover_url, tags, contents = {} } = body;
  const { publicApiBase } = call.services;
  const intent = auditIntent(call);
  return audited(call, intent, async (connection) => {
    const before = found(await lockArticle(connection, slug));
    // The address of an uploaded cover, sent back as it was read, is no change.
    const coverUrl = cover_url === coverAddress(before.coverUrl, publicApiBase) ? undefined : cover_url;
    if (coverUrl !== undefined) await deleteCover(connection, slug);
    await updateArticleHead(connection, slug, { category, coverUrl, tags: tags === null ? [] : tags }, at);
    for (const text of before.texts) {
      const change = contents[text.locale];
      if (change === undefined) continue;
      await updateArticleText(connection, slug, { locale: text.locale, ...changed(text, change) }, at);
    }
    const after = found(await lockArticle(connection, slug));
    const details = { fields: changedFields(body), withdrawn: withdrawn(before, after) };
    return { result: after, entries: entriesWith(intent, { details }) };
  });
}

/** Replaces the cover of an article by an uploaded one, or by none. */
export async function changeCover(call: AdminCall, slug: string, cover: ArticleCover | null): Promise<Article> {
  const at = new Date(call.services.now());
  const intent = auditIntent(call);
  return audited(call, intent, async (connection) => {
    found(await lockArticle(connection, slug));
    if (cover) await replaceCover(connection, slug, cover);
    else await deleteCover(connection, slug);
    await updateArticleHead(connection, slug, { coverUrl: cover && coverPath(slug, cover) }, at);
    const details = { fields: ['cover'] };
    return { result: found(await lockArticle(connection, slug)), entries: entriesWith(intent, { details }) };
  });
}

/** The fields of a change: `category`, `en.title`. */
function changedFields({ contents = {}, ...head }: ArticleChangeBody): string[] {
  const texts = Object.entries(contents).flatMap(([locale, change]) =>
    change === null ? [locale] : Object.keys(change ?? {}).map((field) => `${locale}.${field}`),
  );
  return [...Object.keys(head), ...texts];
}

/** Languages that a change has unpublished. */
function withdrawn(before: Article, after: Article): string[] {
  const published = ({ texts }: Article) =>
    texts.filter(({ status }) => status === 'published').map(({ locale }) => locale);
  const still = published(after);
  return published(before).filter((locale) => !still.includes(locale));
}

/** Publishes languages, by default all that have a body. When one lacks its title or body, none is published. */
export async function publishArticle(call: AdminCall, slug: string, wanted?: readonly Locale[]): Promise<Article> {
  return moveArticle(call, slug, 'published', ({ texts }) => {
    const locales: readonly string[] = wanted ?? texts.filter(({ body }) => body !== null).map(({ locale }) => locale);
    const missing = texts
      .filter(({ locale }) => locales.includes(locale))
      .flatMap(({ locale, title, body }) => [
        ...(title === null ? [`${locale}.title`] : []),
        ...(body === null ? [`${locale}.body_md`] : []),
      ]);
    if (missing.length > 0) throw new ServiceError('article_incomplete', { missing: missing.join(', ') });
    if (locales.length === 0) throw new ServiceError('article_incomplete', { missing: 'body_md' });
    return locales;
  });
}

/** Unpublishes languages, by default all. */
export async function unpublishArticle(call: AdminCall, slug: string, wanted?: readonly Locale[]): Promise<Article> {
  return moveArticle(call, slug, 'draft', () => wanted ?? LOCALES);
}

async function moveArticle(
  call: AdminCall,
  slug: string,
  status: ArticleStatus,
  choose: (article: Article) => readonly string[],
): Promise<Article> {
  const intent = auditIntent(call);
  return audited(call, intent, async (connection) => {
    const locales = choose(found(await lockArticle(connection, slug)));
    await updateArticleStatus(connection, slug, locales, status, new Date(call.services.now()));
    const moved = found(await lockArticle(connection, slug));
    return { result: moved, entries: entriesWith(intent, { details: { locales } }) };
  });
}

/** Deletes an article. The audit log keeps the title and status of each language. */
export async function removeArticle(call: AdminCall, slug: string): Promise<void> {
  const intent = auditIntent(call);
  await audited(call, intent, async (connection) => {
    const { texts } = found(await lockArticle(connection, slug));
    const contents = Object.fromEntries(texts.map(({ locale, title, status }) => [locale, { title, status }]));
    await deleteArticle(connection, slug);
    return { result: undefined, entries: entriesWith(intent, { details: { contents } }) };
  });
}
