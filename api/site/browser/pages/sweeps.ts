/** Strategies over a whole market: the result of a sweep and its progress; the set-up and the sweeps of the account beside it. */
import '../shell.ts';
import '../tool.ts';
import '../elements/code-samples.ts';
import '../elements/sweep-form.ts';
import '../elements/sweep-report.ts';
import { customElement, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { fromAddress, toAddress } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { saveAnswer } from '../download.ts';
import { ask } from '../elements/ask.ts';
import { type ChangedField, staleWords } from '../elements/changed-field.ts';
import { followWork, workProgress } from '../elements/chunked-work.ts';
import { fieldErrorsOf } from '../elements/strategy-fields.ts';
import { pageHead } from '../head.ts';
import { AbortScope, Attempt, loadForm, readExample } from '../load.ts';
import { notices } from '../notices.ts';
import { strategiesOf } from '../run/library.ts';
import { withDefaults } from '../run/specification.ts';
import { callOf, type SweepBody } from '../run/sweep.ts';
import { sweepSamples } from '../samples.ts';
import { get, post, remove, signedInAs } from '../session.ts';
import { accountNeeded, inlineFailure, LOADING, type Loaded, whenLoaded } from '../states.ts';
import { localTime, symbolsIn } from '../text.ts';
import { t } from '../tool-text.ts';
import type { ReadSweep, Strategies, Sweep, SweepExample, SweepJob, SweepResult } from '../types.ts';
import { closeSetup, onceLoaded, refused, setupButton, workspace } from '../workspace.ts';

/** A result with the call that made it; null: unknown. */
interface Swept {
  readonly result: SweepResult;
  readonly body: SweepBody | null;
}

@customElement('sweeps-page')
export class SweepsPage extends SiteElement {
  /** The initial values of the form; null: it is hidden, because the call of the sweep is unknown. */
  @state() body: Partial<SweepBody> | null = {};
  /** The sweep that the address names; null: none is. */
  @state() sweep: Loaded<Sweep> | null = null;
  @state() result: Loaded<Swept> | null = null;
  /** Whether the result is that of the example. */
  @state() isExample = false;
  /** Queues, retries, removes, or downloads. */
  private readonly changing = new Attempt(this);
  @state() isQueueing = false;
  /** The first field that is not as it was for the result. */
  @state() differing: ChangedField | null = null;
  /** Whether the reader has changed the form. */
  private isEdited = false;
  private readonly work = new AbortScope(this);

  private readonly begin = async (): Promise<void> => {
    const signal = this.work.next();
    const id = fromAddress('id');
    this.isEdited = false;
    this.sweep = id === null ? null : LOADING;
    // The form comes with what the sweep was asked.
    if (id !== null) this.body = null;
    this.result = null;
    this.isExample = false;
    if (id === null) await this.open(signal);
    if (signedInAs() === null) return;
    if (id !== null) await this.watch(id, signal);
  };

  /** The example; the form has the list that the address names. Where there is no example, the page begins empty. */
  private async open(signal: AbortSignal): Promise<void> {
    const listed = named();
    this.body = withDefaults(listed ?? {});
    this.result = LOADING;
    const example = await readExample<SweepExample>('/v1/sweeps/example', signal).catch(() => null);
    if (signal.aborted) return;
    this.isExample = example !== null;
    const body = example && callOf(example);
    this.result = example && { state: 'loaded', value: { result: example.result, body } };
    if (example && listed === null && !this.isEdited) this.body = body;
  }

  private readonly strategies = loadForm(this, () => get<Strategies>('/api/backtest/strategies'), this.begin);

  /** Follows a sweep to its end, then reads its result. */
  private async watch(id: string, signal: AbortSignal): Promise<void> {
    try {
      for await (const value of followWork<ReadSweep>(path('/v1/sweeps/{id}', { id }), signal)) {
        const body = callOf(value);
        if (this.sweep?.state !== 'loaded') this.body = body;
        this.sweep = { state: 'loaded', value };
        if (value.status !== 'done') continue;
        this.result = LOADING;
        const result = await get<SweepResult>(path('/v1/sweeps/{id}/result', { id }), { signal });
        this.result = { state: 'loaded', value: { result, body } };
      }
    } catch (error) {
      if (!signal.aborted) this.sweep = { state: 'failed', error };
    }
  }

  private readonly queue = ({ detail: body }: CustomEvent<SweepBody>) =>
    this.changing.make(async () => {
      closeSetup();
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
    this.changing.make(async () => {
      await post(path('/v1/sweeps/{id}/retry', { id }), {});
      await this.begin();
    });

  private readonly drop = (id: string) =>
    this.changing.make(async () => {
      const question = { title: t('sweeps.remove.title'), text: t('sweeps.remove.sure'), action: t('sweeps.remove') };
      if (!(await ask(question))) return;
      await remove(path('/v1/sweeps/{id}', { id }));
      toAddress({ id: null });
      await this.begin();
    });

  private readonly download = (id: string) =>
    this.changing.make(() => saveAnswer('GET', path('/v1/sweeps/{id}/cells.parquet', { id })));

  override render() {
    return onceLoaded(this.strategies, t('page.sweeps'), (strategies) => this.page(strategies));
  }

  private page(strategies: Strategies) {
    return workspace({
      page: '/sweeps',
      head: this.head(strategies),
      isBusy: this.isQueueing,
      stale: this.result?.state === 'loaded' ? staleWords(this.differing) : null,
      content: this.content(strategies),
      setup: this.setup(strategies),
    });
  }

  private head(strategies: Strategies) {
    const sweep = this.sweep?.state === 'loaded' ? this.sweep.value : null;
    const shown = this.result?.state === 'loaded' ? this.result.value.result : null;
    if (sweep !== null) {
      const created = localTime(sweep.created_at);
      return pageHead(strategiesOf(strategies, sweep.strategies), {
        about: `${t('sweeps.cells_count', { cells: sweep.cells.total })} · ${created}`,
        actions: html`${setupButton()} ${this.actions(sweep)}`,
      });
    }
    const about =
      shown && t('sweeps.size', { instruments: shown.instruments, combinations: shown.combinations.length });
    // An empty line keeps its room.
    return pageHead(t('page.sweeps'), {
      about: about ?? '\u00a0',
      actions: html`${setupButton()}`,
    });
  }

  private actions({ id, status }: Sweep) {
    const isUnderWay = status === 'running' || status === 'queued';
    return html`${status === 'done' ? html`<button @click=${() => this.download(id)}>${t('sweeps.download')}</button>` : nothing}
      ${status === 'failed' ? html`<button class="primary" @click=${() => this.retry(id)}>${t('state.try_again')}</button>` : nothing}
      <button @click=${() => this.drop(id)}>${isUnderWay ? t('word.cancel') : t('sweeps.remove')}</button>`;
  }

  private content(strategies: Strategies) {
    const { sweep } = this;
    const { error: problem } = this.changing;
    const errors = fieldErrorsOf(problem, strategies);
    const hasFields = Object.keys(errors).length > 0;
    const needsAccount = problem instanceof ApiError && problem.key === 'error.login_required';
    return html`${needsAccount ? accountNeeded(this.strategies.reload) : hasFields ? refused(errors) : inlineFailure(problem)}
      ${sweep === null ? this.outcome(strategies) : whenLoaded(sweep, this.begin, (value) => html`${workProgress(value, 'sweeps')} ${this.outcome(strategies)}`)}`;
  }

  private setup(strategies: Strategies) {
    const { body } = this;
    const { result } = this;
    const size = result?.state === 'loaded' && this.isExample ? result.value.result : null;
    return html`${body === null ? nothing : this.form(strategies, body)}
      ${size === null ? nothing : html`<p class="muted small">${t('sweeps.example', { instruments: size.instruments })}</p>`}
      <p class="muted small">${t('sweeps.about')}</p>
      <p class="small"><a href="/runs">${t('nav.runs')}</a></p>`;
  }

  private readonly differ = ({ detail }: CustomEvent<ChangedField | null>) => {
    this.differing = detail;
  };

  private readonly edited = () => {
    this.isEdited = true;
  };

  private form(strategies: Strategies, body: Partial<SweepBody>) {
    return keyed(
      body,
      html`<sweep-form
        .strategies=${strategies}
        .body=${body}
        .fieldErrors=${fieldErrorsOf(this.changing.error, strategies)}
        .isBusy=${this.isQueueing}
        .shown=${this.result}
        @differ=${this.differ}
        @input=${this.edited}
        @run=${this.queue}
      ></sweep-form>`,
    );
  }

  private outcome(strategies: Strategies) {
    const { result } = this;
    return result === null ? nothing : whenLoaded(result, this.begin, (value) => this.report(value, strategies));
  }

  private report({ result, body }: Swept, strategies: Strategies) {
    const samples = body === null ? [] : sweepSamples({ url: `${location.origin}/v1/sweeps`, body }, 'combinations');
    return html`${notices(result)}<sweep-report .result=${result} .strategies=${strategies} .body=${body}></sweep-report>
      <h2 id="programs">${t('run.programs')}</h2>
      <code-samples .samples=${samples}></code-samples>`;
  }
}

/** A sweep over the list that the address names; null: it names none. */
function named(): Partial<SweepBody> | null {
  const symbols = symbolsIn(fromAddress('symbols') ?? '');
  return symbols.length === 0 ? null : { universe: { symbols } };
}
