/** Revisions: bars and events that loads changed after they had been served, with what was and what is. */
import '../shell.ts';
import { html } from 'lit';
import { path } from '../api.ts';
import type { Column } from '../elements/data-table.ts';
import { type Filter, FilteredList } from '../elements/filtered-list.ts';
import { barChanges, eventChanges } from '../elements/verification-report.ts';
import { moment } from '../moments.ts';
import { number, t } from '../text.ts';
import type { Revision } from '../types.ts';

class AdminRevisionsPage extends FilteredList<Revision> {
  protected readonly source = '/v1/revisions';

  protected override filters(): readonly Filter[] {
    return [
      { name: 'symbol', label: t('form.symbol'), type: 'search' },
      { name: 'since', label: t('revisions.since'), type: 'date' },
    ];
  }

  override render() {
    return html`<h1>${t('page.admin_revisions')}</h1>
      <p class="muted">${t('revisions.text')}</p>
      ${this.filterForm()}${this.table(t('page.admin_revisions'))}`;
  }

  protected override empty() {
    return html`<section class="state">
      <h2>${t('revisions.none')}</h2>
      <p>${t('revisions.none.text')}</p>
    </section>`;
  }

  protected override columns(): Column<Revision>[] {
    return [
      { key: 'at', title: t('revisions.at'), cell: ({ at }) => moment(at) },
      { key: 'symbol', title: t('form.symbol'), cell: symbolLink },
      { key: 'date', title: t('word.date'), cell: ({ date }) => date },
      {
        key: 'kind',
        title: t('revisions.of'),
        cell: (revision) => (revision.kind === 'bar' ? t(`basis.${revision.venue_mode}`) : t('revisions.event')),
      },
      {
        key: 'change',
        title: t('revisions.change'),
        cell: (revision) => changesOf(revision).join('; '),
      },
      {
        key: 'job',
        title: t('revisions.load'),
        isNumber: true,
        cell: ({ sync_job_id }) => number(sync_job_id),
      },
    ];
  }
}

function symbolLink({ symbol }: Revision) {
  return symbol === null ? '–' : html`<a href=${path('/s/{symbol}', { symbol })}>${symbol}</a>`;
}

function changesOf(revision: Revision): string[] {
  const { date, was, is } = revision;
  if (revision.kind === 'event') {
    return eventChanges([{ ex_date: date, was: revision.was, is: revision.is }]).map(
      (change) => `${change.was} → ${change.is}`,
    );
  }
  if (was === null || is === null) return [t(was === null ? 'revisions.added' : 'revisions.removed')];
  return barChanges([{ date, was: revision.was, is: revision.is }]).map(
    (change) => `${change.name} ${change.was} → ${change.is}`,
  );
}

customElements.define('admin-revisions-page', AdminRevisionsPage);
