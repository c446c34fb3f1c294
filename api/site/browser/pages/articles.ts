/** Published articles, by category. */
import '../shell.ts';
import { customElement, state } from 'lit/decorators.js';
import { choiceFromAddress, followAddress, toAddress } from '../address.ts';
import { choice, pageFromAddress, paging } from '../controls.ts';
import { ownCover } from '../cover.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { pageHead } from '../head.ts';
import { Load } from '../load.ts';
import { locale } from '../page-locale.ts';
import { get } from '../session.ts';
import { day, t } from '../text.ts';
import { type ArticleItem, type ArticleList, CATEGORIES } from '../types.ts';

const CHOICES = ['all', ...CATEGORIES] as const;
type Category = (typeof CHOICES)[number];
const SIZE = 20;

@customElement('articles-page')
export class ArticlesPage extends SiteElement {
  @state() category: Category = 'all';
  private readonly list = new Load(this, () => {
    this.category = choiceFromAddress('category', CHOICES);
    const category = this.category === 'all' ? null : this.category;
    return get<ArticleList>('/api/articles', { query: { locale, category, page: pageFromAddress(), size: SIZE } });
  });

  constructor() {
    super();
    followAddress(this, this.list.reload);
  }

  private readonly choose = (category: Category) => {
    toAddress({ category: category === 'all' ? null : category, page: null });
    void this.list.reload();
  };

  private readonly goTo = async (page: number) => {
    toAddress({ page: page === 1 ? null : String(page) });
    await this.list.reload();
    scrollTo({ top: 0 });
  };

  override render() {
    const values = CHOICES.map((value) => [value, t(`article.category.${value}`)] as const);
    return html`${pageHead(t('page.articles'))}
      <p class="lead">${t('page.articles.description')}</p>
      <div class="controls scroll-x">
        ${choice({ label: t('articles.category'), name: 'category', values, chosen: this.category, onChoose: this.choose })}
      </div>
      ${this.list.render((list) => this.content(list))}`;
  }

  private content(list: ArticleList) {
    if (list.items.length === 0) return this.empty();
    return html`<ul class="article-list">${list.items.map(item)}</ul>${paging(list, this.goTo)}`;
  }

  private empty() {
    return html`<section class="state">
      <h2>${t('articles.none')}</h2>
      <p>${t('articles.none.text')}</p>
      <div class="row">
        ${this.category === 'all' ? nothing : html`<button @click=${() => this.choose('all')}>${t('articles.show_all')}</button>`}
        <a href="/docs">${t('nav.docs')}</a>
      </div>
    </section>`;
  }
}

function item({ slug, title, summary, category, published_at, locale: language, cover_url }: ArticleItem) {
  const cover = ownCover(cover_url);
  return html`<li class=${cover === null ? nothing : 'covered'}>
    ${cover === null ? nothing : html`<img class="cover" src=${cover} alt="" loading="lazy" />`}
    <h2><a href=${`/articles/${slug}`} lang=${language}>${title}</a></h2>
    <p class="small muted">${t(`article.category.${category}`)} · <time datetime=${published_at}>${day(published_at)}</time></p>
    ${summary === null ? nothing : html`<p class="summary" lang=${language}>${summary}</p>`}
  </li>`;
}
