/** An API process that is a member of a group: its side of the channel to the group's process. */
import cluster, { type Worker } from 'node:cluster';
import type { GroupSize, MetricValues, ProcessGroup } from '../../api/server/process-group.ts';

export type FromApiProcess =
  | { readonly type: 'ready' }
  /** Sent every `BEAT_MS`, unless the event loop is blocked. */
  | { readonly type: 'beat' }
  | { readonly type: 'metrics'; readonly values: MetricValues }
  | { readonly type: 'all_metrics_wanted'; readonly id: number };

export type ToApiProcess =
  | { readonly type: 'size'; readonly size: GroupSize }
  | { readonly type: 'metrics_wanted' }
  | { readonly type: 'all_metrics'; readonly id: number; readonly text: string };

const BEAT_MS = 2_000;

/** Longer than the group waits for its slowest process. */
const METRICS_TIMEOUT_MS = 4_000;

/** The group that this process is a member of; null: it listens on its port alone. */
export function joinGroup(): ProcessGroup | null {
  const { worker } = cluster;
  return worker ? createMembership(worker, Number(process.argv[2])) : null;
}

function createMembership(worker: Worker, number: number): ProcessGroup {
  const wanted = new Map<number, (text: string) => void>();
  let size: GroupSize = { configured: 1, serving: 1 };
  let ownMetrics = async (): Promise<MetricValues> => [];
  let lastId = 0;
  const notify = (message: FromApiProcess) => {
    if (worker.isConnected()) worker.send(message, () => {});
  };
  worker.on('message', (message: ToApiProcess) => {
    if (message.type === 'size') size = message.size;
    else if (message.type === 'all_metrics') wanted.get(message.id)?.(message.text);
    else if (message.type === 'metrics_wanted') void ownMetrics().then((values) => notify({ type: 'metrics', values }));
  });
  setInterval(() => notify({ type: 'beat' }), BEAT_MS).unref();
  // Otherwise Node would end this process during calls when its parent ends.
  worker.exitedAfterDisconnect = true;

  async function allMetrics(): Promise<string> {
    const id = ++lastId;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    wanted.set(id, resolve);
    const timer = setTimeout(
      () => reject(new Error('the metrics of all processes did not arrive')),
      METRICS_TIMEOUT_MS,
    );
    notify({ type: 'all_metrics_wanted', id });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      wanted.delete(id);
    }
  }

  return {
    number,
    size: () => size,
    shareMetrics(own) {
      ownMetrics = own;
      return allMetrics;
    },
  };
}
