/** The owner of an account, and the language of mails to them. */

import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { fieldsOf, SiteElement } from '../dom.ts';
import { locale } from '../page-locale.ts';
import { patch } from '../session.ts';
import { inlineFailure, settle } from '../states.ts';
import { t } from '../tool-text.ts';
import type { User } from '../types.ts';

const LANGUAGES = [
  ['en', 'English'],
  ['zh-CN', '简体中文'],
  ['zh-TW', '繁體中文'],
] as const;

@customElement('account-profile')
export class AccountProfile extends SiteElement {
  @property({ attribute: false }) user!: User;
  @state() error: unknown = null;
  @state() isBusy = false;
  @state() isSaved = false;

  private readonly save = async (event: SubmitEvent) => {
    event.preventDefault();
    const given = fieldsOf(event);
    const [name, nickname, phone, language] = ['name', 'nickname', 'phone', 'language'].map((field) =>
      String(given.get(field)),
    );
    this.isBusy = true;
    this.isSaved = false;
    const body = { name, nickname: nickname.trim() || null, language, phone: phone.trim() || undefined };
    const result = await settle(patch<User>('/api/auth/me', body));
    this.isBusy = false;
    this.error = result.state === 'failed' ? result.error : null;
    if (result.state !== 'loaded') return;
    this.isSaved = true;
    this.user = result.value;
    if (language !== locale) location.search = `?lang=${language}`;
  };

  override render() {
    const { name, nickname, phone, language } = this.user;
    return html`<form @submit=${this.save} @input=${this.onInput}>
      <div class="fields">
        <label class="field"><span>${t('sign_in.name')}</span><input name="name" autocomplete="name" required maxlength="100" .defaultValue=${name} /></label>
        <label class="field"><span>${t('profile.nickname')}</span><input name="nickname" autocomplete="nickname" maxlength="50" .defaultValue=${nickname ?? ''} /></label>
        <label class="field"><span>${t('sign_in.phone')}</span><input name="phone" type="tel" autocomplete="tel" .defaultValue=${phone ?? ''} /></label>
        <label class="field"><span>${t('shell.language')}</span>
          <select name="language">
            ${LANGUAGES.map(([code, text]) => html`<option value=${code} lang=${code} ?selected=${code === language}>${text}</option>`)}
          </select></label>
      </div>
      ${inlineFailure(this.error)}
      <p class="row">
        <button ?disabled=${this.isBusy}>${t('word.save')}</button>
        <span role="status" class="muted">${this.isSaved ? t('word.saved') : nothing}</span>
      </p>
    </form>`;
  }

  private readonly onInput = () => {
    this.isSaved = false;
  };
}
