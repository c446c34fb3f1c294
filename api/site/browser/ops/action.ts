/** An action of a section of the on-call page: sent, reported with its outcome, and followed by a reload of the page. */
import { html, nothing } from 'lit';
import { ApiError } from '../api.ts';
import type { SiteElement } from '../element.ts';
import { inlineFailure } from '../states.ts';

export class Action {
  isBusy = false;
  error: ApiError | null = null;
  private said = '';
  private readonly section: SiteElement;

  constructor(section: SiteElement) {
    this.section = section;
  }

  /** Does something and says what was done, or why not. */
  async run<T>(work: () => Promise<T>, done: (result: T) => string): Promise<void> {
    this.forget();
    this.isBusy = true;
    try {
      this.said = done(await work());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.error = error;
    } finally {
      this.isBusy = false;
      this.section.requestUpdate();
    }
    this.section.dispatchEvent(new CustomEvent('changed', { bubbles: true }));
  }

  /** Takes back what the last action has said. */
  forget(): void {
    this.error = null;
    this.said = '';
    this.section.requestUpdate();
  }

  outcome() {
    return html`${inlineFailure(this.error)}<p class=${this.said === '' ? 'visually-hidden' : 'notice'} role="status">${this.said || nothing}</p>`;
  }
}
