import { setTimeout as sleep } from 'node:timers/promises';
import { deadline } from './deadlines.ts';

/** Pause between two checks: short compared with the wait, and long enough to leave the processor to the awaited work. */
const PAUSE_MS = 10;

/** Repeats a check until it succeeds; rejects after `idleMs` (scaled to the machine). Only for changes that send no event. */
export async function eventually<T>(
  ask: () => Promise<T>,
  isWanted: (answer: T) => boolean,
  idleMs = 20_000,
): Promise<T> {
  const end = performance.now() + deadline(idleMs);
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    if (performance.now() > end) throw new Error(`waited in vain; the last answer was ${JSON.stringify(answer)}`);
    await sleep(PAUSE_MS);
  }
}
