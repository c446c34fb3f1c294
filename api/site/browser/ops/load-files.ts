/** The files of a load, with what became of their lines. */
import { customElement, property, state } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { get } from '../session.ts';
import { failure, type Loaded, loading, settle } from '../states.ts';
import { number, textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { SyncJobFiles } from '../types.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
const PRICES = /open|high|low|close|price/i;
const DAYS = /date|day|time|session/i;
const isPrice = (value: string) => Number(value) > 0 && Number(value) < Infinity;

/** The columns that a fault is of, and which of their values have it; default: all. */
const FAULTS: Readonly<Record<string, readonly [columns: RegExp, isRight?: (value: string) => boolean]>> = {
  bad_price: [PRICES, isPrice],
  implausible_price: [PRICES],
  high_too_low: [/high/i],
  low_too_high: [/low/i],
  bad_volume: [/vol/i],
  bad_date: [DAYS],
  not_a_session: [DAYS],
  unknown_instrument: [/symbol|ticker/i],
};

/** The error of a load: what it could not load, each for itself. */
export const partsOf = (error: string | null): string[] => error?.split(' | ') ?? [];

export const faultName = (reason: string) => textOr(`ops.fault.${reason}`, reason);

export function rejectedLine(
  { path, header, first_line }: Pick<FileAccount, 'path' | 'header' | 'first_line'>,
  { line, text, reason }: FileAccount['rejected_lines'][number],
) {
  const named = header > 0 ? (first_line ?? '') : '';
  return html`<li><span class="mono">${path}:${number(line)}</span> · ${faultName(reason)}
    <code class="rejected-line">${marked(text, named, reason)}</code></li>`;
}

/** The values between their delimiters. */
function marked(text: string, head: string, reason: string) {
  const [columns, isRight = () => false] = FAULTS[reason] ?? [];
  const delimiter = DELIMITERS.find((one) => head.includes(one));
  if (columns === undefined || delimiter === undefined) return text;
  const names = head.split(delimiter);
  return text.split(delimiter).map((value, i) => {
    const isWrong = columns.test(names[i] ?? '') && !isRight(value);
    return html`${i === 0 ? '' : delimiter}${isWrong ? html`<mark>${value || '∅'}</mark>` : value}`;
  });
}

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
