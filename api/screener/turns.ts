/** Long work on the event loop, cut into turns: other requests are let in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A turn that has lasted this long ends. */
const TURN_MS = 10;
/** Elements between two looks at the clock. */
const STRIDE = 256;

export class Turns {
  private start = performance.now();

  /** Visits all items in order. */
  async each<T>(items: readonly T[], visit: (item: T) => void): Promise<void> {
    for (let i = 0; i < items.length; i++) {
      if (i % STRIDE === 0) await this.rest();
      visit(items[i]);
    }
  }

  /** Those of `items` that pass. */
  async filter<T>(items: readonly T[], passes: (item: T) => boolean): Promise<T[]> {
    const passed: T[] = [];
    await this.each(items, (item) => {
      if (passes(item)) passed.push(item);
    });
    return passed;
  }

  private async rest(): Promise<void> {
    if (performance.now() - this.start < TURN_MS) return;
    await nextTurn();
    this.start = performance.now();
  }
}
