/** One strategy on a list that shares one purse: the form, and the report of the run. A link to the page runs it again. */
import '../shell.ts';
import '../elements/copy-button.ts';
import '../elements/portfolio-form.ts';
import '../elements/portfolio-report.ts';
import { html, nothing } from 'lit';
import { fromAddress, onAddressChange } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { SiteElement } from '../element.ts';
import { faultsByField } from '../elements/strategy-fields.ts';
import { bodyInAddress, type PortfolioBody, portfolioBodyOf, runPortfolio, symbolsIn } from '../portfolio/call.ts';
import { JobFailure } from '../run/call.ts';
import { get, post, signedInAs, signIn } from '../session.ts';
import { failure, inlineFailure, jobFailed, LOADING, type Loaded, loading, outcome } from '../states.ts';
import { day, number, signedPercent, t } from '../text.ts';
import type { History, PortfolioResult, Presets, Sharing, Strategies } from '../types.ts';

interface Known {
  readonly strategies: Strategies;
  readonly presets: Presets;
}

/** The state of the page below the form. */
type Run =
  | { readonly state: 'none' }
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly result: PortfolioResult; readonly body: PortfolioBody }
  | { readonly state: 'failed'; readonly error: unknown };

const EXAMPLE: PortfolioBody = {
  symbols: ['ACRX.US', 'BRVA.US', 'LUMA.US', 'TMRK.US'],
  strategy: 'donchian',
  time_range: '5Y',
  allocation: { max_positions: 2, rank_by: { field: 'roc_pct', order: 'desc' }, rebalance: 'month' },
};

class PortfolioPage extends SiteElement {
  static override properties = {
    known: { state: true },
    body: { state: true },
    run: { state: true },
    kept: { state: true },
    sharing: { state: true },
    problem: { state: true },
    history: { state: true },
  };
  declare known: Loaded<Known>;
  /** The initial values of the form. */
  declare body: Partial<PortfolioBody>;
  declare run: Run;
  /** Under which the run is kept; null: it is not. */
  declare kept: number | null;
  declare sharing: Sharing | null;
  /** The error of the last attempt to keep or share. */
  declare problem: unknown;
  /** Portfolios that the reader has kept. */
  declare history: History['items'];
  private asked = new AbortController();
  private stopListening: () => void = () => {};

  constructor() {
    super();
    this.known = LOADING;
    this.body = {};
    this.run = { state: 'none' };
    this.kept = null;
    this.sharing = null;
    this.problem = null;
    this.history = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopListening = onAddressChange(() => this.begin());
    this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopListening();
    this.asked.abort();
  }

  private readonly load = async (): Promise<void> => {
    const work = Promise.all([get<Strategies>('/api/backtest/strategies'), get<Presets>('/api/screener/presets')]);
    this.known = await outcome(work.then(([strategies, presets]) => ({ strategies, presets })));
    if (this.known.state === 'loaded') await this.begin();
  };

  /** Shows what the address names: a kept run, a run to be made, a list to begin with, or an empty form. */
  private async begin(): Promise<void> {
    const id = fromAddress('id');
    if (id !== null) return this.show(id);
    const asked = bodyInAddress(fromAddress('run'));
    if (asked !== null) {
      this.body = asked;
      return this.start(asked);
    }
    this.body = { symbols: symbolsIn(fromAddress('symbols') ?? '') };
    this.run = { state: 'none' };
    await this.list();
  }

  private async list(): Promise<void> {
    if (signedInAs() === null) return;
    const listed = await outcome(get<History>('/v1/backtests', { query: { kind: 'portfolio', page_size: 10 } }));
    if (listed.state === 'loaded') this.history = listed.value.items;
  }

  private async show(id: string): Promise<void> {
    this.run = { state: 'running' };
    try {
      const result = await get<PortfolioResult>(path('/api/portfolio/{id}', { id }));
      const body = portfolioBodyOf(result);
      this.body = body;
      this.kept = result.id;
      this.run = { state: 'done', result, body };
    } catch (error) {
      this.run = { state: 'failed', error };
    }
  }

  private readonly submitted = ({ detail: body }: CustomEvent<PortfolioBody>) => {
    history.pushState(null, '', `?${new URLSearchParams({ run: JSON.stringify(body) })}`);
    return this.start(body);
  };

  private async start(body: PortfolioBody): Promise<void> {
    this.asked.abort();
    this.asked = new AbortController();
    const { signal } = this.asked;
    this.run = { state: 'running' };
    this.kept = null;
    this.sharing = null;
    this.problem = null;
    try {
      const result = await runPortfolio({ ...body, save: false }, signal);
      this.run = { state: 'done', result, body };
    } catch (error) {
      if (!signal.aborted) this.run = { state: 'failed', error };
    }
  }

  private get faults(): Readonly<Record<string, string>> {
    const error = this.run.state === 'failed' ? this.run.error : null;
    return error instanceof ApiError ? faultsByField(error.problems) : {};
  }

  /** Keeps the run as it is: the same specification over the same data is not computed again. */
  private async keep(): Promise<number | null> {
    if (this.kept !== null) return this.kept;
    if (this.run.state !== 'done') return null;
    if (signedInAs() === null && !(await signIn())) return null;
    const { id } = await runPortfolio({ ...this.run.body, save: true }, this.asked.signal);
    this.kept = id;
    return id;
  }

  private readonly attempt = (work: () => Promise<unknown>) => async () => {
    this.problem = null;
    try {
      await work();
    } catch (error) {
      this.problem = error;
    }
  };

  private async share(shared: boolean): Promise<void> {
    const id = await this.keep();
    if (id === null) return;
    this.sharing = await post<Sharing>(path('/api/portfolio/{id}/share', { id }), { shared });
  }

  override render() {
    const { known } = this;
    if (known.state === 'loading') return html`<h1>${t('page.portfolio')}</h1>${loading()}`;
    if (known.state === 'failed') return failure(known.error, this.load);
    return html`<h1>${t('page.portfolio')}</h1>
      <portfolio-form
        .strategies=${known.value.strategies}
        .presets=${known.value.presets}
        .body=${this.body}
        .faults=${this.faults}
        .isBusy=${this.run.state === 'running'}
        @run=${this.submitted}
      ></portfolio-form>
      <section aria-live="polite" aria-busy=${this.run.state === 'running'}>${this.report(known.value)}</section>`;
  }

  private report({ strategies }: Known) {
    const { run } = this;
    if (run.state === 'running') return html`<p class="state muted">${t('form.running')}</p>`;
    if (run.state === 'none') return html`${empty()} ${this.keptList()}`;
    if (run.state === 'failed') return this.failed(run.error);
    const { symbols, strategy, start_date, end_date } = run.result;
    const name = strategies.strategies.find(({ code }) => code === strategy)?.name ?? strategy;
    const details = { count: symbols.length, strategy: name, start: day(start_date), end: day(end_date) };
    const isKept = this.kept !== null;
    return html`<div class="row spread run-head">
        <h2>${t('portfolio.title', details)}</h2>
        <div class="row">
          <button ?disabled=${isKept} @click=${this.attempt(() => this.keep())}>${isKept ? t('run.kept') : t('run.keep')}</button>
          <button @click=${this.attempt(() => this.share(true))}>${t('run.share')}</button>
        </div>
      </div>
      ${this.shared()} ${inlineFailure(this.problem)}
      <portfolio-report .result=${run.result} .body=${run.body} .kept=${this.kept} .isOwn=${true}></portfolio-report>`;
  }

  private shared() {
    if (!this.sharing?.url) return nothing;
    const { url } = this.sharing;
    return html`<div class="notice row" role="status">
      <span>${t('run.shared_at')}</span> <a href=${url}>${url}</a> <copy-button .text=${url}></copy-button>
      <button @click=${this.attempt(() => this.share(false))}>${t('run.unshare')}</button>
    </div>`;
  }

  private keptList() {
    if (this.history.length === 0) return nothing;
    return html`<h2>${t('portfolio.kept')}</h2>
      <ul class="plain-list">
        ${this.history.map(
          (item) => html`<li>
            <a href=${`/portfolio?id=${item.id}`}>${
              item.kind === 'portfolio' ? t('portfolio.count', { count: item.symbols_count }) : ''
            } · ${item.strategy}</a>
            ${day(item.start_date)} – ${day(item.end_date)} · ${signedPercent(item.total_pnl_pct, 1)} ·
            ${t('run.trades')} ${number(item.num_trades)}
          </li>`,
        )}
      </ul>`;
  }

  private failed(error: unknown) {
    if (error instanceof JobFailure) return jobFailed(error.message, () => this.begin());
    return failure(error, () => this.begin());
  }
}

function empty() {
  return html`<section class="state">
    <h2>${t('run.empty')}</h2>
    <p>${t('portfolio.empty')}</p>
    <p><a href=${`/portfolio?${new URLSearchParams({ run: JSON.stringify(EXAMPLE) })}`}>${t('portfolio.example')}</a></p>
  </section>`;
}

customElements.define('portfolio-page', PortfolioPage);
