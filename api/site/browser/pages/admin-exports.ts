/** Exports of daily bars: created, followed while they run, and downloaded. */
import { fieldsOf, SiteElement } from '../dom.ts';
import '../shell.ts';
import '../tool.ts';
import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { dataOf, path } from '../api.ts';
import { saveBlob } from '../download.ts';
import type { Column } from '../elements/data-table.ts';
import { type Filter, FilteredList } from '../elements/filtered-list.ts';
import { EXAMPLE_SYMBOLS } from '../examples.ts';
import { pageHead } from '../head.ts';
import { post, sendAsReader } from '../session.ts';
import { inlineFailure, settle } from '../states.ts';
import { fileSize, number, textOr, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Export, Listed } from '../types.ts';

const STATUSES = ['pending', 'running', 'done', 'failed'] as const satisfies readonly Export['status'][];
const FORMATS = ['csv', 'csv.gz', 'parquet'] as const;
const VENUE_BASES = ['consolidated', 'primary_session', 'single_venue'] as const;
const POLL_MS = 2_000;
const EXAMPLE_LIST = EXAMPLE_SYMBOLS.slice(0, 2).join(', ');
const EXPORTS = '/api/admin/data/exports';

@customElement('admin-exports-page')
export class AdminExportsPage extends SiteElement {
  @state() isBusy = false;
  @state() error: unknown = null;
  @state() isQueued = false;
  private readonly list = new FilteredList<Export>(this, {
    source: EXPORTS,
    filters,
    columns: () => this.columns(),
    empty,
    use: (list) => this.pollWhileOpen(list),
  });
  private timer: ReturnType<typeof setTimeout> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  private pollWhileOpen({ items }: Listed<Export>): void {
    clearTimeout(this.timer);
    if (items.some(isOpen)) this.timer = setTimeout(this.list.load, POLL_MS);
  }

  private async attempt(work: () => Promise<unknown>): Promise<void> {
    this.isBusy = true;
    this.isQueued = false;
    const result = await settle(work());
    this.isBusy = false;
    this.error = result.state === 'failed' ? result.error : null;
    await this.list.load();
  }

  private readonly create = (event: SubmitEvent) => {
    event.preventDefault();
    const given = fieldsOf(event);
    const field = (name: string) => String(given.get(name) ?? '').trim();
    const symbols = field('symbols')
      .split(/[\s,;]+/)
      .filter(Boolean);
    const body = {
      symbols: symbols.length > 0 ? symbols : undefined,
      start: field('start'),
      end: field('end'),
      venue_mode: field('venue_mode'),
      format: field('format'),
    };
    return this.attempt(async () => {
      const options = { body };
      const response = await sendAsReader('POST', '/api/admin/data/export', options);
      if (response.ok && response.status !== 202) return saveBlob(response);
      await dataOf(response);
      this.isQueued = true;
    });
  };

  private readonly download = ({ id }: Export) =>
    this.attempt(async () => {
      const response = await sendAsReader('GET', path(`${EXPORTS}/{id}/download`, { id }));
      if (!response.ok) await dataOf(response);
      else await saveBlob(response);
    });

  override render() {
    return html`${pageHead(t('page.admin_exports'))}
      <section>
        <h2>${t('exports.new')}</h2>
        ${this.form()}
      </section>
      <section>
        <h2>${t('page.admin_exports')}</h2>
        ${this.list.form()}${this.list.table(t('page.admin_exports'))}
      </section>`;
  }

  private form() {
    return html`<form @submit=${this.create}>
      <div class="fields">
        <label class="field wide"><span>${t('exports.symbols')}</span><input name="symbols" autocomplete="off" placeholder=${EXAMPLE_LIST} /></label>
        <label class="field"><span>${t('exports.start')}</span><input type="date" name="start" required /></label>
        <label class="field"><span>${t('exports.end')}</span><input type="date" name="end" required /></label>
        <label class="field"><span>${t('exports.venue_basis')}</span><select name="venue_mode">${VENUE_BASES.map((venueBasis) => html`<option value=${venueBasis}>${t(`venue_basis.${venueBasis}`)}</option>`)}</select></label>
        <label class="field"><span>${t('exports.format')}</span><select name="format">${FORMATS.map((format) => html`<option>${format}</option>`)}</select></label>
      </div>
      <p class="muted">${t('exports.text')}</p>
      ${inlineFailure(this.error)}
      <p class="row">
        <button class="primary" ?disabled=${this.isBusy}>${t('exports.create')}</button>
        <span role="status" class="muted">${this.isQueued ? t('exports.queued') : nothing}</span>
      </p>
    </form>`;
  }

  private columns(): Column<Export>[] {
    return [
      { key: 'created', title: t('keys.created'), cell: ({ created_at }) => utcTime(created_at) },
      {
        key: 'owner',
        title: t('exports.owner'),
        cell: ({ owner }) => html`<span class="clipped">${owner.email}</span>`,
      },
      {
        key: 'status',
        title: t('users.status'),
        cell: (one) =>
          html`${textOr(`exports.status.${one.status}`, one.status)}${one.error === null ? nothing : html` <span class="muted">${one.error}</span>`}`,
        tone: ({ status }) => (status === 'failed' ? 'loss' : ''),
      },
      {
        key: 'progress',
        title: t('exports.progress'),
        cell: ({ progress_pct: percent }) =>
          html`<progress max="100" value=${percent} aria-label=${t('exports.progress')}></progress> ${number(percent, 0)}%`,
      },
      { key: 'rows', title: t('exports.rows'), isNumber: true, cell: ({ rows }) => number(rows) },
      {
        key: 'bytes',
        title: t('exports.bytes'),
        isNumber: true,
        cell: ({ bytes }) => (bytes === null ? '–' : fileSize(bytes)),
      },
      { key: 'expires', title: t('exports.expires'), cell: ({ expires_at }) => utcTime(expires_at) },
      { key: 'action', title: t('keys.action'), isNumber: true, cell: (one) => this.actions(one) },
    ];
  }

  private actions(one: Export) {
    const to = (verb: 'retry' | 'cancel') => () =>
      this.attempt(() => post(path(`${EXPORTS}/{id}/${verb}`, { id: one.id }), {}));
    const named = (text: string) => `${text} ${one.id}`;
    if (one.status === 'done') {
      const text = t('exports.download');
      return html`<button class="quiet" aria-label=${named(text)} ?disabled=${this.isBusy} @click=${() => this.download(one)}>${text}</button>`;
    }
    if (one.status === 'failed') {
      const text = t('state.try_again');
      return html`<button class="quiet" aria-label=${named(text)} @click=${to('retry')}>${text}</button>`;
    }
    const text = t('word.cancel');
    return html`<button class="quiet" aria-label=${named(text)} @click=${to('cancel')}>${text}</button>`;
  }
}

function filters(): readonly Filter[] {
  return [
    {
      name: 'status',
      label: t('users.status'),
      type: 'select',
      values: STATUSES.map((status) => [status, t(`exports.status.${status}`)] as const),
    },
    {
      name: 'mine',
      label: t('exports.owner'),
      type: 'select',
      values: [['false', t('exports.everybody')]],
      otherwise: t('exports.mine'),
    },
  ];
}

function empty() {
  return html`<p class="muted">${t('exports.none')}</p>`;
}

const isOpen = ({ status }: Export) => status === 'pending' || status === 'running';
