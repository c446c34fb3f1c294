/** One value that is computed at most once per `maxAgeMs`, also when many ask at once. */
export class TimedCache<T> {
  private readonly maxAgeMs: number;
  private current: { readonly madeAt: number; readonly value: Promise<T> } | null = null;

  constructor(maxAgeMs: number) {
    this.maxAgeMs = maxAgeMs;
  }

  async get(make: () => Promise<T>): Promise<{ value: T; cached: boolean }> {
    const isFresh = this.current !== null && performance.now() - this.current.madeAt < this.maxAgeMs;
    if (!isFresh) {
      const made = { madeAt: performance.now(), value: make() };
      this.current = made;
      made.value.catch(() => {
        if (this.current === made) this.current = null;
      });
    }
    return { value: await (this.current as { value: Promise<T> }).value, cached: isFresh };
  }
}
