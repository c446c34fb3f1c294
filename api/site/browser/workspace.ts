/** The frame of pages with an inspector: the picture in the center, and the set-up at its right; on narrow screens a drawer. */
import { html, nothing } from 'lit';
import { EXAMPLE_SYMBOLS } from './examples.ts';
import { pageHead } from './head.ts';
import type { Load } from './load.ts';
import type { Allowance } from './run/run-page.ts';
import { failure, loading, marketLoading } from './states.ts';
import { fixed } from './text.ts';
import { t } from './tool-text.ts';

/** The page once what its form needs is loaded; its heading is there at once, with an empty line that keeps its room. */
export function onceLoaded<T>(needed: Load<T>, heading: string, page: (needed: T) => unknown): unknown {
  const { result } = needed;
  if (result.state === 'loaded') return page(result.value);
  if (result.state === 'failed') return failure(result.error, needed.reload);
  return html`${pageHead(heading, { about: '\u00a0' })}${loading()}`;
}

/** In the place of a first result. */
export function emptyResult(title: string, text: string) {
  if (EXAMPLE_SYMBOLS.length === 0) return marketLoading();
  return html`<section class="state"><h2>${title}</h2><p>${text}</p></section>`;
}

interface Workspace {
  /** The page as it opens. */
  readonly page: string;
  readonly head: unknown;
  readonly isBusy: boolean;
  readonly content: unknown;
  readonly setup: unknown;
  readonly foot?: unknown;
}

export function workspace({ page, head, isBusy, content, setup, foot = nothing }: Workspace) {
  return html`<div class="workspace">
    <div class="center">
      ${head}
      <section aria-live="polite" aria-busy=${isBusy}>${content}</section>
    </div>
    <aside class="inspector" id="inspector" popover aria-label=${t('form.setup')}>
      <header class="inspector-head">
        <h2>${t('form.setup')}</h2>
        <a href=${page}>${t('form.start_over')}</a>
      </header>
      <div class="inspector-body">${setup}</div>
      ${foot}
    </aside>
  </div>`;
}

/** Opens the set-up where it is a drawer. */
export const setupButton = () =>
  html`<button class="inspector-button" popovertarget="inspector">${t('form.setup')}</button>`;

/** Closes the drawer, so that its reader sees what was started. */
export function closeSetup(): void {
  document.querySelector<HTMLElement>('#inspector')?.hidePopover();
}

interface Spent {
  /** Null: not known yet. */
  readonly allowance: Allowance | null;
  readonly seconds: number | null;
  readonly trials: number | undefined;
}

/** The allowance that is left, and the time of the newest run. */
export function spentFoot({ allowance, seconds, trials }: Spent) {
  if (allowance === null && seconds === null) return nothing;
  return html`<footer class="inspector-foot muted">
    <div class="row spread">
      <span>${trials === undefined ? nothing : t('form.tried', { trials })}</span>
      <span>${seconds === null ? nothing : t('form.seconds', { seconds: fixed(seconds, 2) })}</span>
    </div>
    ${
      allowance === null
        ? nothing
        : html`<meter min="0" max=${allowance.limit} value=${allowance.remaining} aria-label=${t('form.allowance')}></meter>
            <p>${t('form.left', { remaining: allowance.remaining, limit: allowance.limit })}</p>`
    }
  </footer>`;
}
