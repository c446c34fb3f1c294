/** Says that the service is unavailable, and retries until it is back. */
import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { ApiError } from '../api.ts';
import { SiteElement } from '../dom.ts';
import { t } from '../text.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
let pauseMs = FIRST_PAUSE_MS;

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
