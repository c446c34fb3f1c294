/** The frame of pages with an inspector: the picture in the center, and the set-up at its right; on narrow screens a drawer. */
import { html, nothing } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { fromAddress } from './address.ts';
import './elements/nearest-symbols.ts';
import { EXAMPLE_SYMBOLS } from './examples.ts';
import type { FieldErrors } from './fields.ts';
import { pageHead } from './head.ts';
import type { Load } from './load.ts';
import { failure, marketLoading } from './states.ts';
import { fieldProblem, fixed } from './text.ts';
import { t } from './tool-text.ts';

/** The page once what its form needs is loaded; its heading is there at once, with an empty line that keeps its room. */
export function onceLoaded<T>(needed: Load<T>, heading: string, page: (needed: T) => unknown): unknown {
  const { result } = needed;
  if (result.state === 'loaded') return page(result.value);
  const content = result.state === 'failed' ? failure(result.error, needed.reload) : reportShape();
  return html`${pageHead(heading, { about: '\u00a0' })}${content}`;
}

/** The shape of a report that is awaited: sentences, figures, chart, rows. */
export const reportShape = () => html`<div class="shape" role="status">
  <span class="visually-hidden">${t('form.running')}</span>
  <p></p>
  <div class="figures">${FIGURES.map(() => html`<p></p>`)}</div>
  <div class="shape-chart"></div>
  ${ROWS.map(() => html`<p></p>`)}
</div>`;
const [FIGURES, ROWS] = [6, 5].map((count) => Array.from({ length: count }));

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
  /** Why what is in sight is not the result of the fields; null: it is. */
  readonly stale?: string | null;
  readonly content: unknown;
  readonly setup: unknown;
  readonly foot?: unknown;
}

const FOLD_KEY = 'S';

export function workspace({ page, head, isBusy, stale = null, content, setup, foot = nothing }: Workspace) {
  return html`<div class="workspace">
    <div class="center">
      ${head}
      ${stale === null ? nothing : html`<p class="stale-note" role="status">${stale}</p>`}
      <section class=${stale === null ? '' : 'stale'} aria-live="polite" aria-busy=${isBusy}>${content}</section>
    </div>
    <button class="rail" popovertarget="inspector">${t('form.setup')} <kbd>${FOLD_KEY}</kbd></button>
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

/** In the place of a result that the fields do not allow: what is wrong with them. Where the set-up is folded, it opens at the first of them. */
export function refused(errors: FieldErrors) {
  const symbol = errors.symbol === undefined ? null : fromAddress('symbol');
  const places = new Map(Object.entries(errors).map(([path, text]) => [text, path]));
  return html`<section class="state refused" ${ref(openSetup)}>
    <h2>${t('form.refused')}</h2>
    <ul>${[...places].map(([text, path]) => html`<li>${fieldProblem(path, text)}</li>`)}</ul>
    ${symbol === null ? nothing : html`<nearest-symbols .symbol=${symbol} .href=${withSymbol}></nearest-symbols>`}
    ${setupButton()}
  </section>`;
}

/** This page with another symbol. */
function withSymbol(symbol: string): string {
  const here = new URL(location.href);
  here.searchParams.set('symbol', symbol);
  return here.href;
}

/** The form shows its errors after this. */
function openSetup(section: Element | undefined): void {
  if (section === undefined) return;
  requestAnimationFrame(() => {
    const setup = document.querySelector<HTMLElement>('#inspector');
    if (setup === null || getComputedStyle(setup).position !== 'fixed') return;
    setup.showPopover();
    setup.querySelector('.field-error')?.scrollIntoView({ block: 'center' });
  });
}

/** Closes the drawer, so that its reader sees what was started. */
export function closeSetup(): void {
  document.querySelector<HTMLElement>('#inspector')?.hidePopover();
}

/** The calls that a plan allows in its window, and those that are left of them. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
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
