/** Base of the sections of the on-call page: sends an action, shows its outcome, and loads the page anew. */
import { html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { ApiError } from '../api.ts';
import { SiteElement } from '../element.ts';
import { inlineFailure } from '../states.ts';

export class OpsSection extends SiteElement {
  @state() isBusy = false;
  @state() error: ApiError | null = null;
  @state() said = '';

  /** Does something and says what was done, or why not. */
  protected async act<T>(work: () => Promise<T>, done: (result: T) => string): Promise<void> {
    this.isBusy = true;
    this.error = null;
    this.said = '';
    try {
      this.said = done(await work());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.error = error;
    } finally {
      this.isBusy = false;
    }
    this.dispatchEvent(new CustomEvent('changed', { bubbles: true }));
  }

  protected outcome() {
    return html`${inlineFailure(this.error)}<p class=${this.said === '' ? 'visually-hidden' : 'notice'} role="status">${this.said || nothing}</p>`;
  }
}
