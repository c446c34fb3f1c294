/** The on-call page: problems first, then everything that can be repaired from here. */
import '../shell.ts';
import '../tool.ts';
import '../ops/comparison-panel.ts';
import '../ops/failure-list.ts';
import '../ops/instance-list.ts';
import '../ops/job-list.ts';
import '../ops/load-list.ts';
import '../ops/queue-table.ts';
import '../ops/session-grid.ts';
import '../ops/session-steps.ts';
import '../ops/status-line.ts';
import '../ops/sweep-list.ts';
import { nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { html, SiteElement } from '../dom.ts';
import { pageHead } from '../head.ts';
import type { FailureList } from '../ops/failure-list.ts';
import { get } from '../session.ts';
import { failure, LOADING, type Loaded, loading, settle } from '../states.ts';
import { day, fileSize, longDay, number, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type {
  Calendar,
  Comparisons,
  JobFailure,
  JobFailures,
  OnCallReport,
  OpenSweeps,
  OperatedSweep,
  Queue,
  Queues,
  SessionSteps,
  SessionStepsList,
  SyncJob,
  SyncJobs,
} from '../types.ts';

const SESSIONS = 60;
/** Enough for the sessions, with weekends and holidays. */
const CALENDAR_DAYS = 95;
const LOADS = 10;
const COMPARISONS = 10;
const POLL_MS = 10_000;
/** While something runs. */
const BUSY_POLL_MS = 2_000;

interface OnCallData {
  readonly report: OnCallReport;
  readonly queues: readonly Queue[];
  readonly failures: readonly JobFailure[];
  readonly loads: readonly SyncJob[];
  readonly sweeps: readonly OperatedSweep[];
  readonly comparisons: Comparisons;
  readonly sessions: Calendar['items'];
  readonly steps: readonly SessionSteps[];
}

async function readOnCallData(): Promise<OnCallData> {
  const report = await get<OnCallReport>('/api/admin/on-call');
  const newest = Date.parse(newestSession(report) ?? report.generated_at);
  const start = new Date(newest - CALENDAR_DAYS * 86_400_000).toISOString().slice(0, 10);
  const [queues, failures, loads, sweeps, comparisons, calendar, steps] = await Promise.all([
    get<Queues>('/api/admin/queues'),
    get<JobFailures>('/api/admin/jobs/failures'),
    get<SyncJobs>('/api/admin/data/sync-jobs', { query: { size: LOADS } }),
    get<OpenSweeps>('/api/admin/sweeps'),
    get<Comparisons>('/api/admin/data/comparisons', { query: { size: COMPARISONS } }),
    get<Calendar>('/api/admin/data/calendar', { query: { start } }),
    get<SessionStepsList>('/api/admin/sessions'),
  ]);
  const sessions = calendar.items.filter(({ venue_modes: entries }) =>
    entries.some(({ status }) => status !== 'unpublished'),
  );
  return {
    report,
    comparisons,
    queues: queues.items,
    // The records of loads tell of theirs.
    failures: failures.items.filter(({ queue }) => !queue.startsWith('sync.')),
    loads: loads.items,
    sweeps: sweeps.items,
    steps: steps.items,
    sessions: sessions.slice(-SESSIONS),
  };
}

/** A market that is no longer published has its sessions long before today. */
function newestSession({ loaded_to: loaded, published_to: published }: OnCallReport): string | null {
  if (loaded === null || published === null) return loaded ?? published;
  return loaded > published ? loaded : published;
}

@customElement('ops-page')
export class OpsPage extends SiteElement {
  @state() data: Loaded<OnCallData> = LOADING;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readings = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('changed', this.load);
    document.addEventListener('visibilitychange', this.load);
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.load);
    clearTimeout(this.timer);
  }

  private readonly load = async (): Promise<void> => {
    clearTimeout(this.timer);
    if (document.hidden) return;
    const reading = ++this.readings;
    const data = await settle(readOnCallData());
    // A newer reading has begun.
    if (reading !== this.readings) return;
    this.data = data;
    const isLoaded = data.state === 'loaded';
    if (isLoaded) void this.querySelector('ops-job-list')?.load();
    this.timer = setTimeout(this.load, isLoaded && isBusy(data.value) ? BUSY_POLL_MS : POLL_MS);
  };

  override render() {
    const { data } = this;
    return html`${pageHead(t('page.ops'), data.state === 'loaded' ? newness(data.value) : {})}
      ${data.state === 'loading' ? loading() : data.state === 'failed' ? failure(data.error, this.load) : this.sections(data.value)}`;
  }

  private sections({ report, queues, failures, loads, sweeps, comparisons, sessions, steps }: OnCallData) {
    const { problems } = report;
    const toldLoads = problems.flatMap(({ sync_job_id: id }) => id ?? []);
    return html`<ops-status-line .report=${report} @preview=${this.preview}></ops-status-line>
      <h2>${t('ops.steps')}</h2>
      <ops-session-steps .sessions=${steps}></ops-session-steps>
      ${figures(report)}
      <h2>${t('ops.backups')}</h2>
      ${backups(report)}
      <h2>${t('ops.sessions')}</h2>
      <ops-session-grid .sessions=${sessions} .loads=${loads}></ops-session-grid>
      <h2>${t('ops.queues')}</h2>
      <ops-queue-table .queues=${queues} .activity=${report.activity}></ops-queue-table>
      <h2>${t('ops.instances')}</h2>
      <ops-instance-list .at=${report.generated_at}></ops-instance-list>
      <div class="ops-pair">
        <section>
          <h2>${t('ops.failures')}</h2>
          <ops-failure-list .failures=${failures} .told=${problems.map(({ detail }) => detail)}></ops-failure-list>
        </section>
        <section>
          <h2>${t('ops.loads')}</h2>
          <ops-load-list .loads=${loads} .told=${toldLoads}></ops-load-list>
        </section>
      </div>
      <h2>${t('ops.sweeps')}</h2>
      <ops-sweep-list .sweeps=${sweeps}></ops-sweep-list>
      <h2>${t('comparisons.title')}</h2>
      <ops-comparisons .comparisons=${comparisons} .loadedTo=${report.loaded_to}></ops-comparisons>
      <h2>${t('ops.jobs')}</h2>
      <ops-job-list .at=${report.generated_at} .queues=${queues.map(({ queue }) => queue)}></ops-job-list>`;
  }

  private readonly preview = ({ detail: { queue, cause } }: CustomEvent<{ queue: string; cause: string }>) => {
    const list = this.querySelector<FailureList>('ops-failure-list');
    void list?.open(queue, cause);
  };
}

const isBusy = ({ queues, loads, comparisons }: OnCallData): boolean =>
  queues.some(({ active }) => active > 0) ||
  comparisons.items.some(({ status }) => status === 'queued' || status === 'running') ||
  loads.some(({ status }) => status === 'running');

/** When the page was read, and how often it is read again. */
function newness(data: OnCallData) {
  const at = data.report.generated_at;
  const seconds = (isBusy(data) ? BUSY_POLL_MS : POLL_MS) / 1000;
  return {
    about: t('ops.at', { day: longDay(at), time: at.slice(11, 16) }),
    actions: html`<span class="small muted">${t('ops.live', { seconds })}</span>`,
  };
}

function figures({ processes, loaded_to: loaded, published_to: published, sessions_behind: behind }: OnCallReport) {
  return html`<dl class="figures">
    <div><dt>${t('ops.loaded_to')}</dt><dd>${day(loaded)}<small>${t('ops.published_to', { date: day(published) })}</small></dd></div>
    <div><dt>${t('ops.behind')}</dt><dd>${number(behind)}</dd></div>
    <div><dt>${t('ops.workers')}</dt><dd>${number(processes.worker)}</dd></div>
    <div><dt>${t('ops.schedulers')}</dt><dd>${number(processes.scheduler)}</dd></div>
    <div><dt>${t('ops.apis')}</dt><dd>${number(processes.api)}</dd></div>
  </dl>`;
}

function backups({ backups: made }: OnCallReport) {
  if (made === null) return html`<p class="muted">${t('ops.backups.off')}</p>`;
  const { location, last_at: last, last_bytes: bytes, restored_at: restored, restored_on: server } = made;
  const at = (moment: string | null) => (moment === null ? t('ops.backups.never') : `${utcTime(moment)} UTC`);
  return html`<dl class="figures">
    <div><dt>${t('ops.backups.last')}</dt><dd>${at(last)}<small>${location}${bytes === null ? '' : `, ${fileSize(bytes)}`}</small></dd></div>
    <div><dt>${t('ops.backups.restored')}</dt><dd>${at(restored)}${server === null ? nothing : html`<small>${t(`ops.backups.on.${server}`)}</small>`}</dd></div>
  </dl>`;
}
