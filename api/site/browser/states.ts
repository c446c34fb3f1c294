/** How pages look while they wait, when they fail, and when a limit is reached. */
import type { TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { ApiError, JobFailure } from './api.ts';
import { html, SiteElement } from './dom.ts';
import { signIn } from './session.ts';
import { t } from './text.ts';
import './elements/limit-notice.ts';

/** A value that is being loaded, is loaded, or could not be. */
export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'loaded'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown };

export const LOADING = { state: 'loading' } as const;

/** Resolves with the value or the error of a call; rejects only if it was aborted. */
export async function settle<T>(work: Promise<T>): Promise<Loaded<T>> {
  try {
    return { state: 'loaded', value: await work };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    return { state: 'failed', error };
  }
}

export function loading(): TemplateResult {
  return html`<p class="state muted" role="status">${t('state.loading')}</p>`;
}

/** Shows what is wrong and what to do, with a button to retry. */
export function failure(error: unknown, retry: () => void): TemplateResult {
  if (error instanceof JobFailure) return jobFailed(error.message, retry);
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 429) return html`<limit-notice .error=${error} .retry=${retry}></limit-notice>`;
  if (error.isTransient) return html`<outage-notice .error=${error} .retry=${retry}></outage-notice>`;
  const isForAdmins = ADMIN_NEEDED.has(error.key) || location.pathname.startsWith('/admin');
  if (isForAdmins && [401, 403].includes(error.status)) return adminNeeded(retry);
  if (error.key === 'error.login_required') return accountNeeded(retry);
  if (error.key === 'error.plan_capability') return html`<limit-notice .error=${error} .retry=${retry}></limit-notice>`;
  return html`<section class="state" role="alert">
    <h2>${error.status === 404 ? t('state.not_found') : t('state.failed')}</h2>
    <p>${error.message}</p>
    <div class="row"><button @click=${retry}>${t('state.try_again')}</button>${requestId(error)}</div>
  </section>`;
}

function requestId({ requestId: id }: ApiError) {
  return id === null ? '' : html`<span class="muted small">${t('state.request_id', { id })}</span>`;
}

const ADMIN_NEEDED = new Set(['error.admin_required', 'error.admin_login_required']);

/** For what only administrators see. */
function adminNeeded(then: () => void): TemplateResult {
  const ask = async () => {
    if (await signIn()) then();
  };
  return html`<section class="state" role="alert">
    <h2>${t('state.admin')}</h2>
    <p>${t('state.admin.text')}</p>
    <div class="row"><button class="primary" @click=${ask}>${t('sign_in.as_admin')}</button><a href="/">${t('nav.home')}</a></div>
  </section>`;
}

/** The content once it is loaded; until then a line that says so, or the error. */
export function whenLoaded<T>(
  result: Loaded<T>,
  retry: () => void,
  content: (value: T) => unknown,
  failed: typeof failure = failure,
): unknown {
  if (result.state === 'loading') return loading();
  return result.state === 'failed' ? failed(result.error, retry) : content(result.value);
}

/** For what only an account can do. */
export function accountNeeded(then: () => void): TemplateResult {
  const ask = async () => {
    if (await signIn()) then();
  };
  return html`<section class="state">
    <h2>${t('state.sign_in')}</h2>
    <p>${t('state.sign_in.text')}</p>
    <div class="row"><button class="primary" @click=${ask}>${t('sign_in.title')}</button></div>
  </section>`;
}

/** Shown instead of figures while nothing is loaded. */
export function marketLoading(): TemplateResult {
  return html`<section class="state" role="status">
    <h2>${t('state.market_loading')}</h2>
    <p>${t('state.market_empty.text')}</p>
    <p><a href="/">${t('nav.home')}</a></p>
  </section>`;
}

/** A failed job: why, and what to do. */
function jobFailed(reason: string, retry: () => void): TemplateResult {
  return html`<section class="state" role="alert">
    <h2>${t('state.job_failed')}</h2>
    <p>${reason}</p>
    <p>${t('state.job_failed.text')}</p>
    <div class="row"><button @click=${retry}>${t('state.try_again')}</button></div>
  </section>`;
}

/** An error in one line beside a form. */
export function inlineFailure(error: unknown): TemplateResult | '' {
  if (error === null || error === undefined) return '';
  if (error instanceof JobFailure) return html`<p class="notice warning" role="alert">${error.message}</p>`;
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 429) return html`<limit-notice .error=${error} .retry=${() => {}} compact></limit-notice>`;
  const text = error.status === 0 ? t('state.offline') : error.message;
  return html`<p class="notice warning" role="alert">${text}</p>`;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
let pauseMs = FIRST_PAUSE_MS;

/** Says that the service is unavailable, and retries until it is back. */
@customElement('outage-notice')
export class OutageNotice extends SiteElement {
  @property({ attribute: false }) error!: ApiError;
  @property({ attribute: false }) retry!: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Each failed attempt sets another error, and schedules the next attempt: the element stays meanwhile. */
  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('error')) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.retry(), pauseMs);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.7);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  private readonly retryNow = () => {
    clearTimeout(this.timer);
    pauseMs = FIRST_PAUSE_MS;
    this.retry();
  };

  private texts(): { readonly title: string; readonly text: string } {
    const { status, key, message } = this.error;
    if (status === 0) return { title: t('state.offline'), text: t('state.offline.text') };
    // Too many published sessions are missing.
    if (key === 'error.upstream_unavailable') return { title: t('state.stale'), text: t('state.stale.text') };
    if (key === 'error.snapshot_unavailable') return { title: t('state.not_ready'), text: message };
    return { title: t('state.away'), text: t('state.away.text', { message }) };
  }

  override render() {
    const { title, text } = this.texts();
    return html`<section class="state" role="alert">
      <h2>${title}</h2>
      <p>${text}</p>
      <div class="row"><button @click=${this.retryNow}>${t('state.try_again')}</button></div>
    </section>`;
  }
}
