/** An article in the language of its reader, or in the one that it is written in. */
import '../shell.ts';
import { customElement } from 'lit/decorators.js';
import { pathParameter } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { ownCover } from '../cover.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { locale } from '../page-locale.ts';
import { get } from '../session.ts';
import { failure } from '../states.ts';
import { day, listed, t } from '../text.ts';
import type { Article } from '../types.ts';

@customElement('article-page')
export class ArticlePage extends SiteElement {
  private readonly article = new Load(this, () => {
    const address = path('/api/articles/{slug}', { slug: pathParameter() });
    return get<Article>(address, { query: { locale } });
  });

  override render() {
    return html`<div class="head"><p><a href="/articles">${t('page.articles')}</a></p></div>${this.article.render(content, failed)}`;
  }

  /** Makes long code and wide tables scrollable by keyboard. */
  protected override updated(): void {
    for (const box of this.querySelectorAll<HTMLElement>('.prose :is(pre, table)')) box.tabIndex = 0;
  }
}

function content({ prev, next, ...article }: Article) {
  const { title, summary, category, tags, published_at, updated_at, body_html, locale: language } = article;
  const cover = ownCover(article.cover_url);
  const isRevised = updated_at.slice(0, 10) > published_at.slice(0, 10);
  return html`<article class="prose">
      ${language === locale ? nothing : html`<p class="notice">${t('article.other_language')}</p>`}
      <header lang=${language}>
        <h1>${title}</h1>
        ${summary === null ? nothing : html`<p class="lead">${summary}</p>`}
      </header>
      <p class="small muted">
        ${t(`article.category.${category}`)} · <time datetime=${published_at}>${day(published_at)}</time>
        ${isRevised ? html`· ${t('article.updated', { date: day(updated_at) })}` : nothing}
        ${tags.length > 0 ? html`· ${listed(tags)}` : nothing}
      </p>
      ${cover === null ? nothing : html`<img class="cover" src=${cover} alt="" />`}
      <div lang=${language} .innerHTML=${body_html}></div>
    </article>
    ${neighbors({ prev, next })}`;
}

function neighbors({ prev, next }: Pick<Article, 'prev' | 'next'>) {
  if (prev === null && next === null) return nothing;
  return html`<nav class="article-neighbors" aria-label=${t('article.neighbors')}>
    ${prev === null ? html`<span></span>` : html`<a href=${`/articles/${prev.slug}`}><small>${t('article.newer')}</small><span lang=${prev.locale}>${prev.title}</span></a>`}
    ${next === null ? nothing : html`<a href=${`/articles/${next.slug}`}><small>${t('article.older')}</small><span lang=${next.locale}>${next.title}</span></a>`}
  </nav>`;
}

function failed(error: unknown, retry: () => void) {
  if (!(error instanceof ApiError) || error.status !== 404) return failure(error, retry);
  return html`<section class="state" role="alert">
    <h1>${t('article.none')}</h1>
    <p>${t('article.none.text')}</p>
    <div class="row"><a class="button" href="/articles">${t('article.all')}</a></div>
  </section>`;
}
