/** Jobs, newest first; a job opens as a timeline. */
import { customElement, property, state } from 'lit/decorators.js';
import { followAddress, fromAddress, toAddress } from '../address.ts';
import { path } from '../api.ts';
import { fieldsOf, html, nothing, SiteElement, textIn } from '../dom.ts';
import { codeFilter, type Filter, filterField } from '../elements/filtered-list.ts';
import { Load } from '../load.ts';
import { get, post } from '../session.ts';
import { LOADING, type Loaded, settle, whenLoaded } from '../states.ts';
import { utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { JobDetail, Queue, QueueJob, QueueJobs } from '../types.ts';
import { Action, advice } from './action.ts';
import { duration } from './duration.ts';
import './job-actions.ts';

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
      ${spent(job).length === 0 ? nothing : html`<p class="small">${t('ops.job.spent')} ${spent(job).join(' · ')}</p>`}
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
  for (const { event, status, last_at: last, created_at } of job.deliveries)
    known.push([last ?? created_at, t(`ops.job.webhook.${status}`, { event })]);
  return known;
}

/** Where its time went, from the request to the last webhook: what took some. */
function spent(job: JobDetail): string[] {
  const { created_at: created, start_after: after, started_at: started, finished_at: finished, history } = job;
  if (started === null) return [];
  const attempts = history.map(({ taken_at: from, ended_at: to }) => [from, to ?? finished] as const);
  // A completed attempt is not in the history.
  if (finished !== null && !history.some(({ attempt }) => attempt === job.attempts)) attempts.push([started, finished]);
  const [first = started] = attempts.map(([from]) => from);
  const ran = attempts.reduce((sum, [from, to]) => sum + (to === null ? 0 : secondsBetween(from, to)), 0);
  const told = job.deliveries.flatMap(({ last_at: at }) => at ?? []).sort();
  const parts = {
    waiting: secondsBetween(after > created && after < first ? after : created, first),
    running: ran,
    paused: finished === null ? 0 : secondsBetween(first, finished) - ran,
    telling: finished === null ? 0 : secondsBetween(finished, told.at(-1) ?? finished),
  };
  return SPENT.filter((part) => parts[part] >= 1).map((part) =>
    t(`ops.job.spent.${part}`, { time: duration(parts[part]) }),
  );
}

const SPENT = ['waiting', 'running', 'paused', 'telling'] as const;
const secondsBetween = (from: string, to: string): number => Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);

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

const STATES = ['waiting', 'retry', 'active', 'completed', 'cancelled', 'failed'] as const;
const SIZE = 25;

@customElement('ops-job-list')
export class JobList extends SiteElement {
  @property({ attribute: false }) queues: readonly Queue['queue'][] = [];
  /** When the page was read. */
  @property() at = '';
  @state() jobs: Loaded<QueueJobs> = LOADING;
  /** By the names of the query, which the address has too. */
  @state() filter: Readonly<Record<string, string>> = {};
  @state() open = '';
  @state() page = 1;

  constructor() {
    super();
    followAddress(this, this.readAddress);
  }

  protected override firstUpdated(): void {
    this.readAddress();
  }

  private readonly readAddress = () => {
    this.filter = Object.fromEntries(this.filters().map(({ name }) => [name, fromAddress(name) ?? '']));
    this.page = 1;
    void this.load();
  };

  private filters(): Filter[] {
    return [
      codeFilter('queue', t('ops.queue'), this.queues, (queue) => queue),
      codeFilter('state', t('ops.state'), STATES, (state) => t(`ops.state.${state}`)),
      { name: 'text', label: t('ops.jobs.text'), type: 'search' },
      { name: 'cause', label: t('ops.jobs.cause'), type: 'search' },
      { name: 'account', label: t('ops.job.account'), type: 'search' },
      { name: 'worker', label: t('ops.job.worker'), type: 'search' },
      { name: 'from', label: t('ops.jobs.from'), type: 'date' },
      { name: 'to', label: t('ops.jobs.to'), type: 'date' },
    ];
  }

  /** Reloads the jobs and the open one. */
  readonly load = async (): Promise<void> => {
    const { filter, page } = this;
    const jobs = await settle(get<QueueJobs>('/api/admin/jobs', { query: { ...filter, page, size: SIZE } }));
    if (filter === this.filter && page === this.page) this.jobs = jobs;
    void this.querySelector('ops-job-timeline')?.detail.reload();
  };

  private readonly changeFilter = (event: Event) => {
    event.preventDefault();
    const given = fieldsOf(event);
    this.filter = Object.fromEntries(this.filters().map(({ name }) => [name, textIn(given, name)]));
    this.page = 1;
    toAddress(this.filter, false);
    void this.load();
  };

  private go(step: number): void {
    this.page += step;
    void this.load();
  }

  override render() {
    return html`<form class="row controls" role="search" aria-label=${t('ops.jobs')} @change=${this.changeFilter} @submit=${this.changeFilter}>
        ${this.filters().map((filter) => filterField(filter, this.filter[filter.name] ?? ''))}
      </form>
      <ops-job-actions .filter=${this.filter}></ops-job-actions>
      ${whenLoaded(this.jobs, this.load, (jobs) => this.list(jobs))}`;
  }

  private list({ items, total, searched_from: since }: QueueJobs) {
    const searched =
      since === null ? nothing : html`<p class="muted">${t('ops.jobs.searched', { since: utcTime(since) })}</p>`;
    if (items.length === 0) return html`<p class="muted">${t('ops.jobs.none')}</p>${searched}`;
    const titles = [
      t('ops.job.subject'),
      t('ops.job.account'),
      t('ops.waiting'),
      t('ops.running'),
      t('ops.job.attempt'),
    ];
    return html`<div class="table-scroll" role="region" aria-label=${t('ops.jobs')} tabindex="0"><table class="ops-jobs">
        <caption class="visually-hidden">${t('ops.jobs')}</caption>
        <thead><tr>${[t('ops.job.queued_at'), t('ops.queue'), t('ops.state'), ...titles, t('ops.job.worker')].map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
        <tbody>${items.map((job) => this.item(job))}</tbody>
      </table></div>
      ${searched} ${total > SIZE ? this.pages(total) : nothing}`;
  }

  private item(job: QueueJob) {
    const { id, queue, state, created_at: at, error, subject, account, worker, attempts, max_attempts: of } = job;
    const isOpen = id === this.open;
    const toggle = () => {
      this.open = isOpen ? '' : id;
    };
    return html`<tr>
        <td class="mono small">${utcTime(at)}</td>
        <td><button class="quiet" aria-expanded=${isOpen} @click=${toggle}>${queue}</button></td>
        <td class=${state === 'failed' ? 'loss-count' : ''}>${t(`ops.state.${state}`)}</td>
        <td class="wide">${subject}</td>
        <td>${account}</td>
        <td>${waited(job, this.at)}</td>
        <td>${ran(job, this.at)}</td>
        <td>${attempts === 0 ? '–' : `${attempts}/${of}`}</td>
        <td>${worker}</td>
      </tr>
      ${error === null ? nothing : html`<tr class="ops-error"><td></td><td colspan="8"><span class="cause">${error}</span></td></tr>`}
      ${isOpen ? html`<tr class="ops-opened"><td colspan="9"><ops-job-timeline .queue=${queue} .job=${id}></ops-job-timeline></td></tr>` : nothing}`;
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

const between = (from: string, to: string): string => duration(secondsBetween(from, to));

/** From when it might have started until it did. */
function waited({ created_at: at, start_after: after, started_at: started, state }: QueueJob, now: string): string {
  if (started === null && state !== 'waiting' && state !== 'retry') return '–';
  return between(after > at ? after : at, started ?? now);
}

function ran({ started_at: started, finished_at: finished, state }: QueueJob, now: string): string {
  return started === null || (finished === null && state !== 'active') ? '–' : between(started, finished ?? now);
}

declare global {
  interface HTMLElementTagNameMap {
    'ops-job-list': JobList;
  }
}
