/** A strategy on an instrument: the form, and the report of the run. A link to the page runs it again. */
import '../shell.ts';
import '../elements/backtest-form.ts';
import '../elements/copy-button.ts';
import '../elements/run-chart.ts';
import '../elements/run-report.ts';
import { html, nothing } from 'lit';
import { fromAddress, onAddressChange } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { saveCsv } from '../download.ts';
import { SiteElement } from '../element.ts';
import { faultsByField } from '../elements/strategy-fields.ts';
import { type BacktestBody, bodyOf, JobFailure, runBacktest } from '../run/call.ts';
import { literal, queryOf, type Settings, settingsInAddress } from '../run/settings.ts';
import { get, post, signedInAs, signIn } from '../session.ts';
import { failure, inlineFailure, jobFailed, LOADING, type Loaded, loading, outcome } from '../states.ts';
import { day, t } from '../text.ts';
import type { BacktestResult, Sharing, Strategies } from '../types.ts';

/** The state of the page below the form. */
type Run =
  | { readonly state: 'none' }
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly result: BacktestResult; readonly body: BacktestBody }
  | { readonly state: 'failed'; readonly error: unknown };

class BacktestPage extends SiteElement {
  static override properties = {
    strategies: { state: true },
    settings: { state: true },
    run: { state: true },
    kept: { state: true },
    sharing: { state: true },
    problem: { state: true },
  };
  declare strategies: Loaded<Strategies>;
  declare settings: Settings;
  declare run: Run;
  /** Under which the run is kept; null: it is not. */
  declare kept: number | null;
  declare sharing: Sharing | null;
  /** The error of the last attempt to keep or share. */
  declare problem: unknown;
  private asked = new AbortController();
  private stopListening: () => void = () => {};

  constructor() {
    super();
    this.strategies = LOADING;
    this.settings = settingsInAddress();
    this.run = { state: 'none' };
    this.kept = null;
    this.sharing = null;
    this.problem = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopListening = onAddressChange(() => this.begin());
    this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopListening();
  }

  private readonly load = async (): Promise<void> => {
    this.strategies = await outcome(get<Strategies>('/api/backtest/strategies'));
    if (this.strategies.state === 'loaded') await this.begin();
  };

  /** Shows what the address names: a kept run, a run to be made, or an empty form. */
  private async begin(): Promise<void> {
    this.settings = settingsInAddress();
    const id = fromAddress('id');
    if (id !== null) return this.show(id);
    if (fromAddress('run') !== null && this.settings.symbol) return this.start(bodyIn(this.settings));
    this.run = { state: 'none' };
  }

  private async show(id: string): Promise<void> {
    this.run = { state: 'running' };
    try {
      const result = await get<BacktestResult>(path('/api/backtest/{id}', { id }));
      const body = bodyOf(result);
      this.settings = Object.fromEntries(new URLSearchParams(queryOf(body)));
      this.kept = result.id;
      this.run = { state: 'done', result, body };
    } catch (error) {
      this.run = { state: 'failed', error };
    }
  }

  private readonly submitted = ({ detail: body }: CustomEvent<BacktestBody>) => {
    history.pushState(null, '', `?${queryOf(body)}&run=1`);
    return this.start(body);
  };

  private async start(body: BacktestBody): Promise<void> {
    this.asked.abort();
    this.asked = new AbortController();
    const { signal } = this.asked;
    this.run = { state: 'running' };
    this.kept = null;
    this.sharing = null;
    this.problem = null;
    try {
      const result = await runBacktest({ ...body, save: false }, signal);
      this.run = { state: 'done', result, body };
      document.title = `${result.symbol} · ${document.title.split(' · ').slice(-2).join(' · ')}`;
    } catch (error) {
      if (!signal.aborted) this.run = { state: 'failed', error };
    }
  }

  private get faults(): Readonly<Record<string, string>> {
    const error = this.run.state === 'failed' ? this.run.error : null;
    return error instanceof ApiError ? faultsByField(error.problems) : {};
  }

  /** Keeps the run as it is: the same order over the same data is not computed again. */
  private async keep(): Promise<number | null> {
    if (this.kept !== null) return this.kept;
    if (this.run.state !== 'done') return null;
    if (signedInAs() === null && !(await signIn())) return null;
    const { id } = await runBacktest({ ...this.run.body, save: true }, this.asked.signal);
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
    this.requestUpdate();
  };

  private async share(isShared: boolean): Promise<void> {
    const id = await this.keep();
    if (id === null) return;
    this.sharing = await post<Sharing>(path('/api/backtest/{id}/share', { id }), { shared: isShared });
  }

  override render() {
    const { strategies } = this;
    if (strategies.state === 'loading') return html`<h1>${t('page.backtest')}</h1>${loading()}`;
    if (strategies.state === 'failed') return failure(strategies.error, this.load);
    return html`<h1>${t('page.backtest')}</h1>
      <backtest-form
        .strategies=${strategies.value}
        .settings=${this.settings}
        .faults=${this.faults}
        .isBusy=${this.run.state === 'running'}
        @run=${this.submitted}
      ></backtest-form>
      <section aria-live="polite" aria-busy=${this.run.state === 'running'}>${this.report(strategies.value)}</section>`;
  }

  private report(strategies: Strategies) {
    const { run } = this;
    if (run.state === 'running') return html`<p class="state muted">${t('form.running')}</p>`;
    if (run.state === 'none') return empty();
    if (run.state === 'failed') return this.failed(run.error);
    const { symbol, strategy, start_date, end_date } = run.result;
    const name = strategies.strategies.find(({ code }) => code === strategy)?.name ?? strategy;
    return html`<div class="row spread run-head">
        <h2>${t('run.title', { symbol, strategy: name, start: day(start_date), end: day(end_date) })}</h2>
        ${this.actions(run.result)}
      </div>
      ${this.link()} ${inlineFailure(this.problem)}
      <run-report .result=${run.result} .body=${run.body} .kept=${this.kept} .isOwn=${true}></run-report>`;
  }

  private actions(result: BacktestResult) {
    const isKept = this.kept !== null;
    return html`<div class="row">
      <button ?disabled=${isKept} @click=${this.attempt(() => this.keep())}>${isKept ? t('run.kept') : t('run.keep')}</button>
      <button @click=${this.attempt(() => this.share(true))}>${t('run.share')}</button>
      <button @click=${() => saveTrades(result)}>${t('run.csv')}</button>
    </div>`;
  }

  private link() {
    if (!this.sharing?.url) return nothing;
    const { url } = this.sharing;
    return html`<div class="notice row" role="status">
      <span>${t('run.shared_at')}</span> <a href=${url}>${url}</a> <copy-button .text=${url}></copy-button>
      <button @click=${this.attempt(() => this.share(false))}>${t('run.unshare')}</button>
    </div>`;
  }

  private failed(error: unknown) {
    if (error instanceof JobFailure) return jobFailed(error.message, () => this.begin());
    return failure(error, () => this.begin());
  }
}

/** The call that an address names; the form fills in the rest. */
function bodyIn(settings: Settings): BacktestBody {
  const { symbol, strategy, time_range, start, end, execute_on, adjust } = settings;
  const costs = ['commission_rate', 'min_commission', 'slippage_bps'] as const;
  const given = costs.filter((name) => settings[name] !== undefined);
  const params = Object.entries(settings)
    .filter(([name]) => name.startsWith('p.'))
    .map(([name, value]) => [name.slice(2), literal(value)]);
  return {
    symbol,
    ...(strategy === undefined ? { strategy: 'chandelier' } : { strategy }),
    ...(start === undefined ? { time_range: time_range ?? '5Y' } : { start }),
    ...(end === undefined ? {} : { end }),
    ...(execute_on === undefined ? {} : { execute_on }),
    ...(adjust === undefined ? {} : { adjust }),
    ...(given.length === 0 ? {} : { cost: Object.fromEntries(given.map((name) => [name, Number(settings[name])])) }),
    params: Object.fromEntries(params),
  };
}

function empty() {
  return html`<section class="state">
    <h2>${t('run.empty')}</h2>
    <p>${t('run.empty.text')}</p>
    <p><a href="/backtest?symbol=ACRX.US&strategy=sma_cross&time_range=5Y&run=1">${t('run.empty.example')}</a></p>
  </section>`;
}

function saveTrades({ symbol, strategy, trades = [] }: BacktestResult): void {
  const names = [
    'seq',
    'entry_date',
    'entry_price',
    'exit_date',
    'exit_price',
    'shares',
    'pnl',
    'pnl_pct',
    'bars_held',
    'commission',
    'mae_pct',
    'mfe_pct',
    'exit_reason',
  ] as const;
  saveCsv(`${symbol}-${strategy}-trades.csv`, [names, ...trades.map((trade) => names.map((name) => trade[name]))]);
}

customElements.define('backtest-page', BacktestPage);
