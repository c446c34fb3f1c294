/** The work that an element waits for: newer work ends it, and so does leaving the page. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';

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
