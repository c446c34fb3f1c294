/** A check of files that are dropped here, or of a folder, before they are loaded. */
import { customElement, state } from 'lit/decorators.js';
import { base64Of } from '../base64.ts';
import { fieldsOf, html, nothing, SiteElement, targetOf } from '../dom.ts';
import { accounts } from '../ops/load-files.ts';
import { post } from '../session.ts';
import { failure, type Loaded, loading, settle } from '../states.ts';
import { t } from '../tool-text.ts';
import type { FileCheck } from '../types.ts';
import './data-table.ts';
import { type Column, numberColumn } from './data-table.ts';

/** Bytes of each text file at most, and of all together. */
const SAMPLE_BYTES = { each: 1_000_000, all: 5_000_000 } as const;
const PACKED = /\.(zip|gz|zst|parquet|arrow|feather)$/i;

@customElement('file-check')
export class FileCheckForm extends SiteElement {
  /** Null: nothing was checked. */
  @state() found: Loaded<FileCheck> | null = null;
  private last: () => Promise<object> = async () => ({ folder: '' });

  private readonly check = async (): Promise<void> => {
    this.found = { state: 'loading' };
    const body = await this.last();
    this.found = await settle(post<FileCheck>('/api/admin/data/files/check', body));
  };

  private checkFiles(files: readonly File[]): Promise<void> {
    const most = Math.min(SAMPLE_BYTES.each, SAMPLE_BYTES.all / files.length);
    this.last = async () => ({ files: await Promise.all(files.map((file) => sendable(file, most))) });
    return this.check();
  }

  private readonly onDrop = (event: DragEvent) => {
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) void this.checkFiles(files);
  };

  private readonly onChoose = (event: Event) => {
    const files = [...(targetOf(event, HTMLInputElement).files ?? [])];
    if (files.length > 0) void this.checkFiles(files);
  };

  private readonly onFolder = (event: SubmitEvent) => {
    event.preventDefault();
    const folder = String(fieldsOf(event).get('folder')).trim();
    this.last = async () => ({ folder });
    void this.check();
  };

  override render() {
    return html`<div class="notice" @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${this.onDrop}>
        <label class="field"><span>${t('check.files')}</span><input type="file" multiple @change=${this.onChoose} /></label>
        <p class="muted small">${t('check.about')}</p>
      </div>
      <form class="row one-line" @submit=${this.onFolder}>
        <label class="field"><span>${t('check.folder')}</span><input name="folder" maxlength="500" autocomplete="off" /></label>
        <button>${t('check.run')}</button>
      </form>
      <div aria-live="polite">${this.outcome()}</div>`;
  }

  private outcome() {
    const { found } = this;
    if (found === null) return nothing;
    if (found.state === 'loading') return loading();
    return found.state === 'failed' ? failure(found.error, this.check) : content(found.value);
  }
}

/** A file as it is sent: of a long text its first lines. */
async function sendable(file: File, most: number): Promise<{ name: string; content: string }> {
  const isWhole = file.size <= most || PACKED.test(file.name);
  const start = isWhole ? file : file.slice(0, most);
  const end = isWhole ? file.size : new Uint8Array(await start.arrayBuffer()).lastIndexOf(0x0a) + 1;
  return { name: file.webkitRelativePath || file.name, content: await base64Of(start.slice(0, end)) };
}

function content({ ok, estimated, layouts, missing, suggest, files, files_total: total }: FileCheck) {
  const text = JSON.stringify(suggest['market.json']);
  return html`<p>${t(ok ? 'check.ok' : 'check.not_ok')} ${estimated ? t('check.estimated') : nothing}</p>
    ${layouts.length === 0 ? nothing : html`<data-table .columns=${COLUMNS} .rows=${layouts} .caption=${t('check.layout')}></data-table>`}
    ${missing.map((code) => html`<p class="muted small">${t(`check.missing.${code}`)}</p>`)}
    ${text === '{}' ? nothing : html`<p class="small">${t('check.suggest', { text })}</p>`}
    ${accounts(files, total)}`;
}

const COLUMNS: readonly Column<FileCheck['layouts'][number]>[] = [
  { key: 'layout', title: t('check.layout'), cell: ({ layout }) => layout },
  numberColumn('files', t('check.files'), ({ files }) => files),
  numberColumn('symbols', t('check.symbols'), ({ symbols }) => symbols),
  { key: 'range', title: t('word.date'), cell: ({ first, last }) => (first === null ? '' : `${first} … ${last}`) },
  { key: 'prices', title: t('check.prices'), cell: ({ prices }) => prices },
  numberColumn('events', t('check.events'), ({ events }) => events),
];
