/** A portfolio that somebody has shared: the same report, read-only. */
import '../shell.ts';
import '../elements/portfolio-report.ts';
import { html } from 'lit';
import { pathParameter } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { SiteElement } from '../element.ts';
import { portfolioBodyOf } from '../portfolio/call.ts';
import { get } from '../session.ts';
import { failure, LOADING, type Loaded, loading, outcome } from '../states.ts';
import { day, t } from '../text.ts';
import type { PortfolioResult, Strategies } from '../types.ts';

class SharedPortfolioPage extends SiteElement {
  static override properties = { run: { state: true } };
  declare run: Loaded<{ readonly result: PortfolioResult; readonly strategies: Strategies }>;

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
      get<PortfolioResult>(path('/api/portfolio/shared/{slug}', { slug: pathParameter() })),
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
      return html`<h1>${t('shared.gone')}</h1><p>${t('shared.gone.text')}</p><p><a href="/portfolio">${t('nav.portfolio')}</a></p>`;
    }
    const { result, strategies } = run.value;
    const { symbols, strategy, start_date, end_date } = result;
    const name = strategies.strategies.find(({ code }) => code === strategy)?.name ?? strategy;
    const details = { count: symbols.length, strategy: name, start: day(start_date), end: day(end_date) };
    const body = portfolioBodyOf(result);
    return html`<div class="row spread page-head">
        <h1>${t('portfolio.title', details)}</h1>
        <a class="button primary" href=${`/portfolio?${new URLSearchParams({ run: JSON.stringify(body) })}`}>${t('run.try')}</a>
      </div>
      <portfolio-report .result=${result} .body=${body}></portfolio-report>`;
  }
}

customElements.define('shared-portfolio-page', SharedPortfolioPage);
