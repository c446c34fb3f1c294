/** Parts that several pages share: a choice between a few values, the pages of a list, and a table that scrolls by itself. */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { fromAddress } from './address.ts';
import { t } from './text.ts';

/** A few values as radio buttons side by side. */
export interface Choice<T extends string> {
  readonly label: string;
  readonly name: string;
  readonly values: readonly (readonly [T, string])[];
  readonly chosen: T | null;
  readonly onChoose: (value: T) => void;
}

/** Its reader may have chosen another one since it was drawn. */
export function choice<T extends string>({ label, name, values, chosen, onChoose }: Choice<T>) {
  return html`<div class="choice" role="radiogroup" aria-label=${label}>
    ${values.map(
      ([value, text]) => html`<label
        ><input type="radio" name=${name} .checked=${live(value === chosen)} @change=${() => onChoose(value)} />${text}</label
      >`,
    )}
  </div>`;
}

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

/** A table of its own, which scrolls within the page, and whose name only readers of screens need. */
export function scrollTable(label: string, className: string, content: unknown) {
  return html`<div class="table-scroll" role="region" aria-label=${label} tabindex="0">
    <table class=${className}><caption class="visually-hidden">${label}</caption>${content}</table>
  </div>`;
}
