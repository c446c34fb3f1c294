/** Accounts: found by filters, and one of them in full, with what an administrator may change. */
import '../shell.ts';
import '../tool.ts';
import { fromAddress } from '../address.ts';
import { pageHead } from '../head.ts';
import type { AdminUser } from '../types.ts';
import '../elements/admin-user.ts';
import { customElement } from 'lit/decorators.js';
import { html, SiteElement } from '../dom.ts';
import { PLANS, STATUSES } from '../elements/admin-user.ts';
import type { Column } from '../elements/data-table.ts';
import { codeFilter, type Filter, FilteredList } from '../elements/filtered-list.ts';
import { number, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';

const ROLES = ['true', 'false'] as const;
const SORTS = ['last_login_at', 'login_count'] as const;

@customElement('admin-users-page')
export class AdminUsersPage extends SiteElement {
  private readonly list = new FilteredList<AdminUser>(this, {
    source: '/api/admin/users',
    filters,
    columns,
    empty: t('users.none'),
  });

  override render() {
    const id = fromAddress('user');
    if (id !== null) {
      return html`<p class="back small"><a href="/admin/users">${t('page.admin_users')}</a></p>
        <admin-user .userId=${id}></admin-user>`;
    }
    return html`${pageHead(t('page.admin_users'))}${this.list.form()}${this.list.table(t('page.admin_users'))}`;
  }
}

function filters(): readonly Filter[] {
  return [
    { name: 'q', label: t('users.search'), type: 'search' },
    codeFilter('plan', t('account.plan'), PLANS, (plan) => t(`plan.${plan}`)),
    codeFilter('status', t('users.status'), STATUSES, (status) => t(`users.status.${status}`)),
    codeFilter('is_admin', t('users.role'), ROLES, (role) => t(role === 'true' ? 'users.admin' : 'users.member')),
    codeFilter('sort', t('users.sort'), SORTS, (sort) => t(`users.sort.${sort}`), t('users.sort.created_at')),
  ];
}

function columns(): Column<AdminUser>[] {
  return [
    {
      key: 'email',
      title: t('sign_in.email'),
      cell: ({ id, email }) => html`<a class="clipped" href=${`/admin/users?user=${id}`}>${email}</a>`,
    },
    { key: 'name', title: t('sign_in.name'), cell: ({ name }) => html`<span class="clipped">${name}</span>` },
    { key: 'plan', title: t('account.plan'), cell: ({ plan }) => t(`plan.${plan}`) },
    {
      key: 'status',
      title: t('users.status'),
      cell: ({ status, is_admin }) => `${t(`users.status.${status}`)}${is_admin ? ` · ${t('users.admin')}` : ''}`,
      tone: ({ status }) => (status === 'active' ? '' : 'loss'),
    },
    { key: 'country', title: t('users.country'), isMinor: true, cell: (user) => user.register_country_name ?? '–' },
    { key: 'calls', title: t('users.calls'), isNumber: true, cell: ({ calls_30d }) => number(calls_30d) },
    { key: 'backtests', title: t('plan_view.saved'), isNumber: true, cell: (user) => number(user.backtest_count) },
    { key: 'created', title: t('users.created'), isMinor: true, cell: ({ created_at }) => utcTime(created_at) },
    { key: 'last', title: t('users.last_login'), cell: ({ last_login_at }) => utcTime(last_login_at) },
  ];
}
