/** Values and lists that an element loads, what its reader does, and the abort signal of what it waits for. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { followAddress } from './address.ts';
import { ApiError } from './api.ts';
import type { SiteElement } from './dom.ts';
import { locale } from './page-locale.ts';
import { get } from './session.ts';
import { type failure, inlineFailure, LOADING, type Loaded, settle, whenLoaded } from './states.ts';

interface LoadOptions<T> {
  /** Called with each value that was loaded. */
  readonly use?: (value: T) => unknown;
  /** Names what is loaded: another name loads again. */
  readonly of?: () => unknown;
}

/** Loads a value for its element, and shows that it loads or why it failed. */
export class Load<T> implements ReactiveController {
  result: Loaded<T> = LOADING;
  private readonly host: ReactiveControllerHost;
  private readonly read: () => Promise<T>;
  private readonly options: LoadOptions<T>;
  private reads = 0;
  private named: unknown;

  constructor(host: ReactiveControllerHost, read: () => Promise<T>, options: LoadOptions<T> = {}) {
    this.host = host;
    this.read = read;
    this.options = options;
    host.addController(this);
  }

  hostConnected(): void {
    if (this.options.of === undefined) void this.reload();
  }

  /** The properties of an element are set before its first update. */
  hostUpdate(): void {
    const name = this.options.of?.();
    if (name === this.named) return;
    this.named = name;
    void this.reload();
  }

  get value(): T | null {
    return this.result.state === 'loaded' ? this.result.value : null;
  }

  /** Keeps the earlier content until the new one is there. */
  readonly reload = async (): Promise<void> => {
    const number = ++this.reads;
    const result = await settle(this.read());
    // A newer load has begun.
    if (number !== this.reads) return;
    this.result = result;
    this.host.requestUpdate();
    await this.reuse();
  };

  /** Calls `use` again with the loaded value. */
  readonly reuse = async (): Promise<void> => {
    if (this.result.state === 'loaded') await this.options.use?.(this.result.value);
  };

  render(content: (value: T) => unknown, failed?: typeof failure): unknown {
    return whenLoaded(this.result, this.reload, content, failed);
  }
}

/** The abort signal of what an element waits for: newer work aborts it, and so does its removal from the page. */
export class AbortScope implements ReactiveController {
  private controller = new AbortController();

  constructor(host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostDisconnected(): void {
    this.abort();
  }

  /** The signal of the current work. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Aborts the current work, and returns the signal of the next. */
  next(): AbortSignal {
    this.abort();
    this.controller = new AbortController();
    return this.controller.signal;
  }

  abort(): void {
    this.controller.abort();
  }
}

/** Loads what a form needs. `begin` shows what the address names, then and whenever the reader goes back or forward. */
export function loadForm<T>(host: ReactiveControllerHost, read: () => Promise<T>, begin: (needed: T) => unknown) {
  const needed = new Load(host, read, { use: begin });
  followAddress(host, needed.reuse);
  return needed;
}

/** An action of the reader: controls wait for it, and the error of the newest one is shown. */
export class Attempt {
  error: unknown = null;
  isBusy = false;
  /** Whether the newest one has succeeded. */
  isDone = false;
  protected readonly host: SiteElement;
  private made = 0;

  constructor(host: SiteElement) {
    this.host = host;
  }

  /** Resolves with whether it has succeeded. */
  async make(work: () => Promise<unknown>): Promise<boolean> {
    const number = ++this.made;
    this.show({ error: null, isBusy: true, isDone: false });
    const result = await settle(work());
    const isDone = result.state === 'loaded';
    const error = result.state === 'failed' ? result.error : null;
    if (number === this.made) this.show({ error, isBusy: false, isDone });
    return isDone;
  }

  /** Forgets the newest one. */
  clear(): void {
    this.show({ error: null, isBusy: false, isDone: false });
  }

  private show(shown: Pick<Attempt, 'error' | 'isBusy' | 'isDone'>): void {
    Object.assign(this, shown);
    this.host.requestUpdate();
  }

  failure() {
    return inlineFailure(this.error);
  }
}

/** A list that the reader changes: reloaded after each change. */
export class EditableList<List> extends Attempt {
  private readonly list: Load<List>;

  constructor(host: SiteElement, read: () => Promise<List>) {
    super(host);
    this.list = new Load(host, read);
  }

  /** Resolves with whether the change was made. */
  async change(work: () => Promise<unknown>): Promise<boolean> {
    if (!(await this.make(work))) return false;
    await this.reload();
    this.host.dispatchEvent(new Event('change', { bubbles: true }));
    return true;
  }

  readonly reload = (): Promise<void> => this.list.reload();

  render(content: (list: List) => unknown) {
    return this.list.render(content);
  }
}

/** An example that is still computed is asked for again. */
const AGAIN_MS = 3_000;
const TRIES = 20;

/** An example that a page opens with. Throws an `ApiError` where there is none. */
export async function readExample<Example>(address: string, signal: AbortSignal): Promise<Example> {
  for (let tries = 1; ; tries++) {
    try {
      return await get<Example>(address, { query: { locale }, signal });
    } catch (error) {
      if (!isNotReady(error) || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

const isNotReady = (error: unknown) => error instanceof ApiError && error.key === 'error.example_not_ready';
