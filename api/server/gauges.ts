/** Metrics that are read when they are scraped. */
import { Gauge, type Registry } from 'prom-client';

/** A gauge whose value comes from the database. Without the database it is left out, and other metrics still appear. */
export function gauge(registers: Registry[], name: string, help: string, read: () => Promise<number | null>): void {
  new Gauge({
    name,
    help,
    registers,
    async collect() {
      this.reset();
      const value = await read().catch(() => null);
      if (value === null) this.remove();
      else this.set(value);
    },
  });
}

type Values = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/** A gauge with labels. Without the database it has no values, and other metrics still appear. */
export function gaugeBy(
  registers: Registry[],
  name: string,
  help: string,
  labelNames: readonly string[],
  read: () => Values | Promise<Values>,
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers,
    async collect() {
      this.reset();
      for (const [labels, value] of await Promise.resolve()
        .then(read)
        .catch(() => []))
        this.set(labels, value);
    },
  });
}

/** Shares one call between the metrics of a scrape, which are collected concurrently. */
export function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= read().finally(() => {
      running = null;
    });
    return running;
  };
}
