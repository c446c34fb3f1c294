/** Asks again until the answer is as wanted; rejects after 20 s. For what tells no event. */
export async function eventually<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`waited in vain; the last answer was ${JSON.stringify(answer)}`);
    await new Promise((next) => setImmediate(next));
  }
}
