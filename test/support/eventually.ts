import { setTimeout as sleep } from 'node:timers/promises';
import { deadline } from './deadlines.ts';

/** Between two questions: short against what is waited for, long enough to leave the processor to it. */
const PAUSE_MS = 10;

/** Asks again until the answer is as wanted; rejects after `idleMs` (scaled to the machine). For what tells no event. */
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
