/** The first line of the on-call page: all is well, or what is wrong and what to do about it. */
import { html, nothing } from 'lit';
import { path } from '../api.ts';
import { ask } from '../elements/ask.ts';
import { moment } from '../moments.ts';
import { post } from '../session.ts';
import { day, t } from '../text.ts';
import type { OnCallReport } from '../types.ts';
import { releaseSession } from './release.ts';
import { OpsSection } from './section.ts';
import { advice } from './words.ts';

type Problem = OnCallReport['problems'][number];

/** Commands for what only a machine's owner can do. */
const COMMANDS: Partial<Record<Problem['kind'], string>> = {
  no_worker: 'npm run worker',
  no_scheduler: 'npm run scheduler',
  snapshot_behind: 'npm run ops -- snapshot rebuild',
};

class StatusLine extends OpsSection {
  static override properties = { report: { attribute: false } };
  declare report: OnCallReport;

  override render() {
    const [root, ...others] = this.report.problems;
    if (!root) return html`<div class="ops-status">${this.well()} ${this.outcome()}</div>`;
    return html`<div class="ops-status">
      <section class="notice warning" aria-labelledby="root-cause">
        <h2 id="root-cause">${sentence(root)}</h2>
        ${root.detail === null || root.kind === 'queue_paused' ? nothing : html`<p class="cause">${root.detail}</p>`}
        <p>${advice(root.runbook)}</p>
        <div class="row">${this.action(root, 'primary')}</div>
      </section>
      ${this.outcome()} ${others.length > 0 ? this.others(others) : nothing}
    </div>`;
  }

  private well() {
    const { well_since: since } = this.report;
    return html`<p class="well"><b>${since === null ? t('ops.well') : t('ops.well.since', { since: moment(since) })}</b></p>`;
  }

  private others(problems: readonly Problem[]) {
    return html`<details>
      <summary>${t('ops.others', { count: problems.length })}</summary>
      <ul class="plain">
        ${problems.map(
          (problem) => html`<li class="row spread">
            <span>${sentence(problem)} ${problem.kind === 'queue_paused' ? nothing : html`<span class="muted">${problem.detail}</span>`}</span>
            ${this.action(problem, '')}
          </li>`,
        )}
      </ul>
    </details>`;
  }

  private action(problem: Problem, look: string) {
    const command = COMMANDS[problem.kind];
    if (command !== undefined) return html`<code>${command}</code>`;
    const remedy = this.remedy(problem);
    return html`<button class=${look} ?disabled=${this.isBusy} @click=${remedy.act}>${remedy.text}</button>`;
  }

  private remedy({ kind, queue, session, sync_job_id: id, detail }: Problem): { text: string; act: () => unknown } {
    if (kind === 'queue_paused' && queue !== null) {
      const address = path('/api/admin/queues/{queue}/resume', { queue });
      const act = () =>
        this.act(
          () => post(address, {}),
          () => t('ops.resumed', { queue }),
        );
      return { text: t('ops.resume.queue', { queue }), act };
    }
    if (kind === 'load_failed' && id !== null) {
      const address = path('/api/admin/data/sync-jobs/{id}/retry', { id });
      const act = () =>
        this.act(
          () => post(address, {}),
          () => t('ops.load.queued'),
        );
      return { text: t('ops.load.retry', { id: String(id) }), act };
    }
    if (kind === 'session_held' && session !== null) {
      return { text: t('ops.release.session', { date: day(session) }), act: () => this.release(session, detail ?? '') };
    }
    if (kind === 'data_behind') return { text: t('ops.load.newest'), act: this.loadNewest };
    const act = () => this.dispatchEvent(new CustomEvent('preview', { detail: { queue, cause: detail } }));
    return { text: t('ops.retry.preview'), act };
  }

  private async release(session: string, problems: string): Promise<void> {
    const question = {
      title: t('ops.release.session', { date: day(session) }),
      text: problems,
      action: t('ops.release'),
    };
    if (await ask(question))
      await this.act(
        () => releaseSession(session),
        () => t('ops.released', { date: day(session) }),
      );
  }

  private readonly loadNewest = () => {
    const { loaded_to: start, published_to: end } = this.report;
    const body = { job_type: 'daily_bars', start: start ?? undefined, end: end ?? undefined };
    return this.act(
      () => post('/api/admin/data/sync-jobs', body),
      () => t('ops.load.queued'),
    );
  };
}

function sentence({ kind, queue, session, sync_job_id: id, count, detail }: Problem): string {
  return t(`ops.problem.${kind}`, {
    queue: queue ?? '',
    date: day(session),
    id: String(id ?? ''),
    count: count ?? 0,
    by: detail ?? '',
  });
}

customElements.define('ops-status-line', StatusLine);
