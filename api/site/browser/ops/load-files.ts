/** The files of a load, with what became of their lines. */

import { customElement, property, state } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { get } from '../session.ts';
import { failure, type Loaded, loading, settle } from '../states.ts';
import { number } from '../text.ts';
import { t } from '../tool-text.ts';
import type { SyncJobFiles } from '../types.ts';
import { rejectedLine } from './rejected-line.ts';

const SHOWN = 50;
const SHOWN_LINES = 5;
type FileAccount = SyncJobFiles['items'][number];

@customElement('ops-load-files')
export class LoadFiles extends SiteElement {
  @property({ type: Number }) load!: number;
  /** In place of "Files". */
  @property({ attribute: false }) heading = '';
  /** Null: not asked for. */
  @state() files: Loaded<SyncJobFiles> | null = null;

  private readonly read = async () => {
    const address = path('/api/admin/data/sync-jobs/{id}/files', { id: this.load });
    this.files = await settle(get<SyncJobFiles>(address, { query: { size: SHOWN } }));
  };

  override render() {
    return html`<details @toggle=${() => this.files === null && void this.read()}>
      <summary>${this.heading || t('ops.files')}</summary>
      ${this.files === null || this.files.state === 'loading' ? loading() : this.files.state === 'failed' ? failure(this.files.error, this.read) : content(this.files.value)}
    </details>`;
  }
}

function content({ total, items }: SyncJobFiles) {
  if (total === 0) return html`<p class="muted small">${t('ops.files.none')}</p>`;
  return accounts(items, total);
}

/** A list of accounts of files. */
export function accounts(items: readonly FileAccount[], total: number) {
  return html`<p class="muted small">${t('ops.files.of', { shown: number(items.length), total })}</p>
    <dl class="facts">${items.map(fileItem)}</dl>`;
}

function fileItem(file: FileAccount) {
  const {
    path: name,
    layout,
    lines,
    loaded,
    repeated,
    rejected,
    left_out: left,
    reason,
    rejected_lines: bad,
    told,
  } = file;
  const counts = { lines, loaded, repeated, rejected, left };
  const texts = Object.fromEntries(Object.entries(counts).map(([key, value]) => [key, number(value)]));
  return html`<dt class="mono">${name}</dt>
    <dd>
      ${[layout ?? '', lines === 0 ? '' : t('ops.files.lines', texts)].filter((part) => part !== '').join(' · ')}
      ${reason === null ? nothing : html`<p class="cause">${reason}</p>`}
      ${told.slice(0, SHOWN_LINES).map((text) => html`<p class="muted small">${text}</p>`)}
      ${told.length > SHOWN_LINES ? html`<p class="muted small">${t('ops.preview.more', { count: number(told.length - SHOWN_LINES) })}</p>` : nothing}
      ${bad.length === 0 ? nothing : html`<ul class="plain small">${bad.slice(0, SHOWN_LINES).map((line) => rejectedLine(file, line))}</ul>`}
    </dd>`;
}
