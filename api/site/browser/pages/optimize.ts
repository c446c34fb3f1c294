/** A search over parameters: its result, and its set-up beside it. The address has the set-up and the job. */
import '../shell.ts';
import '../tool.ts';
import '../elements/search-form.ts';
import '../elements/search-report.ts';
import { customElement, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { fromAddress, toAddress } from '../address.ts';
import { ApiError, JobFailure } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { saveCsv } from '../download.ts';
import { fieldErrorsOf, labelOf, parametersOf } from '../elements/strategy-fields.ts';
import type { FieldErrors } from '../fields.ts';
import { pageHead } from '../head.ts';
import { loadForm, readExample } from '../load.ts';
import { notices, type OwnNotes } from '../notices.ts';
import { bodyIn, queryOfSearch, type SearchBody, searchResult, startSearch } from '../optimize/search.ts';
import { BACKTEST } from '../run/backtest.ts';
import { strategyName } from '../run/kind.ts';
import { Latest } from '../run/latest.ts';
import { PORTFOLIO } from '../run/portfolio.ts';
import { settingsInAddress } from '../run/specification.ts';
import { get } from '../session.ts';
import { failure } from '../states.ts';
import { day, number } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Best, SearchExample, SearchResult, Strategies } from '../types.ts';
import { closeSetup, emptyResult, onceLoaded, refused, reportShape, setupButton, workspace } from '../workspace.ts';

interface Found {
  readonly result: SearchResult;
  readonly body: SearchBody;
}

@customElement('optimize-page')
export class OptimizePage extends SiteElement {
  /** The initial values of the form. */
  @state() settings = settingsInAddress();
  /** Progress of the search; null while the example is read. */
  @state() percent: number | null = null;
  private readonly search = new Latest<Found>(this);
  private readonly strategies = loadForm(
    this,
    () => get<Strategies>('/api/backtest/strategies'),
    (strategies) => this.begin(strategies),
  );

  /** Shows the search that the address names, or runs it; otherwise the example. */
  private async begin(strategies: Strategies): Promise<void> {
    this.search.isEdited = false;
    this.settings = settingsInAddress();
    const job = fromAddress('job');
    const body = bodyIn(this.settings, strategies);
    if (job !== null) return this.follow(async () => job, body);
    if (UNIVERSES.some((name) => this.settings[name])) return this.follow(() => startSearch(body), body);
    this.percent = null;
    const read = async (signal: AbortSignal) => {
      const { request, result } = await readExample<SearchExample>('/v1/optimize/example', signal);
      return { body: request, result };
    };
    await this.search.openExample(read, (example) => {
      if (location.search === '') this.settings = Object.fromEntries(new URLSearchParams(queryOfSearch(example.body)));
    });
  }

  private readonly submitted = ({ detail: body }: CustomEvent<SearchBody>) => {
    closeSetup();
    history.pushState(null, '', `?${queryOfSearch(body)}`);
    return this.follow(() => startSearch(body), body);
  };

  /** Waits for the search of the job that `start` returns. */
  private follow(start: () => Promise<string>, body: SearchBody): Promise<void> {
    this.percent = 0;
    return this.search.follow(async (signal) => {
      const job = await start();
      signal.throwIfAborted();
      toAddress({ job }, false);
      const onProgress = (percent: number) => {
        if (!signal.aborted) this.percent = percent;
      };
      return { result: await searchResult(job, onProgress, signal), body };
    });
  }

  private fieldErrorsIn(strategies: Strategies): FieldErrors {
    return fieldErrorsOf(this.search.error, strategies);
  }

  override render() {
    return onceLoaded(this.strategies, t('page.optimize'), (strategies) => this.page(strategies));
  }

  private page(strategies: Strategies) {
    return workspace({
      page: '/optimize',
      head: this.head(strategies),
      isBusy: this.search.isBusy,
      stale: this.search.stale,
      content: html`${this.happening(strategies)} ${this.report(strategies)}`,
      setup: this.setup(strategies),
    });
  }

  private head(strategies: Strategies) {
    const { shown } = this.search;
    // An empty line keeps its room.
    if (shown === null) return pageHead(t('page.optimize'), { about: '\u00a0', actions: setupButton() });
    const { result } = shown;
    const { symbols = [], start_date, end_date, strategy } = result;
    const about = { strategy: strategyName(strategies, strategy), start: day(start_date), end: day(end_date) };
    return pageHead(result.symbol ?? t('portfolio.count', { count: symbols.length }), {
      about: t('run.about', about),
      actions: html`${setupButton()}
        <button @click=${() => saveBest(result)}>${t('symbol.csv')}</button>`,
    });
  }

  private setup(strategies: Strategies) {
    const { shown, isExample, isBusy } = this.search;
    return html`${keyed(
      this.settings,
      html`<search-form
        .strategies=${strategies}
        .settings=${this.settings}
        .fieldErrors=${this.fieldErrorsIn(strategies)}
        .isBusy=${isBusy && this.percent !== null}
        .shown=${shown}
        @differ=${this.search.differ}
        @input=${this.search.edited}
        @run=${this.submitted}
      ></search-form>`,
    )}
    ${shown && isExample ? html`<p class="muted small">${t('form.example', { date: day(shown.result.end_date) })}</p>` : nothing}`;
  }

  /** The search in progress, or why it failed, above the earlier result. */
  private happening(strategies: Strategies) {
    const { search } = this;
    if (search.state === 'none') return emptyResult(t('optimize.empty'), t('optimize.empty.text'));
    if (search.isBusy) return running(this.percent);
    if (search.state === 'done') return nothing;
    const errors = this.fieldErrorsIn(strategies);
    return Object.keys(errors).length > 0 ? refused(errors) : this.failed(search.error);
  }

  private report(strategies: Strategies) {
    const { shown } = this.search;
    if (shown === null) return nothing;
    const { result, body } = shown;
    const chosen = strategies.strategies.find(({ code }) => code === result.strategy);
    const labels = new Map(chosen ? parametersOf(chosen).map(([name, schema]) => [name, labelOf(name, schema)]) : []);
    return html`${notices(result, notesOf(result))}<search-report .result=${result} .labels=${labels} .body=${body} .href=${hrefOf(body, result.symbols ?? [])}></search-report>`;
  }

  private failed(error: unknown) {
    const dismiss = () => {
      toAddress({ job: null }, false);
      this.search.clear();
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

/** The settings of an address that name instruments. */
const UNIVERSES = ['symbol', 'symbols', 'where'];

function notesOf({ screened_on }: SearchResult): OwnNotes {
  return { remarks: screened_on ? [t('portfolio.screened_on', { date: day(screened_on) })] : [] };
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

/** `percent`: null while the example is read. */
function running(percent: number | null) {
  if (percent === null) return reportShape();
  return html`<div class="state" role="status">
    <p>${t('optimize.progress', { percent: number(percent, 0) })}</p>
    <progress max="100" .value=${percent} aria-label=${t('optimize.running')}></progress>
  </div>`;
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
