/** Which values order the returns that follow: the result of a study, the studies of the account, and the set-up beside them. */
import '../shell.ts';
import '../tool.ts';
import '../elements/code-samples.ts';
import '../elements/factor-report.ts';
import { customElement, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { fromAddress, toAddress } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { paging } from '../controls.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { ask } from '../elements/ask.ts';
import { type ChangedField, staleWords } from '../elements/changed-field.ts';
import { followWork, workProgress } from '../elements/chunked-work.ts';
import { actionColumn, type Column, rowButton } from '../elements/data-table.ts';
import '../elements/factor-form.ts';
import { FIRST_STUDY, type StudyBody } from '../elements/factor-form.ts';
import { fieldErrorsOf } from '../elements/strategy-fields.ts';
import { pageHead } from '../head.ts';
import { AbortScope, EditableList, loadForm } from '../load.ts';
import { notices } from '../notices.ts';
import { sweepSamples } from '../samples.ts';
import { get, post, remove, signedInAs } from '../session.ts';
import { accountNeeded, failure, inlineFailure, LOADING, type Loaded, whenLoaded } from '../states.ts';
import { listed, localTime, number, percent, rangeText, symbolsIn, wordSpace } from '../text.ts';
import { t } from '../tool-text.ts';
import type { FactorResult, FactorStudies, FactorStudy, ReadFactorStudy, Strategies, SweepJob } from '../types.ts';
import { closeSetup, emptyResult, onceLoaded, refused, setupButton, workspace } from '../workspace.ts';

const STUDIES = '/v1/factors';
const STUDY = '/v1/factors/{id}';
const SIZE = 20;
/** Factors that a row of the list names. */
const NAMED = 3;

@customElement('factors-page')
export class FactorsPage extends SiteElement {
  /** The initial values of the form; null: the call of the study is not known yet. */
  @state() body: StudyBody | null = FIRST_STUDY;
  /** The study that the address names; null: none is. */
  @state() study: Loaded<ReadFactorStudy> | null = null;
  @state() result: Loaded<FactorResult> | null = null;
  @state() isQueueing = false;
  /** The first field that is not as it was for the result. */
  @state() differing: ChangedField | null = null;
  /** Page of the list. */
  private listPage = 1;
  private readonly studies = new EditableList(this, () => this.readStudies());
  private readonly work = new AbortScope(this);

  private readonly begin = async (): Promise<void> => {
    const signal = this.work.next();
    const id = fromAddress('id');
    this.result = null;
    this.study = id === null ? null : LOADING;
    this.body = id === null ? begun() : null;
    if (id !== null && signedInAs() !== null) await this.watch(id, signal);
  };

  private readonly strategies = loadForm(this, () => get<Strategies>('/api/backtest/strategies'), this.begin);

  private async readStudies(): Promise<FactorStudies> {
    const query = { page: this.listPage, size: SIZE };
    return signedInAs() === null ? { total: 0, page: 1, size: SIZE, items: [] } : get(STUDIES, { query });
  }

  /** Follows a study to its end, then reads its result. */
  private async watch(id: string, signal: AbortSignal): Promise<void> {
    try {
      for await (const value of followWork<ReadFactorStudy>(path(STUDY, { id }), signal)) {
        if (this.study?.state !== 'loaded') this.body = value.request;
        this.study = { state: 'loaded', value };
        if (value.finished_at !== null) void this.studies.reload();
        if (value.status !== 'done') continue;
        this.result = LOADING;
        const result = await get<FactorResult>(path(`${STUDY}/result`, { id }), { signal });
        this.result = { state: 'loaded', value: result };
      }
    } catch (error) {
      if (!signal.aborted) this.study = { state: 'failed', error };
    }
  }

  private readonly queue = ({ detail: body }: CustomEvent<StudyBody>) =>
    this.studies.change(async () => {
      this.isQueueing = true;
      try {
        const { job_id: id } = await post<SweepJob>(STUDIES, body);
        closeSetup();
        toAddress({ id, symbols: null, name: null, value: null });
      } finally {
        this.isQueueing = false;
      }
      void this.begin();
    });

  private readonly retry = (id: string) =>
    this.studies.change(async () => {
      await post(path(`${STUDY}/retry`, { id }), {});
      if (fromAddress('id') === id) void this.begin();
    });

  private readonly drop = (id: string) =>
    this.studies.change(async () => {
      const question = { title: t('factors.remove.title'), text: t('sweeps.remove.sure'), action: t('sweeps.remove') };
      if (!(await ask(question))) return;
      const isShown = fromAddress('id') === id;
      // The call that waits for it would fail.
      if (isShown) this.work.abort();
      try {
        await remove(path(STUDY, { id }));
        if (isShown) toAddress({ id: null });
      } finally {
        if (isShown) void this.begin();
      }
    });

  override render() {
    return onceLoaded(this.strategies, t('page.factors'), (strategies) => this.page(strategies));
  }

  private page(strategies: Strategies) {
    return workspace({
      page: '/factors',
      head: this.head(),
      isBusy: this.isQueueing,
      stale: this.result?.state === 'loaded' ? staleWords(this.differing) : null,
      content: this.content(strategies),
      setup: this.setup(strategies),
    });
  }

  private head() {
    const study = this.study?.state === 'loaded' ? this.study.value : null;
    const result = this.result?.state === 'loaded' ? this.result.value : null;
    const about = result === null ? study && localTime(study.created_at) : sizeOf(result);
    const title = study === null ? t('page.factors') : namesOf(study);
    // An empty line keeps its room.
    return pageHead(title, {
      about: about ?? '\u00a0',
      actions: html`${setupButton()} ${study && this.actions(study)}`,
    });
  }

  private actions({ id, status }: FactorStudy) {
    return html`${status === 'failed' ? html`<button class="primary" @click=${() => this.retry(id)}>${t('state.try_again')}</button>` : nothing}
      <button @click=${() => this.drop(id)}>${t(isUnderWay(status) ? 'word.cancel' : 'sweeps.remove')}</button>`;
  }

  private content(strategies: Strategies) {
    return html`${this.problem(strategies)} ${this.outcome()}
      ${this.studies.render((list) => (list.total === 0 ? nothing : this.list(list)))}`;
  }

  private problem(strategies: Strategies) {
    const { error } = this.studies;
    const errors = fieldErrorsOf(error, strategies);
    if (Object.keys(errors).length > 0) return refused(errors);
    if (!(error instanceof ApiError)) return inlineFailure(error);
    if (error.key === 'error.login_required') return accountNeeded(this.strategies.reload);
    return error.key === 'error.plan_capability' ? failure(error, this.begin) : inlineFailure(error);
  }

  private outcome() {
    const { study, result } = this;
    if (study === null)
      return emptyResult(t('factors.empty'), `${t('factors.about')}${wordSpace}${t('factors.empty.text')}`);
    if (signedInAs() === null) return accountNeeded(this.strategies.reload);
    return whenLoaded(
      study,
      this.begin,
      (value) =>
        html`${workProgress(value, 'factors')} ${result === null ? nothing : whenLoaded(result, this.begin, (found) => this.report(found))}`,
    );
  }

  private report(result: FactorResult) {
    const { body } = this;
    const samples = body === null ? [] : sweepSamples({ url: `${location.origin}${STUDIES}`, body }, 'factors');
    return html`${notices(result, { remarks: result.ended === 0 ? [] : [t('factors.ended', { ended: result.ended })] })}
      <factor-report .result=${result} .body=${body}></factor-report>
      <h2 id="programs">${t('run.programs')}</h2>
      <code-samples .samples=${samples}></code-samples>`;
  }

  private list(list: FactorStudies) {
    const goTo = (page: number) => {
      this.listPage = page;
      void this.studies.reload();
    };
    const act = (study: FactorStudy) => {
      const name = namesOf(study);
      const remove = t(isUnderWay(study.status) ? 'word.cancel' : 'sweeps.remove');
      return html`${study.status === 'failed' ? rowButton(t('state.try_again'), `${t('state.try_again')}: ${name}`, () => this.retry(study.id)) : nothing}
        ${rowButton(remove, `${remove}: ${name}`, () => this.drop(study.id))}`;
    };
    const current = list.items.find(({ id }) => id === fromAddress('id')) ?? null;
    const columns = [...LIST, actionColumn<FactorStudy>(t('keys.action'), act)];
    return html`<h2>${t('factors.earlier')}</h2>
      <data-table class="wrapped" .columns=${columns} .rows=${list.items} .current=${current} caption=${t('factors.earlier')}></data-table>
      ${paging(list, goTo)}`;
  }

  private setup(strategies: Strategies) {
    return html`${this.body === null ? nothing : this.form(strategies, this.body)}
      <p class="small"><a href="/rules">${t('page.rules')}</a></p>`;
  }

  private readonly differ = ({ detail }: CustomEvent<ChangedField | null>) => {
    this.differing = detail;
  };

  private form(strategies: Strategies, body: StudyBody) {
    return keyed(
      body,
      html`<factor-form
        .strategies=${strategies}
        .body=${body}
        .fieldErrors=${fieldErrorsOf(this.studies.error, strategies)}
        .isBusy=${this.isQueueing}
        .shown=${this.result}
        @differ=${this.differ}
        @run=${this.queue}
      ></factor-form>`,
    );
  }
}

/** A study of the list and of the factor that the address names. */
function begun(): StudyBody {
  const symbols = symbolsIn(fromAddress('symbols') ?? '');
  const value = fromAddress('value');
  return {
    ...FIRST_STUDY,
    ...(symbols.length > 0 && { universe: { symbols } }),
    ...(value !== null && { factors: [{ name: fromAddress('name') ?? '', value }] }),
  };
}

const sizeOf = ({ instruments, sessions }: FactorResult) => t('factors.size', { instruments, sessions });

const isUnderWay = (status: FactorStudy['status']) => status === 'running' || status === 'queued';

/** `Momentum, Reversal, Low volatility +2` */
function namesOf({ factors }: FactorStudy): string {
  const others = factors.length - NAMED;
  return `${listed(factors.slice(0, NAMED))}${others > 0 ? ` +${number(others)}` : ''}`;
}

const LIST: readonly Column<FactorStudy>[] = [
  {
    key: 'factors',
    title: t('page.factors'),
    value: namesOf,
    cell: (study) => html`<a href=${`/factors?id=${study.id}`}>${namesOf(study)}</a>`,
  },
  { key: 'range', title: t('form.range'), isMinor: true, value: ({ time_range: range }) => rangeText(range) },
  {
    key: 'created',
    title: t('factors.created'),
    isMinor: true,
    value: ({ created_at: at }) => at,
    cell: ({ created_at: at }) => localTime(at),
  },
  {
    key: 'status',
    title: t('factors.status'),
    value: ({ status }) => status,
    cell: ({ status, progress_pct: done }) =>
      `${t(`sweeps.status.${status}`)}${status === 'running' ? ` · ${percent(done, 0)}` : ''}`,
  },
];
