/** The audit log; filters and entries have addresses that can be shared. */
import '../shell.ts';
import '../tool.ts';
import { customElement, state } from 'lit/decorators.js';
import { fromAddress } from '../address.ts';
import { path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import type { Column } from '../elements/data-table.ts';
import { codeFilter, type Filter, FilteredList } from '../elements/filtered-list.ts';
import { pageHead } from '../head.ts';
import { get } from '../session.ts';
import { failure, LOADING, type Loaded, loading, settle } from '../states.ts';
import { textOr, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { AuditEntry, AuditVocabulary } from '../types.ts';

const RESULTS = ['ok', 'failed'] as const;
const entryAddress = (id: number) => `/admin/audit?entry=${id}`;

@customElement('admin-audit-page')
export class AdminAuditPage extends SiteElement {
  @state() entry: Loaded<AuditEntry> = LOADING;
  @state() vocabulary: AuditVocabulary = { actions: [], target_types: [] };
  private readonly list = new FilteredList<AuditEntry>(this, {
    source: '/api/admin/audit',
    filters: () => this.filters(),
    columns,
    empty: t('audit.none'),
  });

  override connectedCallback(): void {
    super.connectedCallback();
    if (fromAddress('entry') === null) this.loadVocabulary();
    else this.loadEntry();
  }

  private readonly loadEntry = async () => {
    const address = path('/api/admin/audit/{id}', { id: fromAddress('entry') ?? '' });
    this.entry = await settle(get<AuditEntry>(address));
  };

  private async loadVocabulary(): Promise<void> {
    const vocabulary = await settle(get<AuditVocabulary>('/api/admin/audit/actions'));
    if (vocabulary.state === 'loaded') this.vocabulary = vocabulary.value;
  }

  private filters(): readonly Filter[] {
    const { actions, target_types: types } = this.vocabulary;
    const plain = (name: string, label: string, codes: readonly string[]) => {
      const chosen = fromAddress(name);
      const all = chosen === null || codes.includes(chosen) ? codes : [...codes, chosen];
      return codeFilter(name, label, all, (code) => code);
    };
    return [
      { name: 'actor', label: t('audit.actor'), type: 'search' },
      plain('action', t('keys.action'), actions),
      plain('target_type', t('audit.target_type'), types),
      { name: 'target_id', label: t('audit.target_id'), type: 'search' },
      codeFilter('result', t('audit.result'), RESULTS, (result) => t(`audit.result.${result}`)),
      { name: 'from', label: t('audit.from'), type: 'date' },
      { name: 'to', label: t('audit.to'), type: 'date' },
    ];
  }

  override render() {
    if (fromAddress('entry') !== null) return this.oneEntry();
    return html`${pageHead(t('page.admin_audit'))}${this.list.form()}${this.list.table(t('page.admin_audit'))}`;
  }

  private oneEntry() {
    const back = html`<p class="small"><a href="/admin/audit">${t('page.admin_audit')}</a></p>`;
    if (this.entry.state === 'loading') return html`${pageHead(t('page.admin_audit'))}${back}${loading()}`;
    if (this.entry.state === 'failed') return html`${back}${failure(this.entry.error, this.loadEntry)}`;
    const { id, at, action, actor_email, actor_id, target_type, target_id, result, request_id, details } =
      this.entry.value;
    const actor = actor_email ?? t('audit.nobody');
    return html`${pageHead(t('audit.entry', { id: String(id) }))}
      ${back}
      <dl class="facts">
        <dt>${t('audit.at')}</dt><dd>${utcTime(at)}</dd>
        <dt>${t('audit.actor')}</dt>
        <dd>${actor_id === null ? actor : html`<a href=${`/admin/users?user=${actor_id}`}>${actor}</a>`}</dd>
        <dt>${t('keys.action')}</dt><dd><code>${action}</code></dd>
        <dt>${t('audit.target')}</dt><dd>${targetLink(target_type, target_id)}</dd>
        <dt>${t('audit.result')}</dt><dd class=${result === 'ok' ? '' : 'loss'}>${t(`audit.result.${result}`)}</dd>
        ${request_id === null ? nothing : html`<dt>${t('audit.request')}</dt><dd><code>${request_id}</code></dd>`}
      </dl>
      <h2>${t('audit.details')}</h2>
      <pre tabindex="0" aria-label=${t('audit.details')}><code>${JSON.stringify(details, null, 2)}</code></pre>`;
  }
}

function columns(): Column<AuditEntry>[] {
  return [
    { key: 'at', title: t('audit.at'), cell: ({ id, at }) => html`<a href=${entryAddress(id)}>${utcTime(at)}</a>` },
    { key: 'actor', title: t('audit.actor'), cell: ({ actor_email }) => actor_email ?? t('audit.nobody') },
    { key: 'action', title: t('keys.action'), cell: ({ action }) => html`<code>${action}</code>` },
    { key: 'target', title: t('audit.target'), cell: (entry) => targetLink(entry.target_type, entry.target_id) },
    {
      key: 'result',
      title: t('audit.result'),
      cell: ({ result }) => textOr(`audit.result.${result}`, result),
      tone: ({ result }) => (result === 'ok' ? '' : 'loss'),
    },
  ];
}

/** Links to all entries of the target. */
function targetLink(type: string, id: string | null) {
  if (id === null) return type;
  const query = new URLSearchParams({ target_type: type, target_id: id });
  return html`<a href=${`/admin/audit?${query}`}>${type} ${id}</a>`;
}
