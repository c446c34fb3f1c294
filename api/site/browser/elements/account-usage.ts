/** Calls of an account by day and by endpoint. */
import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { Usage } from '../account-types.ts';
import { choiceFromAddress, followAddress, toAddress } from '../address.ts';
import { choice } from '../choice.ts';
import { SiteElement } from '../element.ts';
import { get } from '../session.ts';
import { failure, LOADING, type Loaded, loading, outcome } from '../states.ts';
import { number, t } from '../text.ts';
import './data-table.ts';
import type { Column } from './data-table.ts';
import './day-bars.ts';

const DAYS = ['30', '7', '90'] as const;
type Days = (typeof DAYS)[number];
type EndpointCalls = Usage['by_endpoint'][number];

@customElement('account-usage')
export class AccountUsage extends SiteElement {
  @state() usage: Loaded<Usage> = LOADING;
  @state() days: Days = choiceFromAddress('days', DAYS);

  constructor() {
    super();
    followAddress(this, () => {
      this.days = choiceFromAddress('days', DAYS);
      this.load();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.load();
  }

  private readonly load = async (): Promise<void> => {
    const { days } = this;
    const usage = await outcome(get<Usage>('/api/account/usage', { query: { days } }));
    if (days === this.days) this.usage = usage;
  };

  private readonly choose = (days: Days) => {
    this.days = days;
    toAddress({ days: days === DAYS[0] ? null : days });
    this.load();
  };

  override render() {
    const values = [...DAYS]
      .sort((a, b) => Number(a) - Number(b))
      .map((days) => [days, t('usage.days', { days: Number(days) })] as const);
    return html`<div class="controls">
        ${choice({ label: t('usage.window'), name: 'days', values, chosen: this.days, onChoose: this.choose })}
      </div>
      ${this.content()}`;
  }

  private content() {
    if (this.usage.state === 'loading') return loading();
    if (this.usage.state === 'failed') return failure(this.usage.error, this.load);
    const { total, by_day, by_endpoint } = this.usage.value;
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
}

function columns(): Column<EndpointCalls>[] {
  return [
    {
      key: 'endpoint',
      title: t('usage.endpoint'),
      value: ({ endpoint }) => endpoint,
      cell: ({ endpoint }) => html`<code>${endpoint}</code>`,
    },
    {
      key: 'calls',
      title: t('usage.calls'),
      isNumber: true,
      value: ({ calls }) => calls,
      cell: ({ calls }) => number(calls),
    },
  ];
}
