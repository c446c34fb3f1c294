/** Strategies over a whole market: the form, the sweeps of the account with their progress, and the result of one. */
import '../shell.ts';
import '../elements/code-samples.ts';
import '../elements/sweep-form.ts';
import '../elements/sweep-report.ts';
import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { fromAddress, toAddress } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { SiteElement } from '../dom.ts';
import { saveBlob } from '../download.ts';
import { ask } from '../elements/ask.ts';
import { symbolsIn } from '../elements/universe-fields.ts';
import { fieldErrorsOf } from '../field-errors.ts';
import { AbortScope, formPage, loadForm } from '../load.ts';
import { strategyName } from '../run/kind.ts';
import { callOf, type SweepBody } from '../run/sweep.ts';
import { sweepSamples } from '../samples.ts';
import { get, post, remove, sendAsReader, signedInAs } from '../session.ts';
import { accountNeeded, inlineFailure, LOADING, type Loaded, settle, whenLoaded } from '../states.ts';
import { localTime, number, t } from '../text.ts';
import type { ReadSweep, Strategies, Sweep, SweepJob, SweepResult, Sweeps } from '../types.ts';

const WAIT_S = 20;
const LISTED = 20;

@customElement('sweeps-page')
export class SweepsPage extends SiteElement {
  /** The initial values of the form; null: it is hidden, because the call of the sweep is unknown. */
  @state() body: Partial<SweepBody> | null = null;
  @state() list: readonly Sweep[] = [];
  /** The sweep that the address names; null: none is. */
  @state() sweep: Loaded<Sweep> | null = null;
  @state() result: Loaded<SweepResult> | null = null;
  /** The error of the last attempt to queue, retry, or remove. */
  @state() problem: unknown = null;
  @state() isQueueing = false;
  private readonly work = new AbortScope(this);

  private readonly begin = async (): Promise<void> => {
    if (signedInAs() === null) return;
    const signal = this.work.next();
    const id = fromAddress('id');
    this.result = null;
    this.sweep = id === null ? null : LOADING;
    if (id === null) this.body = named();
    const listed = await settle(get<Sweeps>('/v1/sweeps', { query: { size: LISTED } }));
    if (listed.state === 'loaded') this.list = listed.value.items;
    if (id !== null) await this.watch(id, signal);
  };

  private readonly strategies = loadForm(this, () => get<Strategies>('/api/backtest/strategies'), this.begin);

  /** Follows a sweep to its end, then reads its result. */
  private async watch(id: string, signal: AbortSignal): Promise<void> {
    const address = path('/v1/sweeps/{id}', { id });
    try {
      for (let wait = 0; ; wait = WAIT_S) {
        const value = await get<ReadSweep>(address, { query: { wait }, signal });
        if (wait === 0) this.body = callOf(value);
        this.sweep = { state: 'loaded', value };
        this.list = this.list.map((one) => (one.id === id ? value : one));
        if (value.finished_at === null) continue;
        if (value.status !== 'done') return;
        this.result = LOADING;
        this.result = { state: 'loaded', value: await get<SweepResult>(`${address}/result`, { signal }) };
        return;
      }
    } catch (error) {
      if (!signal.aborted) this.sweep = { state: 'failed', error };
    }
  }

  private readonly attempt = async (work: () => Promise<unknown>): Promise<void> => {
    this.problem = null;
    try {
      await work();
    } catch (error) {
      this.problem = error;
    }
  };

  private readonly queue = ({ detail: body }: CustomEvent<SweepBody>) =>
    this.attempt(async () => {
      this.isQueueing = true;
      try {
        const { job_id: id } = await post<SweepJob>('/v1/sweeps', body);
        toAddress({ id, symbols: null });
      } finally {
        this.isQueueing = false;
      }
      await this.begin();
    });

  private readonly retry = (id: string) =>
    this.attempt(async () => {
      await post(path('/v1/sweeps/{id}/retry', { id }), {});
      await this.begin();
    });

  private readonly drop = (id: string) =>
    this.attempt(async () => {
      const question = { title: t('sweeps.remove.title'), text: t('sweeps.remove.sure'), action: t('sweeps.remove') };
      if (!(await ask(question))) return;
      await remove(path('/v1/sweeps/{id}', { id }));
      toAddress({ id: null });
      await this.begin();
    });

  private readonly download = (id: string) =>
    this.attempt(async () => {
      const response = await sendAsReader('GET', path('/v1/sweeps/{id}/cells.parquet', { id }));
      if (!response.ok) throw new ApiError(response.status, await response.json(), response);
      await saveBlob(response);
    });

  override render() {
    return formPage(t('page.sweeps'), this.strategies, (strategies) => this.content(strategies));
  }

  private content(strategies: Strategies) {
    if (signedInAs() === null) return html`<p>${t('sweeps.about')}</p>${accountNeeded(this.strategies.reload)}`;
    return html`${fromAddress('id') === null ? html`<p>${t('sweeps.about')}</p>` : html`<p><a href="/sweeps">${t('sweeps.new')}</a></p>`}
      ${this.body === null ? nothing : this.form(strategies, this.body)}
      ${Object.keys(fieldErrorsOf(this.problem, strategies)).length > 0 ? nothing : inlineFailure(this.problem)}
      <section aria-live="polite">${this.chosen(strategies)}</section>
      ${this.own(strategies)}`;
  }

  private form(strategies: Strategies, body: Partial<SweepBody>) {
    return keyed(
      body,
      html`<sweep-form
        .strategies=${strategies}
        .body=${body}
        .fieldErrors=${fieldErrorsOf(this.problem, strategies)}
        .isBusy=${this.isQueueing}
        @sweep=${this.queue}
      ></sweep-form>`,
    );
  }

  private chosen(known: Strategies) {
    const { sweep } = this;
    return sweep === null ? nothing : whenLoaded(sweep, this.begin, (value) => this.opened(value, known));
  }

  private opened(sweep: Sweep, known: Strategies) {
    const { id, status, strategies, cells, created_at } = sweep;
    return html`<div class="row spread run-head">
        <h2>${t('sweeps.title', { strategies: namesOf(known, strategies), cells: cells.total, created: localTime(created_at) })}</h2>
        <div class="row">
          ${status === 'done' ? html`<button @click=${() => this.download(id)}>${t('sweeps.download')}</button>` : nothing}
          ${status === 'failed' ? html`<button class="primary" @click=${() => this.retry(id)}>${t('sweeps.retry')}</button>` : nothing}
          <button @click=${() => this.drop(id)}>${status === 'running' || status === 'queued' ? t('sweeps.cancel') : t('sweeps.remove')}</button>
        </div>
      </div>
      ${progress(sweep)} ${this.outcome(known)}`;
  }

  private outcome(strategies: Strategies) {
    const { result } = this;
    return result === null ? nothing : whenLoaded(result, this.begin, (value) => this.report(value, strategies));
  }

  private report(result: SweepResult, strategies: Strategies) {
    const { body } = this;
    const samples = body === null ? [] : sweepSamples({ url: `${location.origin}/v1/sweeps`, body });
    return html`<sweep-report .result=${result} .strategies=${strategies}></sweep-report>
      <h2>${t('run.programs')}</h2>
      <code-samples .samples=${samples}></code-samples>`;
  }

  private own(known: Strategies) {
    if (this.list.length === 0) return nothing;
    return html`<h2>${t('sweeps.own')}</h2>
      <ul class="plain-list">
        ${this.list.map(
          ({ id, status, strategies, cells, created_at, progress_pct }) => html`<li>
            <a href=${`/sweeps?id=${id}`}>${namesOf(known, strategies)} · ${t('sweeps.cells_count', { cells: cells.total })}</a>
            <span class="muted">${localTime(created_at)} · ${t(`sweeps.status.${status}`)}${status === 'running' ? ` ${number(progress_pct, 0)}%` : ''}</span>
          </li>`,
        )}
      </ul>`;
  }
}

/** A sweep over the list that the address names; an empty one where it names none. */
function named(): Partial<SweepBody> {
  const symbols = symbolsIn(fromAddress('symbols') ?? '');
  return symbols.length === 0 ? {} : { universe: { symbols } };
}

const namesOf = (known: Strategies, codes: readonly string[]) =>
  codes.map((code) => strategyName(known, code)).join(', ');

/** The progress of a sweep: cells, their rate, the time left, and the workers. */
function progress({
  status,
  progress_pct,
  cells,
  cells_per_second,
  seconds_left,
  workers,
  chunks,
  error,
  notice,
}: Sweep) {
  if (status === 'done') return nothing;
  if (status === 'failed') {
    return html`<section class="state" role="alert"><h3>${t('sweeps.failed')}</h3><p>${error?.message ?? ''}</p><p>${t('sweeps.failed.text')}</p></section>`;
  }
  if (notice !== null) return html`<p class="notice warning" role="status">${notice}</p>`;
  if (status === 'queued') return html`<p class="notice">${t('sweeps.waits')}</p>`;
  const label = t('sweeps.progress', { done: cells.done, total: cells.total });
  return html`<div class="sweep-progress">
    <progress max="100" value=${progress_pct} aria-label=${label}></progress>
    <p class="row muted">
      <span>${label}</span>
      ${
        cells.done === cells.total
          ? html`<span>${t('sweeps.assembling')}</span>`
          : html`<span>${cells_per_second === null ? '' : t('sweeps.rate', { rate: cells_per_second })}</span>
              <span>${seconds_left === null ? '' : t('sweeps.left', { seconds: seconds_left })}</span>
              <span>${t('sweeps.workers', { workers, chunks: chunks.running })}</span>`
      }
    </p>
  </div>`;
}
