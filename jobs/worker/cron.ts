/**
 * Work at the times of cron expressions, in UTC: in a zone whose clocks change, an hour of expressions would be skipped in spring and
 * ticks would stop for an hour in fall. What a stalled process or a clock that is set forward passed over is run once, late; a clock that is
 * set back starts the waits again, which would otherwise last until the clock is where it was.
 */
import { type ScheduledTask, schedule } from 'node-cron';
import { machineTime } from '../../db/clock.ts';
import { MS_PER_DAY } from '../../engine/market/dates.ts';

const WATCH_MS = 1_000;

export class Cron {
  private readonly tasks: ScheduledTask[] = [];
  private readonly watch = setInterval(() => this.followClock(), WATCH_MS).unref();
  /** Milliseconds from the monotonic clock to the clock of this machine. */
  private offset = machineTime() - performance.now();

  /** `work` handles its own errors. */
  add(expression: string, work: () => void): void {
    const options = { timezone: 'UTC', missedExecutionTolerance: MS_PER_DAY, suppressMissedWarning: true };
    this.tasks.push(schedule(expression, work, options));
  }

  private followClock(): void {
    const offset = machineTime() - performance.now();
    if (offset < this.offset - WATCH_MS) {
      for (const task of this.tasks) {
        void task.stop();
        void task.start();
      }
    }
    this.offset = offset;
  }

  async stop(): Promise<void> {
    clearInterval(this.watch);
    for (const task of this.tasks) await task.stop();
  }
}
