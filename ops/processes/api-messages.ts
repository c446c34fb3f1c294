/** Messages between the processes of the API and the process above them. */
import type { GroupSize, MetricValues } from '../../api/server/process-group.ts';

export type FromApiProcess =
  | { readonly type: 'ready' }
  /** Sent every `BEAT_MS`, unless the event loop is held. */
  | { readonly type: 'beat' }
  | { readonly type: 'metrics'; readonly values: MetricValues }
  | { readonly type: 'all_metrics_wanted'; readonly id: number };

export type ToApiProcess =
  | { readonly type: 'size'; readonly size: GroupSize }
  | { readonly type: 'metrics_wanted' }
  | { readonly type: 'all_metrics'; readonly id: number; readonly text: string };

export const BEAT_MS = 2_000;
