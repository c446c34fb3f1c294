/**
 * Compares a history of calls with the state that is left, in the manner of Jepsen, and names each broken promise: everything acknowledged
 * is there once. Attempts may repeat, effects may not. Times are milliseconds of one monotonic clock.
 */

/**
 * `keep`, `queue`, `search`, and `export` make something under a key of their own, which a retried call repeats; `remove` deletes a kept
 * run and `remove_key` an API key, named by the key of the call; `limited` calls count in the limit of the account that is the key;
 * `screen` and `quote` read what the key names.
 */
export type CallKind =
  | 'keep'
  | 'queue'
  | 'search'
  | 'export'
  | 'remove'
  | 'add_key'
  | 'remove_key'
  | 'limited'
  | 'screen'
  | 'quote';

export interface PastCall {
  readonly kind: CallKind;
  readonly key: string;
  readonly begunAt: number;
  readonly endedAt: number;
  /** 0: no answer, so that the call may have had its effect or not. */
  readonly status: number;
  /** The id of whatever was made, the session of a quote, or the rows of a screen; null: none was told. */
  readonly value: string | null;
}

/** A kept run, a queued run, a search, or an export that is left. */
export interface Effect {
  readonly kind: 'keep' | 'queue' | 'search' | 'export';
  readonly id: string;
  readonly key: string;
  /** Whether nothing more is to be done for it, and it did not fail. */
  readonly isDone: boolean;
  /** Objects that it should have and has not. */
  readonly missing: readonly string[];
}

export interface Delivery {
  /** The same in every attempt. */
  readonly id: string;
  readonly runId: string;
}

export interface FinalState {
  readonly effects: readonly Effect[];
  /** Deliveries that reached their receiver. */
  readonly deliveries: readonly Delivery[];
  /** Ids of the API keys of the account whose quota is tried. */
  readonly apiKeys: readonly string[];
}

export interface Promises {
  /** API keys that the account may have. */
  readonly keysMax: number;
  /** Calls that an account may make within the window. */
  readonly limit: number;
  readonly windowMs: number;
  readonly processes: number;
  /** When the database could not be reached: each process then counts on its own. */
  readonly outages: readonly (readonly [from: number, to: number])[];
  /** For so long a reader may see the session before the newest. */
  readonly olderMs: number;
}

/** Answers that say that the call had its effect. */
const isAcknowledged = ({ status }: PastCall) => status >= 200 && status < 300;

const isAnswered = (call: PastCall) => isAcknowledged(call) && call.value !== null;

/** The violations of the promises, each in words. */
export function violations(calls: readonly PastCall[], state: FinalState, promises: Promises): readonly string[] {
  const byKind = Map.groupBy(calls, ({ kind }) => kind);
  const of = (kind: CallKind) => byKind.get(kind) ?? [];
  return [
    ...(['keep', 'queue', 'search', 'export'] as const).flatMap((kind) =>
      madeOnce(kind, of(kind), of('remove'), state),
    ),
    ...unkept(of('queue'), state),
    ...returned(of('remove'), state),
    ...incomplete(state),
    ...untold([...of('queue'), ...of('search')], state),
    ...beyondQuota(of('add_key'), of('remove_key'), state, promises),
    ...beyondLimit(of('limited'), promises),
    ...different(of('screen')),
    ...outdated(of('quote'), promises),
  ];
}

const namedIn = (calls: readonly PastCall[]) => new Set(calls.map(({ key }) => key));

/** Acknowledged and lost, unfinished, or made twice under one key. */
function madeOnce(
  kind: Effect['kind'],
  calls: readonly PastCall[],
  removals: readonly PastCall[],
  { effects }: FinalState,
): string[] {
  const own = effects.filter((effect) => effect.kind === kind);
  const byId = new Map(own.map((effect) => [effect.id, effect]));
  const removed = namedIn(removals);
  const acknowledged = calls.filter(isAcknowledged);
  const found = acknowledged.flatMap(({ key, value }) => {
    const effect = value === null ? undefined : byId.get(value);
    if (effect === undefined) return value !== null && removed.has(value) ? [] : [`${kind} ${key}: lost (${value})`];
    if (effect.key !== key) return [`${kind} ${key}: answered with that of ${effect.key}`];
    return effect.isDone ? [] : [`${kind} ${key}: not done`];
  });
  const answers = Map.groupBy(acknowledged, ({ key }) => key);
  const answered = [...answers].flatMap(([key, same]) => {
    const values = new Set(same.map(({ value }) => value));
    return values.size > 1 ? [`${kind} ${key}: answered with ${[...values].join(' and ')}`] : [];
  });
  return [...new Set(found), ...answered, ...doubled(kind, own)];
}

function doubled(kind: Effect['kind'], own: readonly Effect[]): string[] {
  return [...Map.groupBy(own, ({ key }) => key)].flatMap(([key, same]) =>
    same.length > 1 ? [`${kind} ${key}: ${same.length} times (${same.map(({ id }) => id).join(', ')})`] : [],
  );
}

/** Acknowledged queued runs of which no result is kept. */
function unkept(calls: readonly PastCall[], { effects }: FinalState): string[] {
  const kept = new Set(effects.filter(({ kind }) => kind === 'keep').map(({ key }) => key));
  // No caller knows the id of what a queued run keeps, so none removes it.
  const missing = calls.filter((call) => isAcknowledged(call) && !kept.has(call.key));
  return [...namedIn(missing)].map((key) => `queue ${key}: its result is not kept`);
}

/** Removed and back. */
function returned(removals: readonly PastCall[], { effects }: FinalState): string[] {
  const left = new Set(effects.filter(({ kind }) => kind === 'keep').map(({ id }) => id));
  const back = removals.filter((call) => isAcknowledged(call) && left.has(call.key));
  return [...namedIn(back)].map((id) => `keep: ${id} was removed and is back`);
}

function incomplete({ effects }: FinalState): string[] {
  return effects.flatMap(({ kind, id, missing }) =>
    missing.length > 0 ? [`${kind}: ${id} lacks ${missing.join(', ')}`] : [],
  );
}

/** Each queued run and search is told at least once, under one id. */
function untold(calls: readonly PastCall[], { deliveries }: FinalState): string[] {
  const ids = Map.groupBy(deliveries, ({ runId }) => runId);
  const runs = new Set(calls.filter(isAcknowledged).flatMap(({ value }) => value ?? []));
  return [...runs].flatMap((run) => {
    const told = new Set(ids.get(run)?.map(({ id }) => id));
    if (told.size === 1) return [];
    return [told.size === 0 ? `${run} was not told` : `${run} was told as ${[...told].join(' and ')}`];
  });
}

/** API keys beyond the quota at a moment or at the end, and acknowledged ones that are lost or back. */
function beyondQuota(
  added: readonly PastCall[],
  removed: readonly PastCall[],
  { apiKeys }: FinalState,
  { keysMax }: Promises,
): string[] {
  const acknowledged = added.filter(isAcknowledged);
  const removals = Map.groupBy(removed, ({ key }) => key);
  // Each lives at least from the answer that tells of it until its removal begins.
  const changes = acknowledged
    .flatMap(({ endedAt, value }) => [
      { at: endedAt, by: 1 },
      ...(removals.get(value ?? '') ?? []).slice(0, 1).map(({ begunAt }) => ({ at: begunAt, by: -1 })),
    ])
    .sort((x, y) => x.at - y.at || x.by - y.by);
  let count = 0;
  let most = 0;
  for (const { by } of changes) {
    count += by;
    most = Math.max(most, count);
  }
  const left = new Set(apiKeys);
  const lost = acknowledged.filter(({ value }) => !left.has(value ?? '') && !removals.has(value ?? ''));
  const back = removed.filter((call) => isAcknowledged(call) && left.has(call.key));
  return [
    ...(most > keysMax ? [`add_key: ${most} keys at once, of ${keysMax}`] : []),
    ...(left.size > keysMax ? [`add_key: ${left.size} keys at the end, of ${keysMax}`] : []),
    ...lost.map(({ value }) => `add_key: ${value} is lost`),
    ...back.map(({ key }) => `remove_key: ${key} is back`),
  ];
}

/** The windows in which an account made more calls than it may, one per account. */
function beyondLimit(calls: readonly PastCall[], { limit, windowMs, processes, outages }: Promises): string[] {
  return [...Map.groupBy(calls.filter(isAcknowledged), ({ key }) => key)].flatMap(([key, own]) => {
    const sorted = own.toSorted((a, b) => a.begunAt - b.begunAt);
    const excess = sorted.flatMap(({ begunAt: from }, i) => {
      const to = from + windowMs;
      const isAlone = outages.some(([begin, end]) => begin < to && end > from);
      const allowed = isAlone ? limit * processes : limit;
      const count = sorted.slice(i).filter(({ endedAt }) => endedAt < to).length;
      return count > allowed ? [`limited ${key}: ${count} calls within ${windowMs} ms, of ${allowed}`] : [];
    });
    return excess.slice(0, 1);
  });
}

/** Answers that differ although they read the same. */
function different(screens: readonly PastCall[]): string[] {
  return [...Map.groupBy(screens.filter(isAnswered), ({ key }) => key)].flatMap(([key, same]) => {
    const values = new Set(same.map(({ value }) => value));
    return values.size > 1 ? [`screen ${key}: ${values.size} different answers`] : [];
  });
}

/** Quotes of an older session that began long after one of a newer session had been answered. */
function outdated(quotes: readonly PastCall[], { olderMs }: Promises): string[] {
  return [...Map.groupBy(quotes.filter(isAnswered), ({ key }) => key)].flatMap(([key, own]) => {
    const byEnd = own.toSorted((a, b) => a.endedAt - b.endedAt);
    let newest = '';
    let next = 0;
    return own
      .toSorted((a, b) => a.begunAt - b.begunAt)
      .flatMap(({ begunAt, value }) => {
        for (; next < byEnd.length && byEnd[next].endedAt < begunAt - olderMs; next++) {
          const session = byEnd[next].value ?? '';
          if (session > newest) newest = session;
        }
        return (value ?? '') < newest ? [`quote ${key}: ${value} at ${begunAt}, after ${newest}`] : [];
      });
  });
}

/** The longest time in which no call of a kind succeeded, in milliseconds. */
export function longestGap(calls: readonly PastCall[], kind: CallKind, from: number, to: number): number {
  const ends = calls
    .filter((call) => call.kind === kind && isAcknowledged(call) && call.endedAt > from && call.endedAt < to)
    .map(({ endedAt }) => endedAt)
    .sort((a, b) => a - b);
  const moments = [from, ...ends, to];
  return Math.max(...moments.slice(1).map((at, i) => at - moments[i]));
}
