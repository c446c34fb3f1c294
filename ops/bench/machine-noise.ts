/** Measures the noise of the machine: the same work repeated, with nothing else running. */
import { ascending, type Figure, figure, quantile } from './harness.ts';

const REPEATS = 60;
const STEPS = 2_000_000;

function work(): number {
  let state = 1;
  for (let i = 0; i < STEPS; i++) state = (state * 48_271) % 2_147_483_647;
  return state;
}

export class MachineNoise {
  private readonly samples: number[] = [];

  sample(): void {
    for (let i = 0; i < REPEATS; i++) {
      const start = performance.now();
      work();
      this.samples.push(performance.now() - start);
    }
  }

  figure(): Figure {
    const sorted = ascending(this.samples);
    const [median, slow] = [quantile(sorted, 0.5), quantile(sorted, 0.95)];
    const note = `work of ${median.toFixed(1)} ms takes ${slow.toFixed(1)} ms at the 95th percentile`;
    return figure('machine.noise_pct', 100 * (slow / median - 1), '', note);
  }
}
