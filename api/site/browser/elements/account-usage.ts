/** Calls of an account by day and by endpoint. */

import { customElement } from 'lit/decorators.js';
import { html, SiteElement } from '../dom.ts';
import { t } from '../tool-text.ts';
import type { Usage } from '../types.ts';
import { ByDays } from './by-days.ts';
import { type Column, codeColumn, numberColumn } from './data-table.ts';
import './day-bars.ts';

type EndpointCalls = Usage['by_endpoint'][number];

@customElement('account-usage')
export class AccountUsage extends SiteElement {
  private readonly usage = new ByDays<Usage>(this, '/api/account/usage', ['30', '7', '90']);

  override render() {
    return this.usage.render(content);
  }
}

function content({ total, by_day, by_endpoint }: Usage) {
  if (total === 0) {
    return html`<p class="muted">${t('usage.none')}</p>
      <pre tabindex="0" aria-label=${t('usage.example')}><code>curl -H "X-API-Key: $KEY" ${location.origin}/v1/symbols?q=etf</code></pre>`;
  }
  const days = by_day.map(({ date, calls: value }) => ({ date, value }));
  return html`<p>${t('usage.total', { total })}</p>
    <day-bars .days=${days} .label=${t('usage.calls')}></day-bars>
    <h3>${t('usage.by_endpoint')}</h3>
    <data-table .columns=${columns()} .rows=${by_endpoint} .caption=${t('usage.by_endpoint')}></data-table>`;
}

function columns(): Column<EndpointCalls>[] {
  return [
    codeColumn('endpoint', t('usage.endpoint'), ({ endpoint }) => endpoint),
    numberColumn('calls', t('usage.calls'), ({ calls }) => calls),
  ];
}
