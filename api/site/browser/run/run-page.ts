/** The common part of pages that run something from a form: the run that the address names, and keeping and sharing it. */
import { html, nothing, type ReactiveControllerHost } from 'lit';
import { fromAddress } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { ask } from '../elements/ask.ts';
import { fieldErrorsOf } from '../elements/strategy-fields.ts';
import type { FieldErrors } from '../fields.ts';
import { shareNotice, watchNotice } from '../notices.ts';
import { get, post, signedInAs, signIn } from '../session.ts';
import { failure, inlineFailure } from '../states.ts';
import { readSheet } from '../tear-sheet/read.ts';
import { day } from '../text.ts';
import { t } from '../tool-text.ts';
import type { AccountPlan, ForwardDetail, History, Sharing, Strategies, Watch } from '../types.ts';
import { type Allowance, refused, reportShape } from '../workspace.ts';
import { runJob } from './call.ts';
import { addToCompare } from './compared.ts';
import { KEPT_KINDS, MEASURED_KINDS, type RunKind } from './kind.ts';
import { Latest } from './latest.ts';
import { ideaOf } from './library.ts';

/** Runs on a page of the list. */
const LISTED = 100;

/** A plan limits kept runs: one more deletes the oldest. Asks the reader first if that ends a shared link. */
async function mayKeepAnother(signal: AbortSignal): Promise<boolean> {
  const { quotas } = await get<AccountPlan>('/api/account/plan', { signal });
  const most = quotas.backtest_history_max;
  if (most === null) return true;
  const lost = (await oldestOf(most, signal)).filter(({ shared }) => shared);
  if (lost.length === 0) return true;
  const strategies = await get<Strategies>('/api/backtest/strategies', { signal });
  const runs = lost.map((run) => nameOf(run, strategies)).join('; ');
  return ask({ title: t('keep.full'), text: t('keep.full.text', { most, runs }), action: t('keep.anyway') });
}

/** The runs that are deleted when one more is kept: the list has the newest first. */
async function oldestOf(most: number, signal: AbortSignal): Promise<History['items']> {
  const page = 1 + Math.floor((most - 1) / LISTED);
  const { items } = await get<History>('/v1/backtests', { query: { kind: 'all', page, page_size: LISTED }, signal });
  return items.slice((most - 1) % LISTED);
}

function nameOf(item: History['items'][number], strategies: Strategies): string {
  return `${ideaOf(item, strategies)} · ${day(item.start_date)} – ${day(item.end_date)}`;
}

interface KeptResult {
  readonly id: number | null;
}

/** A result with its call, and the id of the kept run; null: it is not kept. */
export interface FinishedRun<Body, Result> {
  readonly body: Body;
  readonly result: Result;
  readonly keptId: number | null;
}

const SITE_NAME = document.title.split(' · ').at(-1) ?? '';

type MadeRun<Body, Result> = Omit<FinishedRun<Body, Result>, 'keptId'>;

const finished = <Body, Result extends KeptResult>(made: MadeRun<Body, Result>): FinishedRun<Body, Result> => ({
  ...made,
  keptId: made.result.id,
});

interface PageForm<Body, Result> {
  /** Fills the form with what the address names. Returns the call to run at once; null: the reader is to send the form. */
  readonly readAddress: () => Body | null;
  /** Fills the form with a call. */
  readonly fill: (body: Body) => void;
  /** Runs a change of the form at once that would run in a moment: what is kept or shared is what the form says. */
  readonly runPending?: () => void;
  /** A finished run to begin with, where the address names none. */
  readonly example?: (signal: AbortSignal) => Promise<MadeRun<Body, Result>>;
}

/** The run of a page: started, opened, kept, and shared. */
export class PageRun<Body extends object, Result extends KeptResult> extends Latest<FinishedRun<Body, Result>> {
  private sharing: Sharing | null = null;
  /** The watch of the result in sight. */
  private watch: Watch | null = null;
  /** The error of the last attempt to keep or share. */
  private problem: unknown = null;
  /** Null: no call has said it yet. */
  allowance: Allowance | null = null;
  /** Seconds from the start of the newest run to its result. */
  seconds: number | null = null;
  private readonly kind: RunKind<Body, Result>;
  private readonly form: PageForm<Body, Result>;
  /** The end of the newest run. */
  private end: Promise<void> = Promise.resolve();

  constructor(host: ReactiveControllerHost, kind: RunKind<Body, Result>, form: PageForm<Body, Result>) {
    super(host);
    this.kind = kind;
    this.form = form;
  }

  fieldErrors(strategies: Strategies): FieldErrors {
    return fieldErrorsOf(this.error, strategies);
  }

  /** Shows the kept run or starts the run that the address names, or shows the form alone. */
  readonly begin = async (): Promise<void> => {
    this.isEdited = false;
    const { readAddress, example, fill } = this.form;
    const body = readAddress();
    const id = fromAddress('id');
    if (id !== null) await this.open(id);
    else if (body !== null) await this.start(body);
    else if (example)
      await this.openExample(
        async (signal) => finished(await example(signal)),
        ({ body }) => fill(body),
      );
    else this.clear();
  };

  readonly submitted = ({ detail: body }: CustomEvent<Body>): Promise<void> => {
    history.pushState(null, '', `?${this.kind.queryOf(body)}`);
    this.end = this.start(body);
    return this.end;
  };

  private async open(id: string): Promise<void> {
    await this.make(async (signal) => {
      const result = await get<Result>(path(this.kind.api.kept, { id }), { signal }).catch((error) =>
        this.openElsewhere(id, error, signal),
      );
      const body = this.kind.bodyOf(result);
      this.form.fill(body);
      return { body, result };
    });
    if (this.made.state === 'done' && this.kind.api.sheet !== null)
      await this.addSheet(this.made.value, this.work.signal);
  }

  /** Goes to the page of a run of another kind that has the id. Throws the error if there is none. */
  private async openElsewhere(id: string, error: unknown, signal: AbortSignal): Promise<never> {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    for (const kind of KEPT_KINDS.filter((one) => `/${one}` !== this.kind.page)) {
      const isThere = await get(path(`/api/${kind}/{id}`, { id }), { signal }).then(
        () => true,
        () => false,
      );
      if (!isThere) continue;
      location.replace(`/${kind}?id=${encodeURIComponent(id)}`);
      break;
    }
    throw error;
  }

  /** A kept run that has no tear sheet yet waits for it with its other figures on the page. */
  private async addSheet(run: FinishedRun<Body, Result>, signal: AbortSignal): Promise<void> {
    try {
      const sheet = await readSheet(path(this.kind.api.evidence, { id: Number(run.keptId) }), signal);
      if (this.shown === run)
        this.made = { state: 'done', value: { ...run, result: { ...run.result, tear_sheet: sheet } } };
    } catch (error) {
      if (signal.aborted) return;
      this.problem = error;
    }
    this.host.requestUpdate();
  }

  private async start(body: Body): Promise<void> {
    await this.make(async (signal) => ({ body, result: await this.ask({ ...body, save: false }, signal) }));
  }

  private ask(body: object, signal: AbortSignal): Promise<Result> {
    const sheet = this.kind.api.sheet !== null && { tear_sheet: true };
    return runJob<Result>(this.kind.api.run, { ...body, ...sheet }, signal, this.answered);
  }

  readonly answered = ({ headers }: Response): void => {
    const [limit, remaining] = ['Limit', 'Remaining'].map((name) => headers.get(`X-RateLimit-${name}`));
    if (limit !== null && remaining !== null) this.allowance = { limit: Number(limit), remaining: Number(remaining) };
    this.host.requestUpdate();
  };

  private async make(work: (signal: AbortSignal) => Promise<MadeRun<Body, Result>>): Promise<void> {
    const start = performance.now();
    await this.follow(async (signal) => {
      const made = finished(await work(signal));
      if (!signal.aborted) this.seconds = (performance.now() - start) / 1000;
      return made;
    });
  }

  protected override show(made: Latest<FinishedRun<Body, Result>>['made']): void {
    this.sharing = null;
    this.watch = null;
    this.problem = null;
    if (made.state === 'done' && this.isExample) this.seconds = null;
    super.show(made);
  }

  /** Keeps the run, unless its reader prefers the ones that this would delete. The same specification over the same data is not computed again. */
  private async keep(signal: AbortSignal): Promise<number | null> {
    if (this.made.state !== 'done') return null;
    const run = this.made.value;
    if (run.keptId !== null) return run.keptId;
    if (signedInAs() === null && !(await signIn())) return null;
    if (!(await mayKeepAnother(signal))) return null;
    const { id } = await this.ask({ ...run.body, save: true }, signal);
    if (!signal.aborted) this.made = { state: 'done', value: { ...run, keptId: id } };
    this.host.requestUpdate();
    return id;
  }

  private async share(isShared: boolean, signal: AbortSignal): Promise<void> {
    const id = await this.keep(signal);
    if (id === null) return;
    this.sharing = await post<Sharing>(path(this.kind.api.share, { id }), { shared: isShared }, { signal });
  }

  private readonly attempt = (work: (signal: AbortSignal) => Promise<unknown>) => async () => {
    this.form.runPending?.();
    await this.end;
    const { signal } = this.work;
    this.problem = null;
    this.host.requestUpdate();
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) this.problem = error;
    }
    this.host.requestUpdate();
  };

  /** The report of the newest result, and what has happened since; before the first one, why there is none. */
  outcome(strategies: Strategies, emptyState: () => unknown, report: (made: FinishedRun<Body, Result>) => unknown) {
    const { shown } = this;
    if (shown === null) return this.withoutResult(strategies, emptyState);
    // The name of the tab, and of what is printed.
    document.title = `${this.kind.idea(shown.result, strategies)} · ${SITE_NAME}`;
    const failed = this.state === 'failed' ? this.withoutResult(strategies, emptyState) : nothing;
    return html`${this.messages()} ${failed} ${report(shown)}`;
  }

  private withoutResult(strategies: Strategies, emptyState: () => unknown) {
    if (this.state === 'none') return emptyState();
    if (this.state !== 'failed') return reportShape();
    const errors = this.fieldErrors(strategies);
    return Object.keys(errors).length > 0 ? refused(errors) : failure(this.error, this.begin);
  }

  shareButton() {
    const share = this.attempt((signal) => this.share(true, signal));
    return html`<button ?disabled=${this.isBusy} @click=${share}>${t('run.share')}</button>`;
  }

  /** Seals the result, which goes on from here. */
  sealButton() {
    const seal = this.attempt(async (signal) => {
      const id = await this.keep(signal);
      if (id === null) return;
      const kind = this.kind.page.slice(1);
      const sealed = await runJob<ForwardDetail>('/v1/my/forward', { run: { kind, id } }, signal);
      location.assign(`/forward?id=${sealed.id}`);
    });
    return html`<button ?disabled=${this.isBusy} @click=${seal}>${t('forward.seal')}</button>`;
  }

  /** `make` watches what a run trades. */
  watchButton(make: (result: Result, signal: AbortSignal) => Promise<Watch>) {
    const watch = this.attempt(async (signal) => {
      if (this.made.state !== 'done' || (signedInAs() === null && !(await signIn()))) return;
      this.watch = await make(this.made.value.result, signal);
    });
    return html`<button ?disabled=${this.isBusy || this.watch !== null} @click=${watch}>${t('run.watch')}</button>`;
  }

  compareButton(strategies: Strategies) {
    const add = () => {
      if (this.shown === null) return;
      const { body, result } = this.shown;
      const kind = MEASURED_KINDS.find((one) => `/${one}` === this.kind.page) ?? MEASURED_KINDS[0];
      void addToCompare(kind, body, strategies, this.kind.idea(result, strategies));
    };
    return html`<button ?disabled=${this.isBusy} @click=${add}>${t('compare.add')}</button>`;
  }

  keepButton() {
    const isKept = this.shown !== null && this.shown.keptId !== null;
    return html`<button class="primary" ?disabled=${isKept || this.isBusy} @click=${this.attempt((signal) => this.keep(signal))}>
      ${isKept ? t('run.kept') : t('run.keep')}
    </button>`;
  }

  /** The link of a shared result, what watches it, and why it could not be kept, shared, or watched. */
  private messages() {
    const revoke = this.attempt((signal) => this.share(false, signal));
    return html`${shareNotice(this.sharing, revoke)} ${watchNotice(this.watch)} ${inlineFailure(this.problem)}`;
  }
}
