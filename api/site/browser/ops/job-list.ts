/** Jobs, newest first; a job opens as a timeline. */

import { customElement, property, state } from 'lit/decorators.js';
import { choiceFromAddress, toAddress } from '../address.ts';
import { fieldsOf, html, nothing, SiteElement, textIn } from '../dom.ts';
import { codeFilter, filterField } from '../elements/filtered-list.ts';
import { get } from '../session.ts';
import { LOADING, type Loaded, settle, whenLoaded } from '../states.ts';
import { utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Queue, QueueJob, QueueJobs } from '../types.ts';
import './job-timeline.ts';

const STATES = ['waiting', 'retry', 'active', 'completed', 'cancelled', 'failed'] as const;
const SIZE = 25;

@customElement('ops-job-list')
export class JobList extends SiteElement {
  @property({ attribute: false }) queues: readonly Queue['queue'][] = [];
  @state() jobs: Loaded<QueueJobs> = LOADING;
  @state() queue = '';
  @state() state: string = choiceFromAddress('state', ['', ...STATES]);
  @state() open = '';
  @state() page = 1;

  protected override firstUpdated(): void {
    this.queue = choiceFromAddress('queue', ['', ...this.queues]);
    void this.load();
  }

  /** Reloads the jobs and the open one. */
  readonly load = async (): Promise<void> => {
    const { queue, state, page } = this;
    const jobs = await settle(get<QueueJobs>('/api/admin/jobs', { query: { queue, state, page, size: SIZE } }));
    if (queue === this.queue && state === this.state && page === this.page) this.jobs = jobs;
    void this.querySelector('ops-job-timeline')?.detail.reload();
  };

  private readonly filter = (event: Event) => {
    const given = fieldsOf(event);
    this.queue = textIn(given, 'queue');
    this.state = textIn(given, 'state');
    this.page = 1;
    toAddress({ queue: this.queue, state: this.state }, false);
    void this.load();
  };

  private go(step: number): void {
    this.page += step;
    void this.load();
  }

  override render() {
    return html`<form class="row controls" @change=${this.filter}>
        ${filterField(
          codeFilter('queue', t('ops.queue'), this.queues, (queue) => queue),
          this.queue,
        )}
        ${filterField(
          codeFilter('state', t('ops.state'), STATES, (state) => t(`ops.state.${state}`)),
          this.state,
        )}
      </form>
      ${whenLoaded(this.jobs, this.load, (jobs) => this.list(jobs))}`;
  }

  private list({ items, total }: QueueJobs) {
    if (items.length === 0) return html`<p class="muted">${t('ops.jobs.none')}</p>`;
    return html`<ul class="plain ops-jobs">${items.map((job) => this.item(job))}</ul>
      ${total > SIZE ? this.pages(total) : nothing}`;
  }

  private item(job: QueueJob) {
    const { id, queue, state, created_at: at, error } = job;
    const isOpen = id === this.open;
    const toggle = () => {
      this.open = isOpen ? '' : id;
    };
    return html`<li>
      <button class="ops-job" aria-expanded=${isOpen} @click=${toggle}>
        <span class="mono small muted">${utcTime(at)}</span>
        <b>${queue}</b>
        <span class=${state === 'failed' ? 'loss-count' : ''}>${t(`ops.state.${state}`)}</span>
        <span class="muted error">${error}</span>
      </button>
      ${isOpen ? html`<ops-job-timeline .queue=${queue} .job=${id}></ops-job-timeline>` : nothing}
    </li>`;
  }

  private pages(total: number) {
    const last = Math.ceil(total / SIZE);
    return html`<div class="row">
      <button ?disabled=${this.page <= 1} @click=${() => this.go(-1)}>${t('article.newer')}</button>
      <span class="muted">${t('ops.page', { page: this.page, pages: last })}</span>
      <button ?disabled=${this.page >= last} @click=${() => this.go(1)}>${t('ops.older')}</button>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'ops-job-list': JobList;
  }
}
