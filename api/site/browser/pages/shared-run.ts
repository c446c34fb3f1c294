/** A run that somebody has shared: the same report, read-only. */
import '../shell.ts';
import '../elements/run-chart.ts';
import '../elements/run-report.ts';
import { html } from 'lit';
import { pathParameter } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { SiteElement } from '../element.ts';
import { bodyOf } from '../run/call.ts';
import { queryOf } from '../run/settings.ts';
import { get } from '../session.ts';
import { failure, LOADING, type Loaded, loading, outcome } from '../states.ts';
import { day, t } from '../text.ts';
import type { BacktestResult, Strategies } from '../types.ts';

class SharedRunPage extends SiteElement {
  static override properties = { run: { state: true } };
  declare run: Loaded<{ readonly result: BacktestResult; readonly strategies: Strategies }>;

  constructor() {
    super();
    this.run = LOADING;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.load();
  }

  private readonly load = async (): Promise<void> => {
    const work = Promise.all([
      get<BacktestResult>(path('/api/backtest/shared/{slug}', { slug: pathParameter() })),
      get<Strategies>('/api/backtest/strategies'),
    ]);
    this.run = await outcome(work.then(([result, strategies]) => ({ result, strategies })));
  };

  override render() {
    const { run } = this;
    if (run.state === 'loading') return loading();
    if (run.state === 'failed') {
      const isGone = run.error instanceof ApiError && [404, 422].includes(run.error.status);
      if (!isGone) return failure(run.error, this.load);
      return html`<h1>${t('shared.gone')}</h1><p>${t('shared.gone.text')}</p><p><a href="/backtest">${t('nav.backtest')}</a></p>`;
    }
    const { result, strategies } = run.value;
    const { symbol, strategy, start_date, end_date } = result;
    const name = strategies.strategies.find(({ code }) => code === strategy)?.name ?? strategy;
    const title = t('run.title', { symbol, strategy: name, start: day(start_date), end: day(end_date) });
    return html`<div class="row spread page-head">
        <h1>${title}</h1>
        <a class="button primary" href=${`/backtest?${queryOf(bodyOf(result))}&run=1`}>${t('run.try')}</a>
      </div>
      <run-report .result=${result} .body=${bodyOf(result)}></run-report>`;
  }
}

customElements.define('shared-run-page', SharedRunPage);
