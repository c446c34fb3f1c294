/** Revisions: bars and events that loads changed after they had been served, with what was and what is. */
import '../shell.ts';
import '../tool.ts';
import { customElement } from 'lit/decorators.js';
import { path } from '../api.ts';
import { barRevision } from '../bar-changes.ts';
import { html, SiteElement } from '../dom.ts';
import type { Column } from '../elements/data-table.ts';
import { type Filter, FilteredList } from '../elements/filtered-list.ts';
import { eventChanges } from '../elements/verification-report.ts';
import { pageHead } from '../head.ts';
import { number, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Revision } from '../types.ts';

@customElement('admin-revisions-page')
export class AdminRevisionsPage extends SiteElement {
  private readonly list = new FilteredList<Revision>(this, {
    source: '/v1/revisions',
    filters,
    columns,
    empty: html`<section class="state"><h2>${t('revisions.none')}</h2><p>${t('revisions.none.text')}</p></section>`,
  });

  override render() {
    return html`${pageHead(t('page.admin_revisions'))}
      <p class="muted">${t('revisions.text')}</p>
      ${this.list.form()}${this.list.table(t('page.admin_revisions'))}`;
  }
}

function filters(): readonly Filter[] {
  return [
    { name: 'symbol', label: t('form.symbol'), type: 'search' },
    { name: 'since', label: t('revisions.since'), type: 'date' },
  ];
}

function columns(): Column<Revision>[] {
  return [
    { key: 'at', title: t('revisions.at'), cell: ({ at }) => utcTime(at) },
    { key: 'symbol', title: t('form.symbol'), cell: symbolLink },
    { key: 'date', title: t('word.date'), cell: ({ date }) => date },
    {
      key: 'kind',
      title: t('revisions.of'),
      cell: (revision) => (revision.kind === 'bar' ? t(`venue_basis.${revision.venue_mode}`) : t('revisions.event')),
    },
    { key: 'change', title: t('revisions.change'), cell: changesOf },
    { key: 'job', title: t('revisions.load'), isNumber: true, cell: ({ sync_job_id }) => number(sync_job_id) },
  ];
}

function symbolLink({ symbol }: Revision) {
  return symbol === null ? '–' : html`<a href=${path('/s/{symbol}', { symbol })}>${symbol}</a>`;
}

function changesOf(revision: Revision): string {
  if (revision.kind === 'bar') return barRevision(revision.was, revision.is);
  const { date, was, is } = revision;
  return eventChanges([{ ex_date: date, was, is }])
    .map((change) => `${change.was} → ${change.is}`)
    .join('; ');
}
