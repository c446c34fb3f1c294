/** Says that a limit is reached, when it ends, and which plan allows more. Retries when it has ended. */

import { customElement, property, state } from 'lit/decorators.js';
import type { ApiError } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { get, signedInAs, signIn } from '../session.ts';
import { t, textOr } from '../text.ts';
import type { Plan, Plans } from '../types.ts';

@customElement('limit-notice')
export class LimitNotice extends SiteElement {
  @property({ attribute: false }) error!: ApiError;
  @property({ attribute: false }) retry!: () => void;
  @property({ type: Boolean }) compact = false;
  @state() seconds = 0;
  @state() plans: readonly Plan[] = [];
  private timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    get<Plans>('/api/plans').then(
      ({ plans }) => {
        this.plans = plans;
      },
      () => {},
    );
  }

  /** Each failed attempt sets another error: the element stays meanwhile. */
  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('error')) return;
    clearInterval(this.timer);
    this.seconds = this.error.retryAfter ?? 0;
    if (this.error.status === 429) this.timer = setInterval(() => this.tick(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  private tick(): void {
    this.seconds = Math.max(0, this.seconds - 1);
    if (this.seconds > 0) return;
    clearInterval(this.timer);
    this.retry();
  }

  private readonly ask = async () => {
    if (await signIn()) this.retry();
  };

  override render() {
    const isOver = this.error.status !== 429;
    const title = isOver ? t('state.plan') : t('state.limited');
    return html`<section class=${this.compact ? 'notice warning' : 'state'} role="alert">
      ${this.compact ? nothing : html`<h2>${title}</h2>`}
      ${isOver && !this.compact ? nothing : html`<p>${isOver ? title : this.error.message}</p>`}
      ${isOver ? nothing : html`<p aria-live="off">${t('state.limited.until', { seconds: this.seconds })}</p>`}
      ${this.more()}
    </section>`;
  }

  private more() {
    return html`<p>${betterPlan(this.error, this.plans)} <a href="/plans">${t('page.plans')}</a></p>
      ${
        signedInAs() === null
          ? html`<div class="row"><button class="primary" @click=${this.ask}>${t('sign_in.title')}</button></div>`
          : nothing
      }`;
  }
}

/** The plan with a higher limit of the kind that was reached; empty if none has one. */
function betterPlan({ address, limit, key }: ApiError, plans: readonly Plan[]): string {
  const includes = key === 'error.plan_capability' ? INCLUDES.get(address.split('/')[2]) : undefined;
  const including = includes && plans.find(includes);
  if (including) return t('state.plan.from', { plan: textOr(`plan.${including.code}`, including.code) });
  const category = categoryOf(address);
  if (key === 'error.concurrent_backtests' || category === null) return '';
  const better = plans.find(({ rate_limits }) => rate_limits[category].limit > (limit ?? 0));
  // The limits of calls do not say which plan has the capability.
  if (!better || (key === 'error.plan_capability' && better === plans[0])) return '';
  const { limit: more, window_seconds: seconds } = better.rate_limits[category];
  const plan = textOr(`plan.${better.code}`, better.code);
  if (limit === null || limit === 0) return t('state.plan.from', { plan });
  const window = seconds === 3600 ? t('state.window.hour') : t('state.window.minute');
  return t('state.limited.more', { limit, plan, more, window });
}

/** Whether a plan has a part of the API, by the second segment of its path: `/v1/files`. */
const INCLUDES = new Map<string, (plan: Plan) => boolean>([
  ['factors', ({ quotas }) => quotas.factor_cells_max !== 0],
  ['files', ({ quotas }) => quotas.market_files !== 0],
  // Several streams are a search.
  ['judge', ({ rate_limits }) => rate_limits.optimize.limit > 0],
  ['sql', ({ quotas }) => quotas.sql_rows_max !== 0],
  ['sweeps', ({ quotas }) => quotas.sweep_cells_max !== 0],
  ['portfolio', ({ quotas }) => quotas.portfolio_symbols_max !== 0],
]);

type Category = keyof Plan['rate_limits'];
const isCategory = (name: string): name is Category =>
  ['quote', 'kline', 'static', 'symbols', 'batch', 'optimize'].includes(name);

/** The category of limits that a call counts in; null: its limit is the same in all plans. */
function categoryOf(address: string): Category | null {
  const [, root, name] = address.split('/');
  if (root === 'v1' && isCategory(name)) return name;
  if (root === 'v1' && name === 'screener') return 'batch';
  if (name === 'backtest') return 'backtest';
  return null;
}
