/** Unfinished sweeps and factor studies of all accounts with their progress; cancel a sweep, or retry a failed one. */

import { customElement, property } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { post, remove } from '../session.ts';
import { listed, number, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { OperatedSweep } from '../types.ts';
import { Action } from './action.ts';

const MAX_NAMES = 5;

@customElement('ops-sweep-list')
export class SweepList extends SiteElement {
  @property({ attribute: false }) sweeps!: readonly OperatedSweep[];
  private readonly action = new Action(this);

  override render() {
    if (this.sweeps.length === 0) return html`<p class="muted">${t('ops.sweeps.none')}</p>${this.action.feedback()}`;
    return html`<ul class="plain ops-loads">${this.sweeps.map((sweep) => this.item(sweep))}</ul>
      ${this.action.feedback()}`;
  }

  private item(sweep: OperatedSweep) {
    const { email, kind, status, strategies, created_at: created, error, failed_attempts: failed } = sweep;
    return html`<li>
      <div class="row spread">
        <div><b>${email}</b> ${t(`ops.sweeps.kind.${kind}`)} · ${named(strategies)} <span class="muted">${utcTime(created)}</span></div>
        <div class="row"><span>${t(`sweeps.status.${status}`)}</span>${this.actions(sweep)}</div>
      </div>
      ${status === 'queued' ? nothing : progress(sweep)}
      ${failed > 0 ? html`<p class="muted small">${t('ops.sweeps.failed_attempts', { failed })}</p>` : nothing}
      ${error === null ? nothing : html`<p class="cause">${error.message}</p>`}
    </li>`;
  }

  private actions({ id, email, status }: OperatedSweep) {
    const isOver = status === 'failed';
    return html`${isOver ? this.retry(id, email) : nothing}
      <button
        class="danger"
        ?disabled=${this.action.isBusy}
        aria-label=${t(isOver ? 'ops.sweeps.remove_of' : 'ops.sweeps.cancel_of', { email })}
        @click=${() => this.cancel(id, email)}
      >${isOver ? t('sweeps.remove') : t('word.cancel')}</button>`;
  }

  private retry(id: string, email: string) {
    const address = path('/api/admin/sweeps/{id}/retry', { id });
    return html`<button
      ?disabled=${this.action.isBusy}
      aria-label=${t('ops.sweeps.retry_of', { email })}
      @click=${() => this.action.run(t('ops.sweeps.retried', { email }), () => post(address, {}))}
    >${t('state.try_again')}</button>`;
  }

  private cancel(id: string, email: string): Promise<void> {
    const question = {
      title: t('ops.sweeps.cancel', { email }),
      text: t('ops.sweeps.cancel.text'),
      action: t('ops.cancel.yes'),
    };
    const address = path('/api/admin/sweeps/{id}', { id });
    return this.action.confirm(question, t('ops.sweeps.cancelled', { email }), () => remove(address));
  }
}

/** A study may have hundreds of factors. */
function named(names: readonly string[]): string {
  return listed(names.slice(0, MAX_NAMES)) + (names.length > MAX_NAMES ? ' …' : '');
}

/** Cells, their rate, the time that is left, and the workers. */
function progress({ status, progress_pct: share, cells, chunks, workers, ...pace }: OperatedSweep) {
  const { cells_per_second: rate, seconds_left: left, assembling } = pace;
  const label = t('sweeps.progress', { done: cells.done, total: cells.total });
  return html`<progress max="100" .value=${share} aria-label=${label}></progress>
    <p class="row muted small">
      <span>${label} · ${number(share, 0)}%</span>
      ${rate === null ? nothing : html`<span>${t('sweeps.rate', { rate })}</span>`}
      ${assembling ? html`<span>${t('sweeps.assembling')}</span>` : nothing}
      ${left === null ? nothing : html`<span>${t('sweeps.left', { seconds: left })}</span>`}
      ${status === 'running' ? html`<span>${t('sweeps.workers', { workers, chunks: chunks.running })}</span>` : nothing}
    </p>`;
}
