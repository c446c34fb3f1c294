/** The newest of what a page makes: while another one is made, or has failed, the one before stays in sight. */
import type { ReactiveControllerHost } from 'lit';
import { type ChangedField, staleWords } from '../elements/changed-field.ts';
import { AbortScope } from '../load.ts';
import { t } from '../tool-text.ts';

type Made<T> =
  | { readonly state: 'none' }
  | { readonly state: 'running'; readonly earlier: T | null }
  | { readonly state: 'failed'; readonly error: unknown; readonly earlier: T | null }
  | { readonly state: 'done'; readonly value: T };

export class Latest<T> {
  /** Whether the newest one is an example. */
  isExample = false;
  /** Whether the reader has changed the form since the address was read. */
  isEdited = false;
  /** The first field that is not as it was for what is in sight; null: all are. */
  differing: ChangedField | null = null;
  protected made: Made<T> = { state: 'none' };
  protected readonly host: ReactiveControllerHost;
  protected readonly work: AbortScope;

  constructor(host: ReactiveControllerHost) {
    this.host = host;
    this.work = new AbortScope(host);
  }

  get state(): Made<T>['state'] {
    return this.made.state;
  }

  get isBusy(): boolean {
    return this.made.state === 'running';
  }

  get shown(): T | null {
    if (this.made.state === 'done') return this.made.value;
    return this.made.state === 'none' ? null : this.made.earlier;
  }

  /** Null unless the newest one has failed. */
  get error(): unknown {
    return this.made.state === 'failed' ? this.made.error : null;
  }

  readonly edited = (): void => {
    this.isEdited = true;
  };

  readonly differ = ({ detail }: CustomEvent<ChangedField | null>): void => {
    this.differing = detail;
    this.host.requestUpdate();
  };

  /** Why what is in sight is not of the form; null: it is, or nothing is in sight. */
  get stale(): string | null {
    if (this.shown === null) return null;
    return staleWords(this.differing) ?? (this.state === 'done' ? null : t('form.before'));
  }

  protected show(made: Made<T>): void {
    this.made = made;
    this.host.requestUpdate();
  }

  clear(): void {
    this.work.next();
    this.show({ state: 'none' });
  }

  /** Shows that one is made, and then the result in place of the one before. */
  async follow(make: (signal: AbortSignal) => Promise<T>, isExample = false): Promise<void> {
    const signal = this.work.next();
    const earlier = this.shown;
    this.show({ state: 'running', earlier });
    try {
      const value = await make(signal);
      if (signal.aborted) return;
      this.isExample = isExample;
      this.show({ state: 'done', value });
    } catch (error) {
      if (!signal.aborted) this.show({ state: 'failed', error, earlier });
    }
  }

  /** Begins with an example, which `fill` puts into the form unless its reader is typing; where there is none, the page begins empty. */
  async openExample(read: (signal: AbortSignal) => Promise<T>, fill: (example: T) => void): Promise<void> {
    await this.follow(async (signal) => {
      const example = await read(signal);
      if (!signal.aborted && !this.isEdited) fill(example);
      return example;
    }, true);
    if (this.made.state === 'failed') this.show({ state: 'none' });
  }
}
