/** A job from its queueing to its end, with what it was asked and why it failed. */
import { html, nothing } from 'lit';
import { path } from '../api.ts';
import { ask } from '../elements/ask.ts';
import { moment } from '../moments.ts';
import { get, post } from '../session.ts';
import { failure, LOADING, type Loaded, loading, outcome } from '../states.ts';
import { t } from '../text.ts';
import type { JobDetail } from '../types.ts';
import { OpsSection } from './section.ts';
import { advice, clock } from './words.ts';

class JobTimeline extends OpsSection {
  static override properties = { queue: {}, job: {}, detail: { state: true } };
  declare queue: string;
  declare job: string;
  declare detail: Loaded<JobDetail>;

  constructor() {
    super();
    this.detail = LOADING;
  }

  protected override firstUpdated(): void {
    void this.load();
  }

  private get address(): string {
    return path('/api/admin/jobs/{queue}/{id}', { queue: this.queue, id: this.job });
  }

  readonly load = async (): Promise<void> => {
    this.detail = await outcome(get<JobDetail>(this.address));
  };

  override render() {
    const { detail } = this;
    if (detail.state === 'loading') return loading();
    if (detail.state === 'failed') return failure(detail.error, this.load);
    const job = detail.value;
    return html`<div class="notice">
      <p class="mono small muted">${job.id}</p>
      <ol class="plain timeline">${events(job).map(
        ([at, text]) =>
          html`<li><span class="mono small muted">${moment(at).slice(0, 10)} ${clock(at)}</span> <span class="cause">${text}</span></li>`,
      )}</ol>
      ${job.runbook !== null && job.state === 'failed' ? html`<p>${advice(job.runbook)}</p>` : nothing}
      ${job.stack === null ? nothing : html`<details><summary>${t('ops.job.stack')}</summary><pre tabindex="0">${job.stack}</pre></details>`}
      <details><summary>${t('ops.job.input')}</summary><pre tabindex="0">${JSON.stringify(job.input, null, 2)}</pre></details>
      <div class="row">${this.actions(job)}</div>
      ${this.outcome()}
    </div>`;
  }

  private actions({ state }: JobDetail) {
    if (state === 'failed') {
      const tryAgain = () =>
        this.act(
          () => post(`${this.address}/retry`, {}),
          () => t('ops.job.queued'),
        );
      return html`<button ?disabled=${this.isBusy} @click=${tryAgain}>${t('ops.retry')}</button>`;
    }
    if (state === 'completed' || state === 'cancelled') return nothing;
    return html`<button class="danger" ?disabled=${this.isBusy} @click=${this.cancel}>${t('ops.job.cancel')}</button>`;
  }

  private readonly cancel = async () => {
    const title = t('ops.job.cancel.title', { queue: this.queue });
    if (!(await ask({ title, text: t('ops.job.cancel.text'), action: t('ops.cancel.yes') }))) return;
    await this.act(
      () => post(`${this.address}/cancel`, {}),
      () => t('ops.cancelled'),
    );
  };
}

type TimelineEvent = readonly [at: string, text: string];

/** The known steps of a job: the queue keeps the start and the end of the last attempt, and the error of the last failure. */
function events(job: JobDetail): TimelineEvent[] {
  const {
    created_at: created,
    start_after: after,
    started_at: started,
    finished_at: finished,
    request_id: request,
  } = job;
  const { attempts: attempt, max_attempts: of, error, state } = job;
  const known: TimelineEvent[] = [
    [created, request === null ? t('ops.job.created') : t('ops.job.created.by', { request })],
  ];
  if (started !== null) known.push([started, t('ops.job.started', { attempt, of })]);
  if (error !== null && state !== 'failed') known.push([started ?? created, t('ops.job.failed_before', { error })]);
  if (state === 'waiting' || state === 'retry') known.push([after, t('ops.job.starts_after')]);
  if (finished !== null) {
    const end = state === 'failed' ? t('ops.job.failed', { error: error ?? '–' }) : t(`ops.state.${state}`);
    known.push([finished, end]);
  }
  return known;
}

customElements.define('ops-job-timeline', JobTimeline);

declare global {
  interface HTMLElementTagNameMap {
    'ops-job-timeline': JobTimeline;
  }
}
