/** The back office at a glance: accounts, visits, calls, and backtests by day. */
import '../shell.ts';
import '../tool.ts';
import { type Column, codeColumn, numberColumn } from '../elements/data-table.ts';
import { pageHead } from '../head.ts';
import type { Overview } from '../types.ts';
import '../elements/day-bars.ts';
import { customElement } from 'lit/decorators.js';
import { html, nothing, SiteElement } from '../dom.ts';
import { ByDays, type DayValue } from '../elements/day-bars.ts';
import { day, number, textOr } from '../text.ts';
import { t } from '../tool-text.ts';

type Client = Overview['clients'][number];
type Endpoint = Overview['api']['top_endpoints'][number];

@customElement('admin-page')
export class AdminPage extends SiteElement {
  private readonly overview = new ByDays<Overview>(this, '/api/admin/stats/overview', ['30', '7', '90', '365']);

  override render() {
    return html`${pageHead(t('nav.admin.overview'))} ${this.overview.render(content)}`;
  }
}

function content({ users, visits, backtests, api, clients, data }: Overview) {
  const latency = backtests.avg_duration_ms;
  return html`<div class="charts">
      ${chart(t('admin.registrations'), users.new, users.trend, t('admin.users_of', { total: users.total, active: users.active }))}
      ${chart(t('admin.views'), visits.pv, visits.trend, t('admin.visitors', { uv: visits.uv }))}
      ${chart(t('admin.calls'), api.calls, api.trend, t('admin.errors', { errors: api.errors }))}
      ${chart(t('plan_view.saved'), backtests.total, backtests.trend, latency === null ? '' : t('admin.latency', { ms: latency }))}
    </div>
    <section>
      <h2>${t('admin.clients')}</h2>
      <data-table .columns=${clientColumns()} .rows=${clients} .caption=${t('admin.clients')}></data-table>
    </section>
    <section>
      <h2>${t('admin.endpoints')}</h2>
      <data-table .columns=${endpointColumns()} .rows=${api.top_endpoints} .caption=${t('admin.endpoints')}></data-table>
    </section>
    <section>
      <h2>${t('admin.data')}</h2>
      <dl class="facts">
        <dt>${t('home.symbols')}</dt><dd>${number(data.symbols)}</dd>
        <dt>${t('home.bars')}</dt><dd>${number(data.daily_bars)}</dd>
        <dt>${t('symbol.history')}</dt>
        <dd>${t('symbol.history.range', { start: day(data.first_date), end: day(data.last_date) })}</dd>
      </dl>
    </section>`;
}

function chart(label: string, total: number, days: readonly DayValue[], note: string) {
  return html`<section>
    <h2>${label}</h2>
    <dl class="figures"><div><dt class="visually-hidden">${label}</dt><dd>${number(total)}${note === '' ? nothing : html`<small>${note}</small>`}</dd></div></dl>
    <day-bars .days=${days} .label=${label}></day-bars>
  </section>`;
}

function clientColumns(): Column<Client>[] {
  return [
    { key: 'kind', title: t('admin.client'), value: ({ kind }) => textOr(`admin.client.${kind}`, kind) },
    numberColumn('visits', t('admin.requests'), ({ visits }) => visits),
    numberColumn('visitors', t('admin.unique_visitors'), ({ unique_visitors }) => unique_visitors),
    numberColumn('users', t('admin.accounts'), ({ unique_users }) => unique_users),
  ];
}

function endpointColumns(): Column<Endpoint>[] {
  return [
    codeColumn('endpoint', t('usage.endpoint'), ({ method, endpoint }) => `${method} ${endpoint}`),
    numberColumn('calls', t('usage.calls'), ({ calls }) => calls),
    numberColumn('errors', t('admin.failed'), ({ errors }) => errors),
  ];
}
