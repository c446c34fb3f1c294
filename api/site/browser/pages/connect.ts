/** An assistant asks to act for the reader, who decides what it may do. */
import '../shell.ts';
import '../tool.ts';
import { customElement, state } from 'lit/decorators.js';
import { fromAddress } from '../address.ts';
import { path } from '../api.ts';
import { fieldsOf, html, nothing, SiteElement } from '../dom.ts';
import { pageHead } from '../head.ts';
import { Attempt } from '../load.ts';
import { get, onSessionChange, post, signedInAs, signIn } from '../session.ts';
import { LOADING, type Loaded, settle, whenLoaded } from '../states.ts';
import { t } from '../tool-text.ts';
import type { GrantRequest } from '../types.ts';

@customElement('connect-page')
export class ConnectPage extends SiteElement {
  @state() request: Loaded<GrantRequest> = LOADING;
  @state() isSignedIn = signedInAs() !== null;
  private readonly deciding = new Attempt(this);
  private readonly address = path('/api/account/grant-requests/{id}', { id: fromAddress('request') ?? '' });
  private stop = () => {};

  override connectedCallback(): void {
    super.connectedCallback();
    if (fromAddress('request') === null) return;
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
    this.request = await settle(get<GrantRequest>(this.address));
  };

  private readonly allow = (event: SubmitEvent) => {
    event.preventDefault();
    const given = fieldsOf(event);
    const body = { allowed: true, scopes: given.getAll('scopes'), trial_limit: Number(given.get('trials')) };
    return this.decide(body);
  };

  /** The browser returns to the assistant. */
  private readonly decide = (body: object) =>
    this.deciding.make(async () => {
      const { location: next } = await post<{ location: string }>(this.address, body);
      location.assign(next);
    });

  override render() {
    return html`${pageHead(t('page.connect'))}${this.content()}`;
  }

  private content() {
    if (fromAddress('request') === null) return html`<section class="state"><p>${t('connect.failed')}</p></section>`;
    if (this.isSignedIn) return whenLoaded(this.request, this.load, (request) => this.form(request));
    return html`<section class="state">
      <p>${t('connect.guest')}</p>
      <div class="row"><button class="primary" @click=${() => signIn()}>${t('sign_in.title')}</button></div>
    </section>`;
  }

  private form({ name, redirect_host, client_id, scopes, trial_limit }: GrantRequest) {
    const isDocument = client_id.startsWith('https://');
    return html`<form class="consent" @submit=${this.allow}>
      <p>${t('connect.text', { name, host: redirect_host })}</p>
      ${isDocument ? html`<p class="muted">${t('connect.client')} <code>${client_id}</code></p>` : nothing}
      <fieldset class="field">
        <legend>${t('keys.scopes')}</legend>
        ${scopes.map((scope) => html`<label class="field check"><input type="checkbox" name="scopes" value=${scope} checked /> ${t(`connect.scope.${scope}`)}</label>`)}
      </fieldset>
      <label class="field"><span>${t('connect.trials')}</span><input name="trials" type="number" required min="0" max="1000000" .defaultValue=${String(trial_limit)} /></label>
      <p class="muted">${t('connect.end')}</p>
      ${this.deciding.failure()}
      <p class="row">
        <button class="primary" ?disabled=${this.deciding.isBusy}>${t('connect.allow')}</button>
        <button type="button" ?disabled=${this.deciding.isBusy} @click=${() => this.decide({ allowed: false })}>${t('connect.decline')}</button>
      </p>
    </form>`;
  }
}
