/** Exports of daily bars: created, followed while they run, and downloaded. */
import { customElement, state } from 'lit/decorators.js';
import { fieldsOf, html, nothing, SiteElement, textIn } from '../dom.ts';
import '../shell.ts';
import '../tool.ts';
import { dataOf, path } from '../api.ts';
import { saveAnswer, saveBlob } from '../download.ts';
import { actionColumn, type Column, rowButton } from '../elements/data-table.ts';
import { codeFilter, type Filter, FilteredList } from '../elements/filtered-list.ts';
import { EXAMPLE_SYMBOLS } from '../examples.ts';
import { pageHead } from '../head.ts';
import { Attempt } from '../load.ts';
import { post, sendAsReader } from '../session.ts';
import { fileSize, number, symbolsIn, textOr, utcTime } from '../text.ts';
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
  @state() isQueued = false;
  private readonly work = new Attempt(this);
  private readonly list = new FilteredList<Export>(this, {
    source: EXPORTS,
    filters,
    columns: () => this.columns(),
    empty: t('exports.none'),
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
    this.isQueued = false;
    await this.work.make(work);
    await this.list.load();
  }

  private readonly create = (event: SubmitEvent) => {
    event.preventDefault();
    const given = fieldsOf(event);
    const symbols = symbolsIn(textIn(given, 'symbols'));
    const body = { ...Object.fromEntries(given), symbols: symbols.length > 0 ? symbols : undefined };
    return this.attempt(async () => {
      const response = await sendAsReader('POST', '/api/admin/data/export', { body });
      if (response.ok && response.status !== 202) return saveBlob(response);
      await dataOf(response);
      this.isQueued = true;
    });
  };

  private readonly download = ({ id }: Export) =>
    this.attempt(() => saveAnswer('GET', path(`${EXPORTS}/{id}/download`, { id })));

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
      ${this.work.failure()}
      <p class="row">
        <button class="primary" ?disabled=${this.work.isBusy}>${t('exports.create')}</button>
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
      { key: 'rows', title: t('data.rows'), isNumber: true, cell: ({ rows }) => number(rows) },
      {
        key: 'bytes',
        title: t('data.size'),
        isNumber: true,
        cell: (one) => (one.bytes === null ? '–' : fileSize(one.bytes)),
      },
      { key: 'expires', title: t('exports.expires'), cell: ({ expires_at }) => utcTime(expires_at) },
      actionColumn(t('keys.action'), (one) => this.actions(one)),
    ];
  }

  private actions(one: Export) {
    const to = (verb: 'retry' | 'cancel') => () =>
      this.attempt(() => post(path(`${EXPORTS}/{id}/${verb}`, { id: one.id }), {}));
    const button = (text: string, act: () => unknown) => rowButton(text, `${text} ${one.id}`, act, this.work.isBusy);
    if (one.status === 'done') return button(t('exports.download'), () => this.download(one));
    return one.status === 'failed' ? button(t('state.try_again'), to('retry')) : button(t('word.cancel'), to('cancel'));
  }
}

function filters(): readonly Filter[] {
  return [
    codeFilter('status', t('users.status'), STATUSES, (status) => t(`exports.status.${status}`)),
    codeFilter('mine', t('exports.owner'), ['false'], () => t('exports.everybody'), t('exports.mine')),
  ];
}

const isOpen = ({ status }: Export) => status === 'pending' || status === 'running';
