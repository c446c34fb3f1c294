/** Loads a value when its element comes into the page, and shows how that goes until it is there. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type failure, LOADING, type Loaded, outcome, whenLoaded } from './states.ts';

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
