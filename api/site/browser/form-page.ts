/** Pages with a form: they load what the form needs, then show what their address names. */
import { html, type ReactiveControllerHost } from 'lit';
import { state } from 'lit/decorators.js';
import { followAddress } from './address.ts';
import { SiteElement } from './element.ts';
import { Load } from './load.ts';
import { failure, LOADING, type Loaded, loading, outcome } from './states.ts';

/** Loads what a form needs. `begin` shows what the address names: at the beginning, and when the reader goes back or forward. */
export function loadForm<T>(host: ReactiveControllerHost, read: () => Promise<T>, begin: (needed: T) => unknown) {
  const needed = new Load(host, read, begin);
  followAddress(host, needed.useAgain);
  return needed;
}

export function formPage<T>(heading: string, needed: Load<T>, content: (needed: T) => unknown) {
  if (needed.result.state === 'failed') return failure(needed.result.error, needed.again);
  return html`<h1>${heading}</h1>
    ${needed.render(content)}`;
}

export abstract class FormPage<Needed> extends SiteElement {
  /** The data behind the form, such as the strategies. */
  @state() needed: Loaded<Needed> = LOADING;
  private work = new AbortController();

  constructor() {
    super();
    followAddress(this, () => this.again());
  }

  /** The heading of the page. */
  protected abstract readonly heading: string;

  protected abstract loadNeeded(): Promise<Needed>;

  /** Shows what the address names; called at the beginning, and when the reader goes back or forward. */
  protected abstract begin(needed: Needed): unknown;

  protected abstract content(needed: Needed): unknown;

  override connectedCallback(): void {
    super.connectedCallback();
    this.load();
  }

  /** Ends the calls that nobody waits for any longer. */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.work.abort();
  }

  protected readonly load = async (): Promise<void> => {
    this.needed = await outcome(this.loadNeeded());
    await this.again();
  };

  protected async again(): Promise<void> {
    if (this.needed.state === 'loaded') await this.begin(this.needed.value);
  }

  /** For the work that the page waits for now. */
  protected get signal(): AbortSignal {
    return this.work.signal;
  }

  /** Ends the work that the page waits for, and returns the signal of the next. */
  protected nextWork(): AbortSignal {
    this.work.abort();
    this.work = new AbortController();
    return this.work.signal;
  }

  override render() {
    const { needed } = this;
    if (needed.state === 'failed') return failure(needed.error, this.load);
    return html`<h1>${this.heading}</h1>
      ${needed.state === 'loading' ? loading() : this.content(needed.value)}`;
  }
}
