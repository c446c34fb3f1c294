/** A plan: what it allows, and how much of it is used. */
import { customElement, property } from 'lit/decorators.js';
import { html, nothing, SiteElement } from '../dom.ts';
import { day, number, textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { AccountPlan } from '../types.ts';
import './data-table.ts';
import type { Column } from './data-table.ts';

interface Rate {
  readonly category: string;
  readonly limit: number;
  readonly used: number;
  readonly seconds: number;
}

@customElement('account-plan')
export class AccountPlanView extends SiteElement {
  @property({ attribute: false }) plan!: AccountPlan;

  override render() {
    const { plan, effective_plan: effective, plan_expires_at: until, quotas, usage } = this.plan;
    const isExpired = plan !== effective;
    const name = textOr(`plan.${effective}`, effective);
    return html`<dl class="figures">
        <div>
          <dt>${t('account.plan')}</dt>
          <dd>${name}<small>${until === null ? t('plan_view.permanent') : t('plan_view.until', { date: day(until) })}</small></dd>
        </div>
        ${quota(t('account.keys'), usage.api_keys, quotas.api_keys_max)}
        ${quota(t('plan_view.saved'), usage.backtests_saved, quotas.backtest_history_max)}
        ${quota(t('plan_view.running'), usage.backtests_running, quotas.concurrent_backtests)}
      </dl>
      ${isExpired ? html`<p class="notice warning">${t('plan_view.expired', { plan: textOr(`plan.${plan}`, plan), now: name })}</p>` : nothing}
      <h3>${t('plan_view.rates')}</h3>
      <p class="muted">${t('plan_view.rates.text')}</p>
      <data-table .columns=${rateColumns()} .rows=${this.rates()} .caption=${t('plan_view.rates')}></data-table>
      <h3>${t('plan_view.sizes')}</h3>
      <dl class="facts">
        <dt>${t('plan_view.days')}</dt><dd>${quotas.kline_max_days === null ? t('plan_view.no_limit') : number(quotas.kline_max_days)}</dd>
        <dt>${t('plan_view.batch')}</dt><dd>${number(quotas.batch_symbols_max)}</dd>
        <dt>${t('plan_view.portfolio')}</dt><dd>${allowance(quotas.portfolio_symbols_max)}</dd>
        <dt>${t('plan_view.cells')}</dt><dd>${allowance(quotas.sweep_cells_max)}</dd>
        <dt>${t('plan_view.factor_cells')}</dt><dd>${allowance(quotas.factor_cells_max)}</dd>
      </dl>`;
  }

  private rates(): Rate[] {
    return Object.entries(this.plan.rate_limits).map(([category, { limit, remaining, window_seconds: seconds }]) => ({
      category,
      limit,
      used: limit - remaining,
      seconds,
    }));
  }
}

const allowance = (most: number) => (most === 0 ? t('plan_view.not_included') : number(most));

function quota(label: string, used: number, most: number | null) {
  const text = most === null ? t('plan_view.unlimited') : t('plan_view.of', { most });
  return html`<div>
    <dt>${label}</dt>
    <dd>
      ${number(used)}<small>${text}</small>
      ${most === null ? nothing : html`<meter min="0" max=${Math.max(1, most)} value=${used} aria-label=${label}></meter>`}
    </dd>
  </div>`;
}

function rateColumns(): Column<Rate>[] {
  const name = ({ category }: Rate) => textOr(`category.${category}`, category);
  return [
    { key: 'category', title: t('plan_view.calls'), value: name },
    {
      key: 'used',
      title: t('plan_view.used'),
      isNumber: true,
      value: ({ used }) => used,
      cell: ({ limit, used }) => (limit === 0 ? '–' : number(used)),
    },
    {
      key: 'limit',
      title: t('plan_view.limit'),
      isNumber: true,
      value: ({ limit }) => limit,
      cell: ({ limit, seconds }) => {
        if (limit === 0) return t('plan_view.not_included');
        return t(seconds === 3600 ? 'plan_view.an_hour' : 'plan_view.a_minute', { limit });
      },
    },
    {
      key: 'meter',
      title: t('plan_view.share'),
      cell: (rate) =>
        rate.limit === 0
          ? nothing
          : html`<meter min="0" max=${rate.limit} value=${rate.used} aria-label=${name(rate)}></meter>`,
    },
  ];
}
