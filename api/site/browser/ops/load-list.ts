/** Loads from the data provider, with their progress and their rejected rows. */

import { customElement, property } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { post } from '../session.ts';
import { number, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { SyncJob } from '../types.ts';
import { Action } from './action.ts';
import './load-files.ts';
import { faultName } from './load-files.ts';

@customElement('ops-load-list')
export class LoadList extends SiteElement {
  @property({ attribute: false }) loads!: readonly SyncJob[];
  /** Ids of loads whose failure stands above, with what repairs it. */
  @property({ attribute: false }) told: readonly number[] = [];
  private readonly action = new Action(this);

  override render() {
    if (this.loads.length === 0) return html`<p class="muted">${t('ops.loads.none')}</p>${this.action.feedback()}`;
    return html`<ul class="plain ops-loads">${this.loads.map((load) => this.item(load))}</ul>
      ${this.action.feedback()}`;
  }

  private item(load: SyncJob) {
    const { id, job_type: type, status, error, queued_at: queued } = load;
    return html`<li>
      <div class="row spread">
        <div><b>${id} · ${type}</b> ${rangeOf(load)} <span class="muted">${utcTime(queued)}</span></div>
        <div class="row"><span>${stateOf(load)}</span>${this.actions(load)}</div>
      </div>
      ${status === 'running' ? progress(load) : nothing}
      <p class="muted small">${t(load.symbols_total === null ? 'ops.load.rows_only' : 'ops.load.rows', {
        symbols: number(load.symbols_done),
        total: number(load.symbols_total),
        rows: number(load.rows_written),
        rejected: number(load.rows_rejected),
      })}</p>
      ${error === null || this.told.includes(id) ? nothing : html`<p class="cause">${error}</p>`}
      ${load.rows_rejected > 0 ? rejected(load) : nothing}
      ${load.job_type === 'daily_bars' && status !== 'running' ? html`<ops-load-files .load=${id}></ops-load-files>` : nothing}
    </li>`;
  }

  private actions({ id, status }: SyncJob) {
    if (status === 'failed' && this.told.includes(id)) return nothing;
    if (status === 'failed') {
      const address = path('/api/admin/data/sync-jobs/{id}/retry', { id });
      return html`<button
        ?disabled=${this.action.isBusy}
        aria-label=${t('ops.load.retry', { id: String(id) })}
        @click=${() => this.action.run(t('ops.load.queued'), () => post(address, {}))}
      >${t('state.try_again')}</button>`;
    }
    if (status !== 'running') return nothing;
    return html`<button class="danger" ?disabled=${this.action.isBusy} @click=${() => this.cancel(id)}>${t('word.cancel')}</button>`;
  }

  private cancel(id: number): Promise<void> {
    const title = t('ops.load.cancel', { id: String(id) });
    const question = { title, text: t('ops.load.cancel.text'), action: t('ops.cancel.yes') };
    const address = path('/api/admin/data/sync-jobs/{id}/cancel', { id });
    return this.action.confirm(question, t('ops.cancelled'), () => post(address, {}));
  }
}

function stateOf({ status, started_at: started, progress_pct: share }: SyncJob): string {
  if (status === 'running') return started === null ? t('ops.state.waiting') : `${number(Math.floor(share))}%`;
  return status === 'failed' ? t('ops.state.failed') : t('ops.state.completed');
}

function rangeOf({ request }: SyncJob): string {
  const { start, end, venue_mode: venueBasis } = request;
  const range = [start, end].filter((day) => typeof day === 'string').join(' … ');
  return [range, venueBasis].filter((part) => typeof part === 'string' && part !== '').join(' · ');
}

function progress({ id, progress_pct: share }: SyncJob) {
  return html`<progress max="100" .value=${share} aria-label=${t('ops.load.progress', { id: String(id) })}></progress>`;
}

function rejected({ rows_rejected_by_reason: reasons }: SyncJob) {
  return html`<details>
    <summary>${t('ops.rejected')}</summary>
    <dl class="facts">${Object.entries(reasons).map(([reason, rows]) => html`<dt>${faultName(reason)}</dt><dd>${number(rows)}</dd>`)}</dl>
  </details>`;
}
