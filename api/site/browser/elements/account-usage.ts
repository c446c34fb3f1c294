/** Calls of an account by day and by endpoint. */

import { customElement, state } from 'lit/decorators.js';
import { choiceFromAddress, followAddress, toAddress } from '../address.ts';
import { choice } from '../controls.ts';
import { html, SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { get } from '../session.ts';
import { t } from '../tool-text.ts';
import type { Usage } from '../types.ts';
import { type Column, codeColumn, numberColumn } from './data-table.ts';
import './day-bars.ts';

const DAYS = ['30', '7', '90'] as const;
type Days = (typeof DAYS)[number];
type EndpointCalls = Usage['by_endpoint'][number];

@customElement('account-usage')
export class AccountUsage extends SiteElement {
  @state() days: Days = DAYS[0];
  private readonly usage = new Load(this, () => {
    this.days = choiceFromAddress('days', DAYS);
    return get<Usage>('/api/account/usage', { query: { days: this.days } });
  });

  constructor() {
    super();
    followAddress(this, this.usage.reload);
  }

  private readonly choose = (days: Days) => {
    toAddress({ days: days === DAYS[0] ? null : days });
    void this.usage.reload();
  };

  override render() {
    const values = [...DAYS]
      .sort((a, b) => Number(a) - Number(b))
      .map((days) => [days, t('usage.days', { days: Number(days) })] as const);
    return html`<div class="controls">
        ${choice({ label: t('usage.window'), name: 'days', values, chosen: this.days, onChoose: this.choose })}
      </div>
      ${this.usage.render(content)}`;
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
