/** Notices: a shared link, a secret that is shown once, the notes of a result, and what delays a job. */
import './elements/copy-button.ts';
import { html, nothing } from 'lit';
import { day, listed, ticker, wordSpace } from './text.ts';
import { t } from './tool-text.ts';
import type { Sharing, Signal, Watch } from './types.ts';

/** The link to something that its reader has shared, with a button that revokes it. */
export function shareNotice(sharing: Sharing | null, revoke: () => unknown) {
  if (!sharing?.url) return nothing;
  const { url } = sharing;
  return html`<div class="notice row" role="status">
    <span>${t('run.shared_at')}</span> <a href=${url}>${url}</a> <copy-button .text=${url}></copy-button>
    <button type="button" @click=${revoke}>${t('run.unshare')}</button>
  </div>`;
}

/** Where the signals of a watch will be, and its first ones where they are there; no watch: nothing is watched. */
export function watchNotice(watch: Watch | null, signals: readonly Signal[] | null = null) {
  if (watch === null) return nothing;
  const line = (kind: Signal['kind']) => {
    const symbols = signals?.filter((signal) => signal.kind === kind).map(({ symbol }) => ticker(symbol)) ?? [];
    return html`<li>${t(`watch.${kind}`, { count: symbols.length })} <b>${listed(symbols)}</b></li>`;
  };
  return html`<div class="notice" role="status">${t('strategies.watched', { name: watch.name })} <a href="/signals">${t('page.signals')}</a>
    ${signals === null || watch.evaluated === null ? nothing : html`<p>${t('watch.first', { date: day(watch.evaluated) })}</p><ul>${line('entry')}${line('exit')}</ul>`}</div>`;
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
    <p class="row"><copy-button .text=${secret} .isMain=${true}></copy-button><button type="button" @click=${onDismiss}>${t('word.have_saved')}</button></p>
  </div>`;
}

export interface NotedResult {
  readonly notes: readonly { readonly code: string; readonly level: string; readonly message: string }[];
  readonly data_range?: { readonly hints?: readonly string[] | null };
}

/** A page adds these to the notes of a result. */
export interface OwnNotes {
  readonly warnings?: readonly string[];
  readonly remarks?: readonly string[];
  /** The address of the same run over a longer range. */
  readonly longer?: string | null;
}

/** The note that a longer range may end. */
const OF_SHORT_RUNS = 'few_trades';
/** Notes in sight; the others are behind a line. */
const FIRST_NOTES = 3;

/** The notes of a result and those that the page adds, warnings first, each with what can be done about it. */
export function notices(
  { notes, data_range }: NotedResult,
  { warnings = [], remarks = [], longer = null }: OwnNotes = {},
) {
  const action = (code: string) =>
    longer !== null && code === OF_SHORT_RUNS
      ? html`${wordSpace}<a href=${longer}>${t('run.notes.longer')}</a>`
      : nothing;
  const ofLevel = (level: string) =>
    notes.filter((note) => note.level === level).map(({ code, message }) => html`${message}${action(code)}`);
  const all = [...(data_range?.hints ?? []), ...ofLevel('warning'), ...warnings, ...ofLevel('info'), ...remarks];
  if (all.length === 0) return nothing;
  const list = (some: readonly unknown[]) => html`<ul>${some.map((note) => html`<li>${note}</li>`)}</ul>`;
  const others = all.slice(FIRST_NOTES);
  return html`<div class="notice warning notes">${list(all.slice(0, FIRST_NOTES))}
    ${others.length === 0 ? nothing : html`<details><summary>${t('run.notes.more', { count: others.length })}</summary>${list(others)}</details>`}
  </div>`;
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
