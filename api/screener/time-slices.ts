/** Cuts long work on the event loop into slices, so that other requests run in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 10;
/** Items between two checks of the clock. */
const STRIDE = 256;

export class TimeSlices {
  private start = performance.now();

  /** Visits all items in order. */
  async each<T>(items: readonly T[], visit: (item: T) => void): Promise<void> {
    for (let i = 0; i < items.length; i++) {
      if (i % STRIDE === 0) await this.rest();
      visit(items[i]);
    }
  }

  /** The items that pass, in order. */
  async filter<T>(items: readonly T[], passes: (item: T) => boolean): Promise<T[]> {
    const passed: T[] = [];
    await this.each(items, (item) => {
      if (passes(item)) passed.push(item);
    });
    return passed;
  }

  private async rest(): Promise<void> {
    if (performance.now() - this.start < SLICE_MS) return;
    await nextTurn();
    this.start = performance.now();
  }
}
