/** Cuts long work on the event loop into slices, so that other requests run in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 10;
/** Items between two checks of the clock. */
const STRIDE = 256;
/** The same for rules, each of which takes longer. */
export const RULE_STRIDE = 16;

export class TimeSlices {
  private start = performance.now();

  /** Visits all items in order, and looks at the clock every `stride` items. */
  async each<T>(items: readonly T[], visit: (item: T) => void, stride = STRIDE): Promise<void> {
    for (let i = 0; i < items.length; i++) {
      if (i % stride === 0) await this.rest();
      visit(items[i]);
    }
  }

  /** The items that pass, in order. */
  async filter<T>(items: readonly T[], passes: (item: T) => boolean, stride = STRIDE): Promise<T[]> {
    const passed: T[] = [];
    await this.each(
      items,
      (item) => {
        if (passes(item)) passed.push(item);
      },
      stride,
    );
    return passed;
  }

  private async rest(): Promise<void> {
    if (performance.now() - this.start < SLICE_MS) return;
    await nextTurn();
    this.start = performance.now();
  }
}
