/** An account: its plan, keys, usage, webhooks, and profile. Asks guests to sign in. */
import '../shell.ts';
import '../tool.ts';
import { pageHead } from '../head.ts';
import type { AccountPlan, User } from '../types.ts';
import '../elements/account-keys.ts';
import '../elements/account-plan.ts';
import '../elements/account-profile.ts';
import '../elements/account-usage.ts';
import '../elements/account-webhooks.ts';
import { customElement, state } from 'lit/decorators.js';
import { html, SiteElement } from '../dom.ts';
import { ask } from '../elements/ask.ts';
import { Attempt } from '../load.ts';
import { get, leave, onSessionChange, remove, signedInAs, signIn, signOut } from '../session.ts';
import { LOADING, type Loaded, settle, whenLoaded } from '../states.ts';
import { t } from '../tool-text.ts';

interface Account {
  readonly user: User;
  readonly plan: AccountPlan;
}

const section = (id: string, title: string, content: unknown) =>
  html`<section aria-labelledby=${id}><h2 id=${id}>${title}</h2>${content}</section>`;

@customElement('account-page')
export class AccountPage extends SiteElement {
  @state() account: Loaded<Account> = LOADING;
  private readonly signingOut = new Attempt(this);
  private readonly deletion = new Attempt(this);
  @state() isSignedIn = signedInAs() !== null;
  @state() isDeleted = false;
  private stop = () => {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.stop = onSessionChange(() => {
      const was = this.isSignedIn;
      this.isSignedIn = signedInAs() !== null;
      if (!was && this.isSignedIn) this.load();
    });
    if (this.isSignedIn) this.load();
    else signIn();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  private readonly load = async (): Promise<void> => {
    const work = Promise.all([get<User>('/api/auth/me'), get<AccountPlan>('/api/account/plan')]);
    this.account = await settle(work.then(([user, plan]) => ({ user, plan })));
  };

  /** The plan counts the keys, so a change of keys changes it. */
  private readonly refreshPlan = async (): Promise<void> => {
    const plan = await settle(get<AccountPlan>('/api/account/plan'));
    if (this.account.state !== 'loaded' || plan.state !== 'loaded') return;
    this.account = { state: 'loaded', value: { user: this.account.value.user, plan: plan.value } };
  };

  private readonly delete = async ({ email }: User) => {
    const isWanted = await ask({
      title: t('account.delete'),
      text: t('account.delete.text'),
      action: t('account.delete.action'),
      typed: { label: t('account.delete.type', { email }), text: email },
    });
    if (!isWanted) return;
    if (!(await this.deletion.make(() => remove('/api/auth/me', { email })))) return;
    this.isDeleted = true;
    leave();
    // The cookies of the session go too.
    await settle(signOut());
  };

  override render() {
    if (!this.isSignedIn) return this.guest();
    return html`${pageHead(t('nav.account'))}${whenLoaded(this.account, this.load, (account) => this.content(account))}`;
  }

  private guest() {
    return html`${pageHead(t('nav.account'))}
      <section class="state">
        ${this.isDeleted ? html`<p class="notice" role="status">${t('account.deleted')}</p>` : ''}
        <p>${t('account.guest')}</p>
        <p>${t('state.sign_in.text')}</p>
        <div class="row"><button class="primary" @click=${() => signIn()}>${t('sign_in.title')}</button></div>
      </section>`;
  }

  private content({ user, plan }: Account) {
    return html`<div class="row spread">
        <p class="muted">${user.email}</p>
        <p><button @click=${() => this.signingOut.make(signOut)}>${t('account.sign_out')}</button></p>
      </div>
      ${this.signingOut.failure()}
      ${section('plan', t('account.plan'), html`<account-plan .plan=${plan}></account-plan>`)}
      ${section(
        'keys',
        t('account.keys'),
        html`<p class="muted">${t('account.keys.text')}</p>
          <account-keys .maxKeys=${plan.quotas.api_keys_max} @change=${this.refreshPlan}></account-keys>`,
      )}
      ${section('usage', t('account.usage'), html`<account-usage></account-usage>`)}
      ${section(
        'webhooks',
        t('account.webhooks'),
        html`<p class="muted">${t('account.webhooks.text')}</p><account-webhooks></account-webhooks>`,
      )}
      ${section('profile', t('account.profile'), html`<account-profile .user=${user}></account-profile>`)}
      ${section(
        'delete',
        t('account.delete'),
        html`<p class="muted">${t('account.delete.text')}</p>
          ${this.deletion.failure()}
          <p><button class="danger" @click=${() => this.delete(user)}>${t('account.delete.action')}</button></p>`,
      )}`;
  }
}
