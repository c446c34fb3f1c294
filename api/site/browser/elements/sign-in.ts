/** The sign-in dialog, which opens over the current page, so that nothing typed there is lost. */
import '../common.ts';
import { customElement, property, state } from 'lit/decorators.js';
import { ApiError, dataOf, send } from '../api.ts';
import { fieldsOf, find, html, nothing, SiteElement } from '../dom.ts';
import { begin } from '../session.ts';
import { t } from '../text.ts';
import type { LoginCodeSent, TokenPair, Verified } from '../types.ts';
import './copy-button.ts';

type Step = 'email' | 'code' | 'profile' | 'key' | 'password';

@customElement('sign-in-dialog')
export class SignInDialog extends SiteElement {
  @property() reason: 'again' | 'needed' = 'needed';
  @state() step: Step = location.pathname.startsWith('/admin') ? 'password' : 'email';
  @state() email = '';
  @state() error: ApiError | null = null;
  @state() isBusy = false;
  /** The values typed in earlier steps, and the key of a new account. */
  private code = '';
  /** Identifies the request that the code belongs to. */
  private challenge = '';
  private key = '';
  private isSignedIn = false;
  readonly done = Promise.withResolvers<boolean>();

  protected override firstUpdated(): void {
    const dialog = find(this, 'dialog', HTMLDialogElement);
    dialog.showModal();
    dialog.addEventListener('close', () => {
      this.remove();
      this.done.resolve(this.isSignedIn);
    });
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has('step')) this.querySelector<HTMLElement>('input, [autofocus]')?.focus();
  }

  private close(): void {
    this.querySelector('dialog')?.close();
  }

  /** Sends a form, and shows the error in it. */
  private async attempt(work: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    this.error = null;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.key === 'error.profile_required') this.step = 'profile';
      else this.error = error;
    } finally {
      this.isBusy = false;
    }
  }

  private readonly submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = Object.fromEntries([...fieldsOf(event)].map(([name, value]) => [name, String(value)]));
    if (this.step === 'email') return this.attempt(() => this.requestCode(given.email));
    if (this.step === 'password') return this.attempt(() => this.verify('/api/auth/admin-login', given));
    if (this.step === 'code') this.code = given.code.trim();
    const { email, code, challenge } = this;
    const profile: Record<string, string> = this.step === 'profile' ? { name: given.name, phone: given.phone } : {};
    return this.attempt(() => this.verify('/api/auth/verify', { email, code, challenge, ...profile }));
  };

  private async requestCode(email: string): Promise<void> {
    const sent = await send('POST', '/api/auth/request-code', { body: { email } });
    this.challenge = (await dataOf<LoginCodeSent>(sent)).challenge;
    this.email = email.trim().toLowerCase();
    this.step = 'code';
  }

  private async verify(address: string, body: Record<string, string>): Promise<void> {
    const result = await dataOf<TokenPair & Partial<Verified>>(await send('POST', address, { body }));
    begin(result);
    this.isSignedIn = true;
    this.key = result.api_key ?? '';
    if (this.key === '') this.close();
    else this.step = 'key';
  }

  override render() {
    const isAgain = this.reason === 'again' && this.step !== 'key';
    const title = this.step === 'key' ? t('sign_in.key_title') : t('sign_in.title');
    return html`<dialog aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">${isAgain ? t('sign_in.again') : title}</h2>
      ${isAgain ? html`<p>${t('sign_in.again.text')}</p>` : nothing}
      <form @submit=${this.submit}>
        ${this.fields()}
        ${this.error ? html`<p class="notice warning" role="alert">${this.error.message || t('state.offline')}</p>` : nothing}
        ${this.buttons()}
      </form>
    </dialog>`;
  }

  private fields() {
    switch (this.step) {
      case 'email':
        return field('email', t('sign_in.email'), { type: 'email', autocomplete: 'email', value: this.email });
      case 'code':
        return html`<p role="status">${t('sign_in.sent', { email: this.email })}</p>
          ${localHint(this.email)}
          ${field('code', t('sign_in.code'), { inputmode: 'numeric', autocomplete: 'one-time-code', pattern: '\\s*[0-9]{6}\\s*' })}`;
      case 'profile':
        return html`<p role="status">${t('sign_in.new')}</p>
          ${field('name', t('sign_in.name'), { autocomplete: 'name' })}
          ${field('phone', t('sign_in.phone'), { type: 'tel', autocomplete: 'tel' })}`;
      case 'key':
        return html`<p role="status">${t('sign_in.key')}</p>
          <p><code class="secret">${this.key}</code></p>`;
      case 'password':
        return html`${field('login', t('sign_in.login'), { autocomplete: 'username' })}
          ${field('password', t('sign_in.password'), { type: 'password', autocomplete: 'current-password' })}`;
    }
  }

  private buttons() {
    if (this.step === 'key') {
      return html`<div class="row"><copy-button .text=${this.key} .isMain=${true}></copy-button>
        <button type="button" autofocus @click=${() => this.close()}>${t('word.have_saved')}</button></div>`;
    }
    const labels = {
      email: t('sign_in.send'),
      code: t('sign_in.title'),
      profile: t('sign_in.create'),
      password: t('sign_in.title'),
    };
    const goTo = (step: Step) => () => {
      this.error = null;
      this.step = step;
    };
    return html`<div class="row">
        <button class="primary" ?disabled=${this.isBusy}>${labels[this.step]}</button>
        <button type="button" @click=${() => this.close()}>${t('word.cancel')}</button>
      </div>
      ${this.step === 'code' ? html`<p><button type="button" class="quiet" @click=${goTo('email')}>${t('sign_in.other')}</button></p>` : nothing}
      ${this.step === 'email' ? html`<p><button type="button" class="quiet" @click=${goTo('password')}>${t('sign_in.as_admin')}</button></p>` : nothing}
      ${this.step === 'password' ? html`<p><button type="button" class="quiet" @click=${goTo('email')}>${t('sign_in.by_code')}</button></p>` : nothing}`;
  }
}

interface InputTraits {
  readonly type?: string;
  readonly autocomplete: string;
  readonly inputmode?: string;
  readonly pattern?: string;
  readonly value?: string;
}

function field(name: string, label: string, { type = 'text', autocomplete, inputmode, pattern, value }: InputTraits) {
  return html`<label class="field">
    <span>${label}</span>
    <input
      name=${name}
      type=${type}
      autocomplete=${autocomplete}
      inputmode=${inputmode ?? nothing}
      pattern=${pattern ?? nothing}
      .defaultValue=${value ?? ''}
      required
    />
  </label>`;
}

/** How to see the code, if this installation sends no mails. */
function localHint(email: string) {
  if (document.documentElement.dataset.mail !== 'local') return nothing;
  const [before, after] = t('sign_in.local', { command: '\0' }).split('\0');
  return html`<p class="muted small">${before}<code>npm run -s ops -- login-code ${email}</code>${after}</p>`;
}

let open: SignInDialog | null = null;

/** Opens the dialog, or waits for the one that is open; resolves with whether somebody has signed in. */
export async function openSignIn(reason: 'again' | 'needed'): Promise<boolean> {
  if (open === null) {
    open = new SignInDialog();
    open.reason = reason;
    document.body.append(open);
    open.done.promise.finally(() => {
      open = null;
    });
  }
  return open.done.promise;
}
