/** The sweeps of an account as links, with how far each is. */
import { html, nothing } from '../dom.ts';
import { strategyName } from '../run/kind.ts';
import { listed, localTime, number } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Strategies, Sweep } from '../types.ts';

export const namesOf = (known: Strategies, codes: readonly string[]) =>
  listed(codes.map((code) => strategyName(known, code)));

export function sweepLinks(sweeps: readonly Sweep[], known: Strategies) {
  if (sweeps.length === 0) return nothing;
  return html`<ul class="lines">
    ${sweeps.map(
      ({ id, status, strategies, cells, created_at, progress_pct }) => html`<li>
        <a href=${`/sweeps?id=${id}`}>${namesOf(known, strategies)} · ${t('sweeps.cells_count', { cells: cells.total })}</a>
        <span class="muted">${localTime(created_at)} · ${t(`sweeps.status.${status}`)}${status === 'running' ? ` ${number(progress_pct, 0)}%` : ''}</span>
      </li>`,
    )}
  </ul>`;
}
