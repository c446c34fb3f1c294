/** The owner of an account, and the language of mails to them. */

import { customElement, property } from 'lit/decorators.js';
import { fieldsOf, html, nothing, SiteElement } from '../dom.ts';
import { Attempt } from '../load.ts';
import { locale } from '../page-locale.ts';
import { patch } from '../session.ts';
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
  private readonly saving = new Attempt(this);

  private readonly save = async (event: SubmitEvent) => {
    event.preventDefault();
    const given = fieldsOf(event);
    const [name, nickname, phone, language] = ['name', 'nickname', 'phone', 'language'].map((field) =>
      String(given.get(field)),
    );
    const body = { name, nickname: nickname.trim() || null, language, phone: phone.trim() || undefined };
    const isKept = await this.saving.make(async () => {
      this.user = await patch<User>('/api/auth/me', body);
    });
    if (isKept && language !== locale) location.search = `?lang=${language}`;
  };

  override render() {
    const { name, nickname, phone, language } = this.user;
    return html`<form @submit=${this.save} @input=${() => this.saving.clear()}>
      <div class="fields">
        <label class="field"><span>${t('sign_in.name')}</span><input name="name" autocomplete="name" required maxlength="100" .defaultValue=${name} /></label>
        <label class="field"><span>${t('profile.nickname')}</span><input name="nickname" autocomplete="nickname" maxlength="50" .defaultValue=${nickname ?? ''} /></label>
        <label class="field"><span>${t('sign_in.phone')}</span><input name="phone" type="tel" autocomplete="tel" .defaultValue=${phone ?? ''} /></label>
        <label class="field"><span>${t('shell.language')}</span>
          <select name="language">
            ${LANGUAGES.map(([code, text]) => html`<option value=${code} lang=${code} ?selected=${code === language}>${text}</option>`)}
          </select></label>
      </div>
      ${this.saving.failure()}
      <p class="row">
        <button ?disabled=${this.saving.isBusy}>${t('word.save')}</button>
        <span role="status" class="muted">${this.saving.isDone ? t('word.saved') : nothing}</span>
      </p>
    </form>`;
  }
}
