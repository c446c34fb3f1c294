/** Every queue: what waits, for how long, what came in and went out in the last hour; pause and resume. */

import { customElement, property, state } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { sparkLine } from '../plot.ts';
import { post } from '../session.ts';
import { fixed, number, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { OnCallReport, Queue } from '../types.ts';
import { Action } from './action.ts';
import { duration } from './duration.ts';

/** A job that waits longer needs somebody's attention. */
const LONG_WAIT_S = 300;
const MINUTES = 60;

@customElement('ops-queue-table')
export class QueueTable extends SiteElement {
  @property({ attribute: false }) queues!: readonly Queue[];
  private readonly action = new Action(this);
  @property({ attribute: false }) activity!: OnCallReport['activity'];
  /** Whether queues without jobs are in sight too. */
  @state() isWhole = false;

  /** Whether something waits, runs, failed, or passed within the hour, or is paused. */
  private readonly isInUse = ({ queue, waiting, retry, active, failed, paused }: Queue): boolean =>
    paused ||
    waiting + retry + active + failed > 0 ||
    [...this.added(queue), ...this.ended(queue)].some((jobs) => jobs > 0);

  private added(queue: string): readonly number[] {
    return this.activity.find(({ queue: name }) => name === queue)?.added ?? [];
  }

  private ended(queue: string): readonly number[] {
    return this.activity.find(({ queue: name }) => name === queue)?.ended ?? [];
  }

  override render() {
    const shown = this.isWhole ? this.queues : this.queues.filter(this.isInUse);
    const idle = this.queues.length - this.queues.filter(this.isInUse).length;
    return html`<div class="table-scroll" role="region" aria-label=${t('ops.queues')} tabindex="0">
        <table>
          <caption class="visually-hidden">${t('ops.queues')}</caption>
          <thead>
            <tr>
              <th scope="col">${t('ops.queue')}</th>
              <th scope="col" class="number">${t('ops.waiting')}</th>
              <th scope="col" class="number">${t('ops.oldest')}</th>
              <th scope="col" class="number">${t('ops.running')}</th>
              <th scope="col" class="number minor">${t('ops.in')}</th>
              <th scope="col" class="number minor">${t('ops.out')}</th>
              <th scope="col" class="number ops-times">${t('ops.waited')}</th>
              <th scope="col" class="number ops-times">${t('ops.ran')}</th>
              <th scope="col" class="number">${t('ops.failed')}</th>
              <th scope="col" class="number">${t('keys.action')}</th>
            </tr>
          </thead>
          <tbody>${shown.map((queue) => this.line(queue))}</tbody>
        </table>
      </div>
      ${idle === 0 ? nothing : html`<p><button class="quiet" aria-expanded=${this.isWhole} @click=${this.toggle}>${t('ops.queues.idle', { count: idle })}</button></p>`}
      ${this.action.feedback()}`;
  }

  private readonly toggle = () => {
    this.isWhole = !this.isWhole;
  };

  private line(queue: Queue) {
    const [added, ended] = [this.added(queue.queue), this.ended(queue.queue)];
    const isLate = (queue.oldest_waiting_s ?? 0) > LONG_WAIT_S;
    return html`<tr>
      <th scope="row">${queue.queue}${queue.paused ? html` <b class="ops-paused">${pausedText(queue)}</b>` : nothing}</th>
      <td class="number">${number(queue.waiting + queue.retry)}</td>
      <td class=${isLate ? 'number ops-late' : 'number'}>${duration(queue.oldest_waiting_s)}</td>
      <td class="number">${number(queue.active)}</td>
      <td class="number minor ops-in">${perMinute(added)} ${sparkLine(added)}</td>
      <td class="number minor">${perMinute(ended)} ${sparkLine(ended)}</td>
      <td class="number">${percentiles(queue.times?.waiting_s)}</td>
      <td class="number">${percentiles(queue.times?.running_s)}</td>
      <td class=${queue.failed > 0 ? 'number loss-count' : 'number'}>${number(queue.failed)}</td>
      <td class="number">${this.button(queue)}</td>
    </tr>`;
  }

  private button({ queue, paused }: Queue) {
    const address = path(paused ? '/api/admin/queues/{queue}/resume' : '/api/admin/queues/{queue}/pause', { queue });
    const done = paused ? t('ops.resumed', { queue }) : t('ops.paused.done', { queue });
    const text = paused ? t('ops.resume') : t('ops.pause');
    return html`<button
      class=${paused ? 'primary' : 'quiet'}
      ?disabled=${this.action.isBusy}
      aria-label=${paused ? t('ops.resume.queue', { queue }) : t('ops.pause.queue', { queue })}
      @click=${() => this.action.run(done, () => post(address, {}))}
    >${text}</button>`;
  }
}

function pausedText({ paused_by: by, paused_at: at }: Queue): string {
  return t('ops.paused', { by: by ?? '–', at: utcTime(at) });
}

/** `0.1 · 2 · 14`: the median, the 95th, and the 99th percentile, in seconds. */
function percentiles(times: NonNullable<Queue['times']>['waiting_s'] | undefined): string {
  if (times === undefined) return '–';
  return [times.p50, times.p95, times.p99].map((time) => number(time, time < 1 ? 2 : time < 10 ? 1 : 0)).join(' · ');
}

/** Jobs of the last hour per minute. */
function perMinute(jobs: readonly number[]): string {
  return fixed(jobs.reduce((total, one) => total + one, 0) / MINUTES, 1);
}
