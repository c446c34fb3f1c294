/** The timeline of a job, with its input and its errors. */

import { customElement, property } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { get, post } from '../session.ts';
import { utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { JobDetail } from '../types.ts';
import { Action, advice } from './action.ts';

@customElement('ops-job-timeline')
export class JobTimeline extends SiteElement {
  @property() queue!: string;
  @property() job!: string;
  readonly detail = new Load(this, () => get<JobDetail>(this.address), { of: () => this.job });
  private readonly action = new Action(this);

  private get address(): string {
    return path('/api/admin/jobs/{queue}/{id}', { queue: this.queue, id: this.job });
  }

  override render() {
    return this.detail.render((job) => this.timeline(job));
  }

  private timeline(job: JobDetail) {
    return html`<div class="notice">
      <p class="mono small muted">${job.id}</p>
      <ol class="plain timeline">${events(job).map(
        ([at, text]) =>
          html`<li><span class="mono small muted">${utcTime(at).slice(0, 10)} ${clock(at)}</span> <span class="cause">${text}</span></li>`,
      )}</ol>
      ${job.runbook !== null && job.state === 'failed' ? html`<p>${advice(job.runbook)}</p>` : nothing}
      ${job.stack === null ? nothing : html`<details><summary>${t('ops.job.stack')}</summary><pre tabindex="0">${job.stack}</pre></details>`}
      <details><summary>${t('ops.job.input')}</summary><pre tabindex="0">${JSON.stringify(job.input, null, 2)}</pre></details>
      <div class="row">${this.actions(job)}</div>
      ${this.action.feedback()}
    </div>`;
  }

  private actions({ state }: JobDetail) {
    if (state === 'failed') {
      const tryAgain = () => this.action.run(t('ops.job.queued'), () => post(`${this.address}/retry`, {}));
      return html`<button ?disabled=${this.action.isBusy} @click=${tryAgain}>${t('state.try_again')}</button>`;
    }
    if (state === 'completed' || state === 'cancelled') return nothing;
    return html`<button class="danger" ?disabled=${this.action.isBusy} @click=${this.cancel}>${t('ops.job.cancel')}</button>`;
  }

  private readonly cancel = () => {
    const title = t('ops.job.cancel.title', { queue: this.queue });
    const question = { title, text: t('ops.job.cancel.text'), action: t('ops.cancel.yes') };
    return this.action.confirm(question, t('ops.cancelled'), () => post(`${this.address}/cancel`, {}));
  };
}

type TimelineEvent = readonly [at: string, text: string];

/** The known steps of a job. Attempts that failed before attempts were recorded are known by the last error only. */
function events(job: JobDetail): TimelineEvent[] {
  const { created_at: created, start_after: after, request_id: request, state, error, history } = job;
  const known: TimelineEvent[] = [
    [created, request === null ? t('ops.job.created') : t('ops.job.created.by', { request })],
  ];
  for (const one of history) known.push(...attemptEvents(one, job));
  const isRecorded = history.some(({ attempt }) => attempt === job.attempts);
  if (!isRecorded && job.started_at !== null) {
    known.push([job.started_at, t('ops.job.started', { attempt: job.attempts, of: job.max_attempts })]);
    if (history.length === 0 && error !== null && state !== 'failed') {
      known.push([job.started_at, t('ops.job.failed_before', { error })]);
    }
  }
  if (state === 'waiting' || state === 'retry') known.push([after, t('ops.job.starts_after')]);
  if (job.finished_at === null) return known;
  if (state !== 'failed') known.push([job.finished_at, t(`ops.state.${state}`)]);
  else if (!isRecorded) known.push([job.finished_at, t('ops.job.failed', { error: error ?? '–' })]);
  return known;
}

function attemptEvents(
  { attempt, worker, taken_at: taken, ended_at: ended, error }: JobDetail['history'][number],
  { max_attempts: of }: JobDetail,
): TimelineEvent[] {
  const start = worker === null ? t('ops.job.started', { attempt, of }) : t('ops.job.taken', { attempt, of, worker });
  const events: TimelineEvent[] = [[taken, start]];
  if (ended !== null) events.push([ended, t('ops.job.attempt_failed', { attempt, error: error ?? '–' })]);
  return events;
}

/** `16:05:03`, of a time in UTC. */
const clock = (iso: string): string => iso.slice(11, 19);

declare global {
  interface HTMLElementTagNameMap {
    'ops-job-timeline': JobTimeline;
  }
}
