/**
 * Deadlines of tests. A deadline must end a test that hangs and never one that is only slow, so it grows with the slowness of
 * the machine, which is measured once per run and passed to the test workers in their environment.
 */
import { availableParallelism, loadavg } from 'node:os';

/** Other work may begin after the measurement, so no deadline is shorter than this many times its idle length. */
export const LEAST_FACTOR = 6;
const GREATEST_FACTOR = 20;
const SPIN_CPU_MS = 100;

/** Wall-clock time per processor time of a busy loop: 1 on an idle machine, 2 where the loop gets half of a core. */
function measureContention(): number {
  const start = performance.now();
  const used = process.threadCpuUsage();
  let cpuMs = 0;
  while (cpuMs < SPIN_CPU_MS) {
    const { user, system } = process.threadCpuUsage(used);
    cpuMs = (user + system) / 1000;
  }
  return (performance.now() - start) / cpuMs;
}

function measureFactor(): number {
  const runnablePerCore = loadavg()[0] / availableParallelism();
  const slowdown = Math.max(1, measureContention(), runnablePerCore);
  return Math.min(GREATEST_FACTOR, LEAST_FACTOR * slowdown);
}

process.env.TEST_DEADLINE_FACTOR ??= measureFactor().toFixed(2);
const factor = Number(process.env.TEST_DEADLINE_FACTOR);

/** Returns the milliseconds to wait on this machine for work that takes at most `idleMs` on an idle one. */
export function deadline(idleMs: number): number {
  return Math.ceil(idleMs * factor);
}
