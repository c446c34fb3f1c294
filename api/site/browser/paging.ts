/** Pages of a long list, as the API gives them. */
import { html, nothing } from 'lit';
import { fromAddress } from './address.ts';
import { t } from './text.ts';

/** The page that the address asks for; the first one when it asks for none. */
export function pageFromAddress(): number {
  const asked = Number(fromAddress('page') ?? 1);
  return Number.isInteger(asked) && asked >= 1 && asked <= 1_000_000 ? asked : 1;
}

interface Part {
  readonly total: number;
  readonly page: number;
  readonly size: number;
}

/** Buttons to the pages before and after; nothing where all is on one page. */
export function paging({ total, page, size }: Part, goTo: (page: number) => void) {
  const last = Math.max(1, Math.ceil(total / size));
  if (last === 1 && page === 1) return nothing;
  return html`<nav class="row paging" aria-label=${t('paging.label')}>
    <button ?disabled=${page <= 1} @click=${() => goTo(Math.min(page - 1, last))}>${t('paging.before')}</button>
    <span class="muted">${t('paging.place', { page, last, total })}</span>
    <button ?disabled=${page >= last} @click=${() => goTo(page + 1)}>${t('paging.after')}</button>
  </nav>`;
}
