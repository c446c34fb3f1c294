/** Failed jobs by cause, with advice; a retry is previewed first. */

import { customElement, property, state } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { post } from '../session.ts';
import { utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { BulkRetry, JobFailure } from '../types.ts';
import { Action, advice } from './action.ts';

/** Ids that a preview lists, below the number of all. */
const LISTED = 10;

@customElement('ops-failure-list')
export class FailureList extends SiteElement {
  @property({ attribute: false }) failures!: readonly JobFailure[];
  /** Errors that stand above. */
  @property({ attribute: false }) told: readonly (string | null)[] = [];
  /** The failed jobs to retry, and their cause. */
  @state() preview: { readonly cause: string; readonly result: BulkRetry } | null = null;
  private readonly action = new Action(this);

  /** Previews a retry. `cause`: the cause of failures, or the message of one. */
  async open(queue: string, cause: string): Promise<void> {
    const address = path('/api/admin/queues/{queue}/retry-failed', { queue });
    await this.action.run('', async () => {
      const result = await post<BulkRetry>(address, { dry_run: true, cause, failed_before: this.shownUntil(queue) });
      const group = this.failures.find(
        ({ queue: name, example_job_id: id }) => name === queue && result.job_ids.includes(id),
      );
      this.preview = { result, cause: group?.cause ?? cause };
    });
    await this.updateComplete;
    this.querySelector('.preview')?.scrollIntoView({ block: 'nearest' });
  }

  /** Just after the latest failure of a queue on the page: later ones have not been seen. Times of the API have microseconds. */
  private shownUntil(queue: string): string {
    const latest = this.failures.filter((one) => one.queue === queue).map(({ last_at: at }) => Date.parse(at));
    return new Date(Math.max(0, ...latest) + 1).toISOString();
  }

  private readonly tryAgain = async () => {
    if (this.preview === null) return;
    const { cause, result } = this.preview;
    const address = path('/api/admin/queues/{queue}/retry-failed', { queue: result.queue });
    const body = { failed_before: result.failed_before, cause };
    await this.action.run(
      ({ retried, skipped }: BulkRetry) => t('ops.retry.done', { retried, skipped }),
      () => post<BulkRetry>(address, body),
    );
    this.preview = null;
  };

  override render() {
    if (this.failures.length === 0)
      return html`<p class="muted">${t('ops.failures.none')}</p>${this.action.feedback()}`;
    return html`<ul class="plain ops-failures">${this.failures.map((failure) => this.item(failure))}</ul>
      ${this.action.feedback()}`;
  }

  private item({ queue, cause, last_error, count, first_at: first, last_at: last, runbook }: JobFailure) {
    const isOpen = this.preview?.result.queue === queue && this.preview.cause === cause;
    return html`<li>
      <div class="row spread">
        <div>
          <b>${queue}</b> ${this.told.includes(last_error) ? nothing : html`<span class="cause">${last_error}</span>`}
          <p class="muted small">${t('ops.failures.when', { count, first: utcTime(first), last: utcTime(last) })}</p>
        </div>
        <button
          ?disabled=${this.action.isBusy}
          aria-label=${t('ops.retry.of', { count, queue })}
          @click=${() => this.open(queue, cause)}
        >${t('ops.retry.count', { count })}</button>
      </div>
      ${isOpen ? this.previewed() : nothing}
      <details><summary>${t('ops.what_to_do')}</summary><p>${advice(runbook)}</p><p class="muted small"><code>${runbook}</code></p></details>
    </li>`;
  }

  private previewed() {
    const ids = this.preview?.result.job_ids ?? [];
    const more = ids.length - LISTED;
    return html`<div class="notice preview">
      <p>${t('ops.preview', { count: ids.length })}</p>
      <ul class="mono small">${ids.slice(0, LISTED).map((id) => html`<li>${id}</li>`)}</ul>
      ${more > 0 ? html`<p class="muted">${t('ops.preview.more', { count: more })}</p>` : nothing}
      <div class="row">
        <button class="primary" ?disabled=${this.action.isBusy || ids.length === 0} @click=${this.tryAgain}>${t('ops.retry.confirm', { count: ids.length })}</button>
        <button ?disabled=${this.action.isBusy} @click=${this.closePreview}>${t('word.cancel')}</button>
      </div>
    </div>`;
  }

  private readonly closePreview = () => {
    this.preview = null;
  };
}
