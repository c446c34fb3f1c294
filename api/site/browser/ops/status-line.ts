/** The first line of the on-call page: all is well, or what is wrong and what to do about it. */

import { customElement, property } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { post } from '../session.ts';
import { day, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { OnCallReport } from '../types.ts';
import { Action, advice } from './action.ts';
import './load-files.ts';
import { partsOf } from './load-files.ts';

type Problem = OnCallReport['problems'][number];

interface Remedy {
  readonly text: string;
  readonly act: () => unknown;
}

@customElement('ops-status-line')
export class StatusLine extends SiteElement {
  @property({ attribute: false }) report!: OnCallReport;
  private readonly action = new Action(this);

  override render() {
    const [root, ...others] = this.report.problems.filter(({ caused_by }) => caused_by === null);
    if (!root) return html`<div class="ops-status">${this.well()} ${this.action.feedback()}</div>`;
    return html`<div class="ops-status">
      <section class="notice warning" aria-labelledby="root-cause">
        <h2 id="root-cause">${sentence(root)}</h2>
        ${detail(root)}
        <p>${root.under_way ? t('ops.under_way') : advice(root.runbook)}</p>
        <div class="row">${this.remedyButton(root, 'primary')}</div>
        ${this.consequences(root)}
      </section>
      ${this.action.feedback()} ${others.length > 0 ? this.others(others) : nothing}
    </div>`;
  }

  private well() {
    const { well_since: since } = this.report;
    return html`<p class="well"><b>${since === null ? t('ops.well') : t('ops.well.since', { since: utcTime(since) })}</b></p>`;
  }

  private others(problems: readonly Problem[]) {
    return html`<ul class="plain" aria-label=${t('ops.others', { count: problems.length })}>
      ${problems.map(
        (problem) => html`<li class="row spread">
          <div>
            <b>${sentence(problem)}</b> ${detail(problem)} ${this.consequences(problem)}
          </div>
          ${this.remedyButton(problem, '')}
        </li>`,
      )}
    </ul>`;
  }

  /** The consequences of a problem, under the first one of its kind: its repair repairs both. */
  private consequences(cause: Problem) {
    const { problems } = this.report;
    const found = problems.filter(({ caused_by }) => caused_by === cause.kind);
    if (found.length === 0 || problems.find(({ kind }) => kind === cause.kind) !== cause) return nothing;
    return html`<details>
      <summary>${t('ops.consequences', { count: found.length })}</summary>
      <ul class="plain">
        ${found.map((problem) => html`<li>${sentence(problem)}</li>`)}
      </ul>
    </details>`;
  }

  private remedyButton(problem: Problem, style: string) {
    const { repair, command } = problem;
    if (repair === null) return command === null ? nothing : html`<code>${command}</code>`;
    const { text, act } = this.remedies(problem)[repair];
    return html`<button class=${style} ?disabled=${this.action.isBusy} @click=${act}>${text}</button>`;
  }

  private remedies(problem: Problem): Record<NonNullable<Problem['repair']>, Remedy> {
    const { sync_job_id, session, until, detail } = problem;
    const queue = problem.queue ?? '';
    const id = String(sync_job_id ?? '');
    const [from, to] = [day(session), day(until)];
    return {
      resume_queue: {
        text: t('ops.resume.queue', { queue }),
        act: () => this.send(t('ops.resumed', { queue }), path('/api/admin/queues/{queue}/resume', { queue })),
      },
      retry_load: {
        text: t('ops.load.retry', { id }),
        act: () => this.send(t('ops.load.queued'), path('/api/admin/data/sync-jobs/{id}/retry', { id })),
      },
      load_newest: {
        text: t('ops.load.newest'),
        act: () => this.loadBars(this.report.loaded_to, this.report.published_to),
      },
      load_range: {
        text: session === until ? t('ops.load.day', { date: from }) : t('ops.load.range', { from, to }),
        act: () => this.loadBars(session, until),
      },
      release_session: {
        text: t('ops.release.session', { date: from }),
        act: () => this.action.release(session ?? '', detail ?? ''),
      },
      retry_jobs: {
        text: t('ops.retry.preview'),
        act: () => this.dispatchEvent(new CustomEvent('preview', { detail: { queue, cause: detail } })),
      },
    };
  }

  private send(done: string, address: string, body: object = {}): Promise<boolean> {
    return this.action.run(done, () => post(address, body));
  }

  private loadBars(start: string | null, end: string | null): Promise<boolean> {
    const body = { job_type: 'daily_bars', start: start ?? undefined, end: end ?? undefined };
    return this.send(t('ops.load.queued'), '/api/admin/data/sync-jobs', body);
  }
}

/** Problems whose sentence has the detail. */
const WHOLE: readonly Problem['kind'][] = ['queue_paused', 'account_refused', 'webhook_failing', 'versions_differ'];

/** Why it is so; of a load with the rows that were rejected. */
function detail({ kind, detail: text, sync_job_id: load }: Problem) {
  if (text === null || WHOLE.includes(kind)) return nothing;
  return html`${partsOf(text).map((part) => html`<p class="cause">${part}</p>`)}
    ${load === null ? nothing : html`<ops-load-files .load=${load} .heading=${t('ops.rows.show')}></ops-load-files>`}`;
}

function sentence({ kind, queue, session, sync_job_id: id, count, detail }: Problem): string {
  if (kind === 'data_behind' && count === null) return t('ops.nothing_loaded');
  if (kind === 'snapshot_behind' && count === null) return t('ops.no_snapshot');
  return t(`ops.problem.${kind}`, {
    queue: queue ?? '',
    date: day(session),
    id: String(id ?? ''),
    count: count ?? 0,
    by: detail ?? '',
  });
}
