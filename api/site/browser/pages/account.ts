/** An account: its plan, keys, usage, webhooks, profile, and data. Asks guests to sign in. */
import '../shell.ts';
import '../tool.ts';
import { pageHead } from '../head.ts';
import type { AccountPlan, Usage, User } from '../types.ts';
import '../elements/account-data.ts';
import '../elements/account-grants.ts';
import '../elements/account-keys.ts';
import '../elements/account-plan.ts';
import '../elements/account-webhooks.ts';
import { customElement, property, state } from 'lit/decorators.js';
import { fieldsOf, html, nothing, SiteElement } from '../dom.ts';
import { ask } from '../elements/ask.ts';
import { type Column, codeColumn, numberColumn } from '../elements/data-table.ts';
import { ByDays } from '../elements/day-bars.ts';
import { Attempt } from '../load.ts';
import { locale } from '../page-locale.ts';
import { get, leave, onSessionChange, patch, remove, signedInAs, signIn, signOut } from '../session.ts';
import { LOADING, type Loaded, settle, whenLoaded } from '../states.ts';
import { t } from '../tool-text.ts';
import '../elements/day-bars.ts';

type EndpointCalls = Usage['by_endpoint'][number];

@customElement('account-usage')
export class AccountUsage extends SiteElement {
  private readonly usage = new ByDays<Usage>(this, '/api/account/usage', ['30', '7', '90']);

  override render() {
    return this.usage.render(content);
  }
}

function content({ total, by_day, by_endpoint }: Usage) {
  if (total === 0) {
    return html`<p class="muted">${t('usage.none')}</p>
      <pre tabindex="0" aria-label=${t('usage.example')}><code>curl -H "X-API-Key: $KEY" ${location.origin}/v1/symbols?q=etf</code></pre>`;
  }
  const days = by_day.map(({ date, calls: value }) => ({ date, value }));
  return html`<p>${t('usage.total', { total })}</p>
    <day-bars .days=${days} .label=${t('usage.calls')}></day-bars>
    <h3>${t('usage.by_endpoint')}</h3>
    <data-table .columns=${columns()} .rows=${by_endpoint} .caption=${t('usage.by_endpoint')}></data-table>`;
}

function columns(): Column<EndpointCalls>[] {
  return [
    codeColumn('endpoint', t('usage.endpoint'), ({ endpoint }) => endpoint),
    numberColumn('calls', t('usage.calls'), ({ calls }) => calls),
  ];
}

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
    const named = { name, nickname: nickname.trim() || null, language, phone: phone.trim() || undefined };
    const body = { ...named, revision_mail: given.has('revision_mail') };
    const isKept = await this.saving.make(async () => {
      this.user = await patch<User>('/api/auth/me', body);
    });
    if (isKept && language !== locale) location.search = `?lang=${language}`;
  };

  override render() {
    const { name, nickname, phone, language, revision_mail } = this.user;
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
      <label class="field check"><input type="checkbox" name="revision_mail" ?checked=${revision_mail} /> ${t('profile.revision_mail')}</label>
      ${this.saving.failure()}
      <p class="row">
        <button ?disabled=${this.saving.isBusy}>${t('word.save')}</button>
        <span role="status" class="muted">${this.saving.isDone ? t('word.saved') : nothing}</span>
      </p>
    </form>`;
  }
}

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
      ${section(
        'grants',
        t('grants.title'),
        html`<p class="muted">${t('grants.text')}</p><account-grants></account-grants>`,
      )}
      ${section('usage', t('account.usage'), html`<account-usage></account-usage>`)}
      ${section(
        'webhooks',
        t('account.webhooks'),
        html`<p class="muted">${t('account.webhooks.text')}</p><account-webhooks></account-webhooks>`,
      )}
      ${section('profile', t('account.profile'), html`<account-profile .user=${user}></account-profile>`)}
      ${section(
        'data',
        t('data_export.title'),
        html`<p class="muted">${t('data_export.text')}</p><account-data></account-data>`,
      )}
      ${section(
        'delete',
        t('account.delete'),
        html`<p class="muted">${t('account.delete.text')}</p>
          ${this.deletion.failure()}
          <p><button class="danger" @click=${() => this.delete(user)}>${t('account.delete.action')}</button></p>`,
      )}`;
  }
}
