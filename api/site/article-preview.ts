/** The link preview of an article, and its text for readers without scripts. */
import { selectPublishedArticle } from '../../db/articles/published-articles.ts';
import { callerAddress } from '../access/caller-address.ts';
import { FALLBACK_LOCALE } from '../articles/routes.ts';
import { NOT_FOUND, type Preview, type PreviewCall } from './previews.ts';
import { siteText } from './texts/catalogue.ts';

export async function describeArticle({ services, context, locale }: PreviewCall, slug: string): Promise<Preview> {
  const { pool, limiter, publicRule } = services;
  await limiter.enforce({ counter: `ip:${callerAddress(context.ip)}` }, publicRule, context);
  const article = await selectPublishedArticle(pool, slug, { locale, fallback: FALLBACK_LOCALE });
  if (!article) return NOT_FOUND(locale);
  const { articleHtml } = await import('../articles/html.ts');
  return {
    title: article.title,
    description: article.summary ?? siteText('page.articles.description', locale),
    isFound: true,
    body: await articleHtml(article.body),
  };
}
