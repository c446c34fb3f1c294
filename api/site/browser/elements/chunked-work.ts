/** Work that is computed in chunks, a sweep or a factor study: followed to its end, and its progress. */
import { html, nothing } from '../dom.ts';
import { followJob } from '../run/call.ts';
import { t } from '../tool-text.ts';
import type { Sweep } from '../types.ts';

/** The fields that both have. */
export type ChunkedWork = Omit<Sweep, 'strategies' | 'screened_on'>;

/** The work at an address of the API, as it is now and after each change, until it has ended. */
export async function* followWork<Work extends ChunkedWork>(address: string, signal: AbortSignal) {
  for await (const work of followJob<Work>(address, signal)) {
    yield work;
    if (work.finished_at !== null) return;
  }
}

/** How much is computed, the rate, the time left, and the workers. */
export function workProgress(work: ChunkedWork, kind: 'sweeps' | 'factors') {
  const { status, progress_pct, cells, error, notice, assembling } = work;
  if (status === 'done') return nothing;
  if (status === 'failed') {
    return html`<section class="state" role="alert"><h3>${t(kind === 'sweeps' ? 'sweeps.failed' : 'factors.failed')}</h3><p>${error?.message ?? ''}</p><p>${t('sweeps.failed.text')}</p></section>`;
  }
  if (notice !== null) return html`<p class="notice warning" role="status">${notice}</p>`;
  if (status === 'queued') return html`<p class="notice">${t('sweeps.waits')}</p>`;
  const label = t(`${kind}.progress`, { done: cells.done, total: cells.total });
  return html`<div class="sweep-progress">
    <progress max="100" value=${progress_pct} aria-label=${label}></progress>
    <p class="row muted"><span>${label}</span> ${assembling ? html`<span>${t('sweeps.assembling')}</span>` : pace(work, kind)}</p>
  </div>`;
}

function pace(
  { cells_per_second: rate, seconds_left: seconds, workers, chunks }: ChunkedWork,
  kind: 'sweeps' | 'factors',
) {
  return html`<span>${rate === null ? '' : t(`${kind}.rate`, { rate })}</span>
    <span>${seconds === null ? '' : t('sweeps.left', { seconds })}</span>
    <span>${t('sweeps.workers', { workers, chunks: chunks.running })}</span>`;
}
