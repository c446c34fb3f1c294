/** Articles in the back office: the list with the state of each language, and the editor of one. */
import '../shell.ts';
import '../tool.ts';
import '../elements/article-editor.ts';
import { customElement } from 'lit/decorators.js';
import { fromAddress } from '../address.ts';
import { fieldsOf, html, SiteElement, textIn } from '../dom.ts';
import type { Column } from '../elements/data-table.ts';
import { codeFilter, type Filter, FilteredList } from '../elements/filtered-list.ts';
import { pageHead } from '../head.ts';
import { Attempt } from '../load.ts';
import { post } from '../session.ts';
import { utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import { type ArticleGroupItem, CATEGORIES } from '../types.ts';

const STATUSES = ['draft', 'published'] as const;
const EXAMPLE_SLUG = 'trailing-stops';
const ARTICLES = '/api/admin/articles';
const editorOf = (slug: string) => `/admin/articles?slug=${encodeURIComponent(slug)}`;

@customElement('admin-articles-page')
export class AdminArticlesPage extends SiteElement {
  private readonly creation = new Attempt(this);
  private readonly list = new FilteredList<ArticleGroupItem>(this, {
    source: ARTICLES,
    filters,
    columns,
    empty: t('editor.none'),
  });

  private readonly create = async (event: SubmitEvent) => {
    event.preventDefault();
    const given = fieldsOf(event);
    const [slug, title, category] = ['slug', 'title', 'category'].map((name) => textIn(given, name));
    const body = { slug, category, contents: { en: { title } } };
    if (await this.creation.make(() => post(ARTICLES, body))) location.assign(editorOf(slug));
  };

  override render() {
    const slug = fromAddress('slug');
    if (slug !== null) {
      return html`<p class="back small"><a href="/admin/articles">${t('page.admin_articles')}</a></p>
        <article-editor .slug=${slug}></article-editor>`;
    }
    return html`${pageHead(t('page.admin_articles'))}
      ${this.list.form()}${this.list.table(t('page.admin_articles'))}
      <section>
        <h2>${t('editor.new')}</h2>
        <form @submit=${this.create}>
          <div class="fields">
            <label class="field"><span>${t('editor.slug')}</span><input name="slug" required maxlength="120" pattern="[a-z0-9]+(-[a-z0-9]+)*" placeholder=${EXAMPLE_SLUG} autocomplete="off" /></label>
            <label class="field"><span>${t('editor.english_title')}</span><input name="title" required maxlength="200" autocomplete="off" /></label>
            <label class="field"><span>${t('articles.category')}</span><select name="category">${CATEGORIES.map((one) => html`<option value=${one}>${t(`article.category.${one}`)}</option>`)}</select></label>
          </div>
          ${this.creation.failure()}
          <p><button class="primary">${t('editor.create')}</button></p>
        </form>
      </section>`;
  }
}

function filters(): readonly Filter[] {
  return [
    { name: 'q', label: t('editor.search'), type: 'search' },
    codeFilter('category', t('articles.category'), CATEGORIES, (category) => t(`article.category.${category}`)),
    codeFilter('status', t('users.status'), STATUSES, (status) => t(`editor.status.${status}`)),
  ];
}

function columns(): Column<ArticleGroupItem>[] {
  const state = (locale: keyof ArticleGroupItem['contents'], title: string): Column<ArticleGroupItem> => ({
    key: locale,
    title,
    cell: ({ contents }) => t(`editor.status.${contents[locale].status}`),
    tone: ({ contents }) => (contents[locale].status === 'published' ? 'gain' : 'muted'),
  });
  return [
    {
      key: 'slug',
      title: t('editor.article'),
      cell: ({ slug, contents }) =>
        html`<a class="clipped" href=${editorOf(slug)}>${contents.en.title ?? contents['zh-CN'].title ?? slug}</a>`,
    },
    { key: 'category', title: t('articles.category'), cell: ({ category }) => t(`article.category.${category}`) },
    state('en', 'English'),
    state('zh-CN', '简体中文'),
    state('zh-TW', '繁體中文'),
    { key: 'updated', title: t('editor.updated'), cell: ({ updated_at }) => utcTime(updated_at) },
  ];
}
