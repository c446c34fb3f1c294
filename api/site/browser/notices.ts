/** Notices: a shared link, a secret that is shown once, the notes of a result, and what delays a job. */
import './elements/copy-button.ts';
import { html, nothing } from 'lit';
import { wordSpace } from './text.ts';
import { t } from './tool-text.ts';
import type { Sharing } from './types.ts';

/** The link to something that its reader has shared, with a button that revokes it. */
export function shareNotice(sharing: Sharing | null, revoke: () => unknown) {
  if (!sharing?.url) return nothing;
  const { url } = sharing;
  return html`<div class="notice row" role="status">
    <span>${t('run.shared_at')}</span> <a href=${url}>${url}</a> <copy-button .text=${url}></copy-button>
    <button type="button" @click=${revoke}>${t('run.unshare')}</button>
  </div>`;
}

export interface Secret {
  readonly title: string;
  /** Where to copy the secret to. */
  readonly text: string;
  readonly secret: string;
  readonly onDismiss: () => void;
}

/** A secret to copy, with a button that dismisses it. */
export function secretNotice({ title, text, secret, onDismiss }: Secret) {
  return html`<div class="notice" role="status">
    <p><b>${title}</b>${wordSpace}${text}</p>
    <p><code class="secret">${secret}</code></p>
    <p class="row"><copy-button .text=${secret} .isMain=${true}></copy-button><button type="button" @click=${onDismiss}>${t('word.saved')}</button></p>
  </div>`;
}

export interface NotedResult {
  readonly notes: readonly { readonly level: string; readonly message: string }[];
  readonly data_range?: { readonly hints?: readonly string[] | null };
}

/** Notes that a page adds to those of a result. */
export interface OwnNotes {
  readonly warnings?: readonly string[];
  readonly remarks?: readonly string[];
}

function levelsOf({ notes, data_range }: NotedResult, { warnings = [], remarks = [] }: OwnNotes) {
  const messages = (level: string) => notes.filter((note) => note.level === level).map(({ message }) => message);
  return {
    warnings: [...(data_range?.hints ?? []), ...messages('warning'), ...warnings],
    remarks: [...messages('info'), ...remarks],
  };
}

/** How many notes a result has, and how many of them are warnings. */
export function noteCount(result: NotedResult, own: OwnNotes = {}) {
  const { warnings, remarks } = levelsOf(result, own);
  return { warnings: warnings.length, all: warnings.length + remarks.length };
}

/** The notes of a result, followed by notes that the page adds. */
export function notices(result: NotedResult, own: OwnNotes = {}) {
  const { warnings, remarks } = levelsOf(result, own);
  return html`${warnings.map((text) => html`<p class="notice warning">${text}</p>`)}
    ${remarks.map((text) => html`<p class="notice">${text}</p>`)}`;
}

let shown: HTMLElement | null = null;

/** Shows at the top of the page what delays the job that it waits for; null: nothing, or the job has ended. */
export function showJobNotice(text: string | null): void {
  if (text === (shown?.textContent ?? null)) return;
  shown?.remove();
  shown = null;
  if (text === null) return;
  shown = document.createElement('p');
  shown.className = 'notice';
  shown.role = 'status';
  shown.textContent = text;
  document.querySelector('main')?.prepend(shown);
}
