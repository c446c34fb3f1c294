/** Values and lists that an element loads, and the abort signal of what it waits for. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { followAddress } from './address.ts';
import type { SiteElement } from './dom.ts';
import { type failure, LOADING, type Loaded, settle, whenLoaded } from './states.ts';

/** Loads a value when its element is connected, and shows that it loads or why it failed. */
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
    void this.reload();
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
    if (this.result.state === 'loaded') await this.use(this.result.value);
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
  const needed = new Load(host, read, begin);
  followAddress(host, needed.reuse);
  return needed;
}

/** A list that the reader changes: reloaded after each change. */
export class EditableList<List> {
  /** The error of the last change. */
  error: unknown = null;
  isBusy = false;
  private readonly host: SiteElement;
  private readonly list: Load<List>;

  constructor(host: SiteElement, read: () => Promise<List>) {
    this.host = host;
    this.list = new Load(host, read);
  }

  /** Resolves with whether the change was made. */
  async change(work: () => Promise<unknown>): Promise<boolean> {
    this.isBusy = true;
    this.host.requestUpdate();
    const result = await settle(work());
    this.error = result.state === 'failed' ? result.error : null;
    this.isBusy = false;
    this.host.requestUpdate();
    if (result.state === 'failed') return false;
    await this.list.reload();
    this.host.dispatchEvent(new Event('change', { bubbles: true }));
    return true;
  }

  render(content: (list: List) => unknown) {
    return this.list.render(content);
  }
}
