/** An article in three languages side by side: its texts, their previews, and what is missing to publish them. */

import { customElement, property, state } from 'lit/decorators.js';
import { path } from '../api.ts';
import { base64Of } from '../base64.ts';
import { ownCover } from '../cover.ts';
import { find, html, nothing, SiteElement } from '../dom.ts';
import { pageHead } from '../head.ts';
import { Attempt } from '../load.ts';
import { get, post, put, remove } from '../session.ts';
import { LOADING, type Loaded, settle, whenLoaded } from '../states.ts';
import { listed } from '../text.ts';
import { t } from '../tool-text.ts';
import { type ArticleGroup, type ArticlePreview, CATEGORIES } from '../types.ts';
import { ask } from './ask.ts';

const ARTICLE = '/api/admin/articles/{slug}';
const LANGUAGES = [
  ['en', 'English'],
  ['zh-CN', '简体中文'],
  ['zh-TW', '繁體中文'],
] as const;
const EXAMPLE_COVER = 'https://example.com/cover.webp';
type Language = (typeof LANGUAGES)[number][0];
type Verb = 'publish' | 'unpublish';

@customElement('article-editor')
export class ArticleEditor extends SiteElement {
  @property() slug!: string;
  @state() article: Loaded<ArticleGroup> = LOADING;
  /** HTML of the texts in the form. */
  @state() previews: Readonly<Partial<Record<Language, string>>> = {};
  private readonly saving = new Attempt(this);
  private readonly other = new Attempt(this);
  /** The form as it was loaded or saved last; null: there is nothing to lose. */
  private savedForm: string | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('beforeunload', this.warn);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('beforeunload', this.warn);
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('slug')) this.load();
  }

  /** Lets the browser ask before unsaved text is lost. */
  private readonly warn = (event: BeforeUnloadEvent): void => {
    if (this.savedForm !== null && this.savedForm !== serialized(this.typed())) event.preventDefault();
  };

  private get address(): string {
    return path(ARTICLE, { slug: this.slug });
  }

  private readonly load = async (): Promise<void> => {
    this.article = await settle(get<ArticleGroup>(this.address));
    await this.updateComplete;
    this.savedForm = this.article.state === 'loaded' ? serialized(this.typed()) : null;
  };

  private typed(): FormData {
    return new FormData(find(this, 'form', HTMLFormElement));
  }

  /** Changes the article; the typed text stays if the change is refused. */
  private async attempt(work: () => Promise<ArticleGroup>): Promise<void> {
    this.other.clear();
    await this.saving.make(async () => {
      this.article = { state: 'loaded', value: await work() };
    });
  }

  private async save(): Promise<ArticleGroup> {
    const given = this.typed();
    const textsIn = (language: Language) =>
      ['title', 'summary', 'body_md'].map((name) => [name, String(given.get(`${language}.${name}`)) || null]);
    const contents = LANGUAGES.map(([language]) => [language, Object.fromEntries(textsIn(language))]);
    const head = {
      category: String(given.get('category')),
      tags: tagsIn(String(given.get('tags'))),
      cover_url: String(given.get('cover_url')).trim() || null,
    };
    const saved = await put<ArticleGroup>(this.address, { ...head, contents: Object.fromEntries(contents) });
    this.savedForm = serialized(given);
    return saved;
  }

  /** Changes the cover at once; typed text stays as it is. */
  private readonly changeCover = async (work: () => Promise<ArticleGroup>) => {
    const isUnchanged = this.savedForm === serialized(this.typed());
    await this.attempt(work);
    await this.updateComplete;
    if (isUnchanged) this.savedForm = serialized(this.typed());
  };

  private readonly upload = async ({ target }: Event) => {
    const file = target instanceof HTMLInputElement ? target.files?.[0] : undefined;
    if (!file || !(target instanceof HTMLInputElement)) return;
    await this.changeCover(async () => put<ArticleGroup>(`${this.address}/cover`, { image: await base64Of(file) }));
    target.value = '';
  };

  private readonly removeCover = () => this.changeCover(() => remove<ArticleGroup>(`${this.address}/cover`));

  private readonly submit = (event: SubmitEvent) => {
    event.preventDefault();
    return this.attempt(() => this.save());
  };

  /** Saves the text first, so that readers get what the editor sees. */
  private readonly change = async (verb: Verb, language: Language, name: string) => {
    const action = t('editor.unpublish');
    const text = t('editor.unpublish.text', { language: name });
    if (verb === 'unpublish' && !(await ask({ title: action, text, action }))) return;
    await this.attempt(async () => {
      await this.save();
      return post<ArticleGroup>(`${this.address}/${verb}`, { locales: [language] });
    });
  };

  private readonly preview = async (language: Language) => {
    const source = { body_md: String(this.typed().get(`${language}.body_md`)) };
    await this.other.make(async () => {
      const { body_html } = await post<ArticlePreview>('/api/articles/preview', source);
      this.previews = { ...this.previews, [language]: body_html };
    });
  };

  private readonly delete = async () => {
    const text = t('editor.delete.text', { slug: this.slug });
    if (!(await ask({ title: t('editor.delete'), text, action: t('word.delete') }))) return;
    if (!(await this.other.make(() => remove(this.address)))) return;
    this.savedForm = null;
    location.assign('/admin/articles');
  };

  override render() {
    return whenLoaded(this.article, this.load, (article) => this.editor(article));
  }

  private editor(article: ArticleGroup) {
    return html`${pageHead(article.slug)}
      <form @submit=${this.submit}>
        ${head(article)} ${this.cover(article)}
        <div class="languages">${LANGUAGES.map((language) => this.language(article, language))}</div>
        ${this.saving.failure()} ${this.other.failure()}
        <p class="row">
          <button class="primary" ?disabled=${this.saving.isBusy}>${t('word.save')}</button>
          <button type="button" class="danger" @click=${this.delete}>${t('editor.delete')}</button>
          <span role="status" class="muted">${this.saving.isDone ? t('word.saved') : nothing}</span>
        </p>
      </form>`;
  }

  private cover({ cover_url }: ArticleGroup) {
    const address = ownCover(cover_url);
    return html`<div class="cover-field">
      <label class="field"><span>${t('editor.cover.file')}</span>
        <input type="file" accept="image/png,image/jpeg" ?disabled=${this.saving.isBusy} @change=${this.upload} /></label>
      ${
        address === null
          ? nothing
          : html`<img class="cover" src=${address} alt="" />
            <p><button type="button" ?disabled=${this.saving.isBusy} @click=${this.removeCover}>${t('editor.cover.remove')}</button></p>`
      }
    </div>`;
  }

  private language({ slug, contents }: ArticleGroup, [language, name]: (typeof LANGUAGES)[number]) {
    const text = contents[language];
    const isPublished = text.status === 'published';
    const missing = [text.title ? '' : t('editor.title'), text.body_md ? '' : t('editor.body')].filter(Boolean);
    const verb = isPublished ? 'unpublish' : 'publish';
    return html`<fieldset class="field">
      <legend lang=${language}>${name}</legend>
      <p class="small">
        ${t(`editor.status.${text.status}`)}${isPublished ? html` · <a href=${`/articles/${slug}?lang=${language}`}>${t('editor.read')}</a>` : nothing}
        ${missing.length > 0 ? html`<br /><span class="muted">${t('editor.missing', { fields: listed(missing) })}</span>` : nothing}
      </p>
      <label class="field"><span>${t('editor.title')}</span><input name="${language}.title" lang=${language} maxlength="200" .defaultValue=${text.title ?? ''} autocomplete="off" /></label>
      <label class="field"><span>${t('editor.summary')}</span><textarea name="${language}.summary" lang=${language} rows="2" maxlength="1000" .defaultValue=${text.summary ?? ''}></textarea></label>
      <label class="field"><span>${t('editor.body')}</span><textarea name="${language}.body_md" lang=${language} rows="14" class="mono" .defaultValue=${text.body_md ?? ''}></textarea></label>
      <p class="row">
        <button type="button" @click=${() => this.preview(language)}>${t('editor.preview')}</button>
        <button type="button" ?disabled=${this.saving.isBusy} @click=${() => this.change(verb, language, name)}>${t(`editor.${verb}`)}</button>
      </p>
      ${this.previews[language] === undefined ? nothing : html`<div class="prose preview" lang=${language} tabindex="0" role="region" aria-label=${`${t('editor.preview')} ${name}`} .innerHTML=${this.previews[language]}></div>`}
    </fieldset>`;
  }
}

const serialized = (form: FormData) => JSON.stringify([...form]);

/** The fields that all languages share. */
function head({ category, tags, cover_url: cover }: ArticleGroup) {
  return html`<div class="fields">
    <label class="field"><span>${t('articles.category')}</span>
      <select name="category">
        ${CATEGORIES.map((one) => html`<option value=${one} ?selected=${one === category}>${t(`article.category.${one}`)}</option>`)}
      </select></label>
    <label class="field wide"><span>${t('editor.tags')}</span><input name="tags" maxlength="400" .defaultValue=${tags.join(', ')} autocomplete="off" /></label>
    <label class="field wide"><span>${t('editor.cover')}</span><input name="cover_url" type="url" maxlength="2000" placeholder=${EXAMPLE_COVER} .defaultValue=${cover ?? ''} autocomplete="off" /></label>
  </div>`;
}

/** Tags between commas, each once. */
function tagsIn(text: string): string[] {
  return [...new Set(text.split(/[,，]/).map((tag) => tag.trim()))].filter((tag) => tag !== '');
}
