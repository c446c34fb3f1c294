/** An action of a section of the on-call page: sent, answered with a message or an error, and followed by a reload of the page. */
import { html, nothing } from 'lit';
import { ApiError, path } from '../api.ts';
import type { SiteElement } from '../dom.ts';
import { post } from '../session.ts';
import { inlineFailure } from '../states.ts';
import { textOr } from '../text.ts';
import { t } from '../tool-text.ts';

export class Action {
  isBusy = false;
  error: ApiError | null = null;
  private message = '';
  private readonly section: SiteElement;

  constructor(section: SiteElement) {
    this.section = section;
  }

  /** Does the work, and shows its result or its error. */
  async run<T>(work: () => Promise<T>, done: (result: T) => string): Promise<void> {
    this.clear();
    this.isBusy = true;
    try {
      this.message = done(await work());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.error = error;
    } finally {
      this.isBusy = false;
      this.section.requestUpdate();
    }
    this.section.dispatchEvent(new CustomEvent('changed', { bubbles: true }));
  }

  /** Removes the message of the last action. */
  clear(): void {
    this.error = null;
    this.message = '';
    this.section.requestUpdate();
  }

  feedback() {
    return html`${inlineFailure(this.error)}<p class=${this.message === '' ? 'visually-hidden' : 'notice'} role="status">${this.message || nothing}</p>`;
  }
}

/** The steps of the runbook, from the address of their section: `ops/docs/RUNBOOK.md#loads`. */
export function advice(runbook: string): string {
  const section = runbook.slice(runbook.indexOf('#') + 1);
  return textOr(`ops.advice.${section}`, t('ops.advice.other', { section: runbook }));
}

/** Releases a held session to the screener. */
export function releaseSession(date: string): Promise<unknown> {
  return post(path('/api/admin/data/calendar/{date}/release', { date }), {});
}
