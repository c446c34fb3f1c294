/** The base of pages that run something from a form: the run that the address names, and keeping and sharing it. */
import { html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { fromAddress } from '../address.ts';
import { path } from '../api.ts';
import { type Faults, faultsOf } from '../faults.ts';
import { FormPage } from '../form-page.ts';
import { get, post, signedInAs, signIn } from '../session.ts';
import { shareNotice } from '../share-notice.ts';
import { failure, inlineFailure } from '../states.ts';
import { t } from '../text.ts';
import type { Sharing, Strategies } from '../types.ts';
import { runJob } from './call.ts';
import { mayKeepAnother } from './keeping.ts';
import type { AnyResult, RunKind } from './kind.ts';

/** A result with the call that gives it. */
export interface Made<Body, Result> {
  readonly body: Body;
  readonly result: Result;
}

/** The state of the page below the form. */
type Run<Body, Result> =
  | { readonly state: 'none' }
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly made: Made<Body, Result> }
  | { readonly state: 'failed'; readonly error: unknown };

/** The data behind the form of a run. */
export interface FormParts {
  readonly strategies: Strategies;
}

export abstract class RunPage<
  Parts extends FormParts,
  Body extends object,
  Result extends AnyResult,
> extends FormPage<Parts> {
  @state() run: Run<Body, Result> = { state: 'none' };
  /** The id under which its reader keeps the run; null: they do not. */
  @state() kept: number | null = null;
  @state() sharing: Sharing | null = null;
  /** The error of the last attempt to keep or share. */
  @state() problem: unknown = null;

  protected abstract readonly kind: RunKind<Body, Result>;

  /** Fills the form with what the address names. Returns the call to run at once; null: the reader is to send the form. */
  protected abstract readAddress(): Body | null;

  /** Fills the form with a call. */
  protected abstract fill(body: Body): void;

  protected abstract form(parts: Parts): unknown;

  protected abstract report(made: Made<Body, Result>): unknown;

  /** Shown below the form while there is no run. */
  protected abstract invitation(): unknown;

  /** Further buttons of a result. */
  protected buttons(_result: Result): unknown {
    return nothing;
  }

  protected override get heading(): string {
    return this.kind.heading;
  }

  /** Shows a kept run, a run to be made, or the form alone. */
  protected override async begin(_parts: Parts): Promise<void> {
    const body = this.readAddress();
    const id = fromAddress('id');
    if (id !== null) await this.open(id);
    else if (body !== null) await this.start(body);
    else {
      this.nextWork();
      this.forget({ state: 'none' });
    }
  }

  private forget(run: Run<Body, Result>): void {
    this.run = run;
    this.kept = null;
    this.sharing = null;
    this.problem = null;
  }

  private async open(id: string): Promise<void> {
    await this.follow(async (signal) => {
      const result = await get<Result>(path(this.kind.api.kept, { id }), { signal });
      const body = this.kind.bodyOf(result);
      this.fill(body);
      return { body, result };
    });
  }

  protected readonly submitted = ({ detail: body }: CustomEvent<Body>) => {
    history.pushState(null, '', `?${this.kind.queryOf(body)}`);
    return this.start(body);
  };

  private async start(body: Body): Promise<void> {
    await this.follow(async (signal) => ({ body, result: await this.ask({ ...body, save: false }, signal) }));
  }

  private ask(body: object, signal: AbortSignal): Promise<Result> {
    return runJob<Result>(this.kind.api.run, body, signal);
  }

  /** Shows how a run goes and what it gives, instead of the one before. */
  private async follow(work: (signal: AbortSignal) => Promise<Made<Body, Result>>): Promise<void> {
    const signal = this.nextWork();
    this.forget({ state: 'running' });
    try {
      const made = await work(signal);
      if (signal.aborted) return;
      this.run = { state: 'done', made };
      this.kept = made.result.id;
      document.title = [this.kind.subject(made.result), ...document.title.split(' · ').slice(-2)].join(' · ');
    } catch (error) {
      if (!signal.aborted) this.run = { state: 'failed', error };
    }
  }

  protected faultsIn({ strategies }: Parts): Faults {
    return this.run.state === 'failed' ? faultsOf(this.run.error, strategies) : {};
  }

  protected get isBusy(): boolean {
    return this.run.state === 'running';
  }

  /** Keeps the run as it is, unless its reader would rather keep what that pushes out: the same specification over the same data is not computed again. */
  private async keep(signal: AbortSignal): Promise<number | null> {
    if (this.kept !== null || this.run.state !== 'done') return this.kept;
    if (signedInAs() === null && !(await signIn())) return null;
    if (!(await mayKeepAnother(signal))) return null;
    const { id } = await this.ask({ ...this.run.made.body, save: true }, signal);
    if (!signal.aborted) this.kept = id;
    return id;
  }

  private async share(isShared: boolean, signal: AbortSignal): Promise<void> {
    const id = await this.keep(signal);
    if (id === null) return;
    this.sharing = await post<Sharing>(path(this.kind.api.share, { id }), { shared: isShared }, { signal });
  }

  private readonly attempt = (work: (signal: AbortSignal) => Promise<unknown>) => async () => {
    const { signal } = this;
    this.problem = null;
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) this.problem = error;
    }
  };

  protected override content(parts: Parts) {
    return html`${this.form(parts)}
      <section aria-live="polite" aria-busy=${this.isBusy}>${this.outcome(parts)}</section>`;
  }

  private outcome(parts: Parts) {
    const { run } = this;
    const { strategies } = parts;
    if (run.state === 'none') return this.invitation();
    if (run.state === 'running') return html`<p class="state muted">${t('form.running')}</p>`;
    if (run.state === 'failed') {
      return Object.keys(this.faultsIn(parts)).length > 0 ? nothing : failure(run.error, () => this.again());
    }
    const { made } = run;
    return html`<div class="row spread run-head">
        <h2>${this.kind.title(made.result, strategies)}</h2>
        <div class="row">
          <button ?disabled=${this.kept !== null} @click=${this.attempt((signal) => this.keep(signal))}>
            ${this.kept === null ? t('run.keep') : t('run.kept')}
          </button>
          <button @click=${this.attempt((signal) => this.share(true, signal))}>${t('run.share')}</button>
          ${this.buttons(made.result)}
        </div>
      </div>
      ${shareNotice(
        this.sharing,
        this.attempt((signal) => this.share(false, signal)),
      )}
      ${inlineFailure(this.problem)} ${this.report(made)}`;
  }
}
