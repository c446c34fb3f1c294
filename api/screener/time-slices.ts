/** Divides long work on the event loop into slices, so that other requests are served in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 10;
/** Items between two checks of the clock. */
const STRIDE = 256;
/** The same for rules, which take longer. */
export const RULE_STRIDE = 16;

export class TimeSlices {
  private start = performance.now();

  /** Visits all items in order, and checks the clock every `stride` items. */
  async each<T>(items: readonly T[], visit: (item: T) => void, stride = STRIDE): Promise<void> {
    for (let from = 0; from < items.length; from += stride) {
      await this.rest();
      const to = Math.min(from + stride, items.length);
      for (let i = from; i < to; i++) visit(items[i]);
    }
  }

  /** The items that pass, in order. */
  async filter<T>(items: readonly T[], passes: (item: T) => boolean, stride = STRIDE): Promise<T[]> {
    const passed: T[] = [];
    for (let from = 0; from < items.length; from += stride) {
      await this.rest();
      addPassing(items, from, Math.min(from + stride, items.length), passes, passed);
    }
    return passed;
  }

  private async rest(): Promise<void> {
    if (performance.now() - this.start < SLICE_MS) return;
    await nextTurn();
    this.start = performance.now();
  }
}

function addPassing<T>(items: readonly T[], from: number, to: number, passes: (item: T) => boolean, passed: T[]): void {
  for (let i = from; i < to; i++) if (passes(items[i])) passed.push(items[i]);
}
