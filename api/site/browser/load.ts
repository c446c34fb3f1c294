/** Loads a value when its element comes into the page, and shows how that goes until it is there. */
import { html, type ReactiveController, type ReactiveControllerHost } from 'lit';
import { followAddress } from './address.ts';
import { failure, LOADING, type Loaded, outcome, whenLoaded } from './states.ts';

export class Load<T> implements ReactiveController {
  result: Loaded<T> = LOADING;
  private readonly host: ReactiveControllerHost;
  private readonly read: () => Promise<T>;
  private readonly use: (value: T) => unknown;
  private reads = 0;

  /** `use` is called with each value that was loaded. */
  constructor(host: ReactiveControllerHost, read: () => Promise<T>, use: (value: T) => unknown = () => {}) {
    this.host = host;
    this.read = read;
    this.use = use;
    host.addController(this);
  }

  hostConnected(): void {
    void this.again();
  }

  /** Loads it again and shows the earlier content meanwhile. */
  readonly again = async (): Promise<void> => {
    const number = ++this.reads;
    const result = await outcome(this.read());
    // A later one knows more.
    if (number !== this.reads) return;
    this.result = result;
    this.host.requestUpdate();
    await this.useAgain();
  };

  /** Uses what is there without loading it. */
  readonly useAgain = async (): Promise<void> => {
    if (this.result.state === 'loaded') await this.use(this.result.value);
  };

  render(content: (value: T) => unknown, failed?: typeof failure): unknown {
    return whenLoaded(this.result, this.again, content, failed);
  }
}

/** The work that an element waits for: newer work ends it, and so does leaving the page. */
export class Work implements ReactiveController {
  private controller = new AbortController();

  constructor(host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostDisconnected(): void {
    this.end();
  }

  /** The signal of the work that is waited for now. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Ends the work that is waited for, and returns the signal of the next. */
  next(): AbortSignal {
    this.end();
    this.controller = new AbortController();
    return this.controller.signal;
  }

  end(): void {
    this.controller.abort();
  }
}

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
