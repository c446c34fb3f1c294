/** A search over parameters: the form, the progress of its job, and the result. The address has the form and the job. */
import '../shell.ts';
import '../elements/search-form.ts';
import '../elements/search-report.ts';
import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { fromAddress, toAddress } from '../address.ts';
import { ApiError, JobFailure } from '../api.ts';
import { SiteElement } from '../dom.ts';
import { saveCsv } from '../download.ts';
import { labelOf, parametersOf } from '../elements/strategy-fields.ts';
import { type FieldErrors, fieldErrorsOf } from '../field-errors.ts';
import { AbortScope, formPage, loadForm } from '../load.ts';
import { bodyIn, queryOfSearch, type SearchBody, searchResult, startSearch } from '../optimize/search.ts';
import { BACKTEST } from '../run/backtest.ts';
import { strategyName } from '../run/kind.ts';
import { PORTFOLIO } from '../run/portfolio.ts';
import { settingsInAddress } from '../run/specification.ts';
import { get } from '../session.ts';
import { failure } from '../states.ts';
import { day, number, t } from '../text.ts';
import type { Best, SearchResult, Strategies } from '../types.ts';

/** The state of the page below the form. */
type Search =
  | { readonly state: 'none' }
  | { readonly state: 'running'; readonly percent: number }
  | { readonly state: 'done'; readonly result: SearchResult; readonly body: SearchBody }
  | { readonly state: 'failed'; readonly error: unknown };

@customElement('optimize-page')
export class OptimizePage extends SiteElement {
  @state() settings = settingsInAddress();
  @state() search: Search = { state: 'none' };
  private readonly work = new AbortScope(this);
  private readonly strategies = loadForm(
    this,
    () => get<Strategies>('/api/backtest/strategies'),
    (strategies) => this.begin(strategies),
  );

  /** Shows the search that the address names, or the form alone. */
  private async begin(strategies: Strategies): Promise<void> {
    this.settings = settingsInAddress();
    const job = fromAddress('job');
    if (job !== null) return this.follow(async () => job, bodyIn(this.settings, strategies));
    this.work.next();
    this.search = { state: 'none' };
  }

  private readonly submitted = ({ detail: body }: CustomEvent<SearchBody>) => {
    history.pushState(null, '', `?${queryOfSearch(body)}`);
    return this.follow(() => startSearch(body), body);
  };

  /** Waits for the search of the job that `start` returns. */
  private async follow(start: () => Promise<string>, body: SearchBody): Promise<void> {
    const signal = this.work.next();
    this.search = { state: 'running', percent: 0 };
    try {
      const job = await start();
      toAddress({ job }, false);
      const onProgress = (percent: number) => {
        if (!signal.aborted) this.search = { state: 'running', percent };
      };
      const result = await searchResult(job, onProgress, signal);
      if (!signal.aborted) this.search = { state: 'done', result, body };
    } catch (error) {
      if (!signal.aborted) this.search = { state: 'failed', error };
    }
  }

  private fieldErrorsIn(strategies: Strategies): FieldErrors {
    return this.search.state === 'failed' ? fieldErrorsOf(this.search.error, strategies) : {};
  }

  override render() {
    return formPage(t('page.optimize'), this.strategies, (strategies) => this.content(strategies));
  }

  private content(strategies: Strategies) {
    return html`${keyed(
      this.settings,
      html`<search-form
        .strategies=${strategies}
        .settings=${this.settings}
        .fieldErrors=${this.fieldErrorsIn(strategies)}
        .isBusy=${this.search.state === 'running'}
        @search=${this.submitted}
      ></search-form>`,
    )}
      <section aria-busy=${this.search.state === 'running'}>${this.report(strategies)}</section>`;
  }

  private report(strategies: Strategies) {
    const { search } = this;
    if (search.state === 'none') return empty();
    if (search.state === 'running') return running(search.percent);
    if (search.state === 'failed') {
      return Object.keys(this.fieldErrorsIn(strategies)).length > 0 ? nothing : this.failed(search.error);
    }
    const { result, body } = search;
    const chosen = strategies.strategies.find(({ code }) => code === result.strategy);
    const labels = new Map(chosen ? parametersOf(chosen).map(([name, schema]) => [name, labelOf(name, schema)]) : []);
    const { symbols = [], start_date, end_date, screened_on } = result;
    const symbol = result.symbol ?? t('portfolio.count', { count: symbols.length });
    const strategy = strategyName(strategies, result.strategy);
    return html`<div class="row spread run-head">
        <h2>${t('run.title', { symbol, strategy, start: day(start_date), end: day(end_date) })}</h2>
        <div class="row"><button @click=${() => saveBest(result)}>${t('run.csv')}</button></div>
      </div>
      ${screened_on ? html`<p class="muted">${t('portfolio.screened_on', { date: day(screened_on) })}</p>` : nothing}
      <search-report .result=${result} .labels=${labels} .body=${body} .href=${hrefOf(body, symbols)}></search-report>`;
  }

  private failed(error: unknown) {
    const dismiss = () => {
      toAddress({ job: null }, false);
      this.search = { state: 'none' };
    };
    if (error instanceof JobFailure) return failure(error, dismiss);
    // Results are kept for an hour; the address still has the form.
    const isGone = error instanceof ApiError && error.status === 404 && fromAddress('job') !== null;
    if (!isGone) return failure(error, this.strategies.reuse);
    return html`<section class="state" role="alert">
      <h2>${t('optimize.gone')}</h2>
      <p>${t('optimize.gone.text')}</p>
    </section>`;
  }
}

/** The address of a backtest, or of a portfolio of `symbols`, with a combination of the search. */
function hrefOf(
  { grid: _grid, objective: _by, heatmap: _map, walk_forward: _walk, ...run }: SearchBody,
  symbols: readonly string[],
) {
  const { symbol, screen: _screen, ...call } = run;
  return (params: Best['params']) =>
    symbol === undefined
      ? `/portfolio?${PORTFOLIO.queryOf({ ...call, symbols, params })}`
      : `/backtest?${BACKTEST.queryOf({ ...call, symbol, params })}`;
}

function running(percent: number) {
  return html`<div class="state" role="status">
    <p>${t('optimize.progress', { percent: number(percent, 0) })}</p>
    <progress max="100" .value=${percent} aria-label=${t('optimize.running')}></progress>
  </div>`;
}

function empty() {
  return html`<section class="state">
    <h2>${t('optimize.empty')}</h2>
    <p>${t('optimize.empty.text')}</p>
  </section>`;
}

function saveBest({ symbol, strategy, best }: SearchResult): void {
  const [first] = best;
  if (!first) return;
  const [params, metrics] = [Object.keys(first.params), Object.keys(first.metrics)];
  saveCsv(`${symbol ?? 'portfolio'}-${strategy}-search.csv`, [
    [...params, ...metrics],
    ...best.map((one) => [
      ...params.map((name) => String(one.params[name])),
      ...metrics.map((name) => one.metrics[name] ?? ''),
    ]),
  ]);
}
