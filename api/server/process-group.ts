/** API processes that share a port. Each call reaches one of them. */
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';

export type MetricValues = MetricObjectWithValues<MetricValue<string>>[];

/** The group as one of its processes sees it. */
export interface ProcessGroup {
  /** Number of this process, from 1. A process that replaces another one takes its number. */
  readonly number: number;
  /** How many processes there should be, and how many take calls. */
  readonly size: () => GroupSize;
  /** Provides the values of this process to the others; the returned function gives the text of all processes. */
  readonly shareMetrics: (own: () => Promise<MetricValues>) => () => Promise<string>;
}

export interface GroupSize {
  readonly configured: number;
  readonly serving: number;
}

/** One value per metric and labels: a sum, or what the metric asks for. */
function merge(parts: readonly MetricValues[]) {
  return AggregatorRegistry.aggregate([...parts]);
}

/** The exposition text of several processes as one. */
export function mergedText(parts: readonly MetricValues[]): Promise<string> {
  return merge(parts).metrics();
}

/** The counts of ended processes, without which the sums would drop when a process ends. */
export async function mergedCounts(parts: readonly MetricValues[]): Promise<MetricValues> {
  const merged = await merge(parts).getMetricsAsJSON();
  return merged.filter(({ type }) => String(type) === 'counter' || String(type) === 'histogram');
}
