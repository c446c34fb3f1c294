/** Changes of all jobs that a list shows: previewed, then made some at a time, with a bar. */
import { customElement, property, state } from 'lit/decorators.js';
import { html, nothing, SiteElement } from '../dom.ts';
import { post } from '../session.ts';
import { number } from '../text.ts';
import { t } from '../tool-text.ts';
import type { JobsUpdate } from '../types.ts';
import { Action } from './action.ts';

type JobAction = JobsUpdate['action'];

const ACTIONS: readonly JobAction[] = ['retry', 'cancel', 'move_first', 'move_last'];
const ADDRESS = '/api/admin/jobs/update';
/** Ids that a preview lists. */
const LISTED = 10;

@customElement('ops-job-actions')
export class JobActions extends SiteElement {
  /** The filter of the list. */
  @property({ attribute: false }) filter!: Readonly<Record<string, string>>;
  @state() preview: JobsUpdate | null = null;
  /** Jobs that have been changed or skipped; null: nothing is under way. */
  @state() passed: number | null = null;
  private readonly action = new Action(this);

  private get body(): Record<string, string> {
    return Object.fromEntries(Object.entries(this.filter).filter(([, value]) => value !== ''));
  }

  override render() {
    return html`<div class="row">${ACTIONS.map(
      (action) =>
        html`<button class="quiet" ?disabled=${this.action.isBusy} @click=${() => this.show(action)}>${t(`ops.jobs.${action}`)}</button>`,
    )}</div>
      ${this.preview === null ? nothing : this.previewed(this.preview)} ${this.action.feedback()}`;
  }

  private async show(action: JobAction): Promise<void> {
    this.preview = null;
    await this.action.make(async () => {
      this.preview = await post<JobsUpdate>(ADDRESS, { ...this.body, action, dry_run: true });
    });
  }

  private previewed({ action, total, job_ids: ids, to }: JobsUpdate) {
    const more = total - Math.min(LISTED, ids.length);
    return html`<section class="notice preview" aria-label=${t(`ops.jobs.${action}`)}>
      <p><b>${t(`ops.jobs.${action}`)}:</b> ${t('ops.jobs.preview', { count: total })}</p>
      <ul class="mono small">${ids.slice(0, LISTED).map((id) => html`<li>${id}</li>`)}</ul>
      ${more > 0 ? html`<p class="muted">${t('ops.preview.more', { count: number(more) })}</p>` : nothing}
      ${this.passed === null ? nothing : html`<progress max=${total} .value=${this.passed} aria-label=${t(`ops.jobs.${action}`)}></progress>`}
      <div class="row">
        <button class="primary" ?disabled=${this.action.isBusy || total === 0} @click=${() => this.make(action, to, total)}>${t('ops.jobs.confirm', { count: total })}</button>
        <button ?disabled=${this.action.isBusy} @click=${this.close}>${t('word.cancel')}</button>
      </div>
    </section>`;
  }

  private async make(action: JobAction, to: string, total: number): Promise<void> {
    let done = 0;
    this.passed = 0;
    await this.action.run(
      () => t('ops.jobs.done', { count: done, skipped: number(total - done) }),
      async () => {
        for (let after: string | null | undefined; after !== null; ) {
          const batch: JobsUpdate = await post(ADDRESS, { ...this.body, action, to, after });
          done += batch.done;
          this.passed = (this.passed ?? 0) + batch.done + batch.skipped;
          after = batch.next;
        }
      },
    );
    this.close();
  }

  private readonly close = () => {
    this.preview = null;
    this.passed = null;
  };
}
