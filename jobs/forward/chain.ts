/** The chain of a forward record: a seal, and entries each of whose digests has that of the one before in it. */
import { hash } from 'node:crypto';
import type { ForwardEntry } from '../../db/research/forward.ts';
import { type Bands, PREDICTED } from '../../engine/forward/bands.ts';
import type { Entry, Seal, SessionEntry, ToldFigures } from '../../engine/forward/record.ts';
import { RESAMPLES } from '../../engine/statistics/single-run.ts';
import { fromKeys, keysOf } from '../../engine/util/values.ts';
import { canonicalJson } from '../runs/receipt.ts';

const DECIMALS = 8;

export const rounded = (value: number, decimals = DECIMALS) => Number(value.toFixed(decimals));
export const money = (value: number) => rounded(value, 2);
export const shares = (value: number) => rounded(value, 6);

/** The growth that a run promises after `PREDICTED` sessions; null: it was too short to tell. */
export function predictionOf(bands: Bands | null): Seal['prediction'] {
  if (bands === null) return null;
  const { p5, p25, p50, p75, p95 } = bands.growth[PREDICTED - 1];
  const after_250 = { p5, p25, p50, p75, p95 };
  return {
    sessions: PREDICTED,
    samples: RESAMPLES,
    after_250: fromKeys(keysOf(after_250), (name) => rounded(after_250[name])),
  };
}

const kindOf = (entry: Entry) => ('kind' in entry ? entry.kind : 'session');

/** `before`: the digest of what it follows, in hex; empty for a seal. */
export function linkDigest(before: string, form: object): string {
  return hash('sha256', before + canonicalJson(form));
}

/** Entries with their digests, one after another. */
export function linked(head: string, entries: readonly Entry[]): Omit<ForwardEntry, 'number' | 'appended_at'>[] {
  let before = head;
  return entries.map((entry) => {
    const sha256 = linkDigest(before, entry);
    before = sha256;
    return { session: entry.session, kind: kindOf(entry), entry, sha256 };
  });
}

export interface Told {
  readonly sessions: readonly SessionEntry[];
  /** The version of the engine that it was last brought forward by; null: it was not. */
  readonly engine: string | null;
  /** The newest figures of sessions that were revised. */
  readonly revised: ReadonlyMap<string, ToldFigures>;
}

/** The entries of a record, as they were told. */
export function toldIn(entries: readonly ForwardEntry[]): Told {
  const sessions: SessionEntry[] = [];
  const revised = new Map<string, ToldFigures>();
  let engine: string | null = null;
  for (const { entry } of entries) {
    if (!('kind' in entry)) {
      sessions.push(entry);
      engine = entry.engine_version;
    } else if (entry.kind === 'revised') revised.set(entry.session, entry.after);
    else if (entry.kind === 'engine') engine = entry.after;
  }
  return { sessions, engine, revised };
}

/** Bytes of doubles. */
export const bytesOf = (values: Float64Array) => Buffer.from(Float64Array.from(values).buffer);

export function doublesOf(bytes: Uint8Array): Float64Array {
  return new Float64Array(Uint8Array.from(bytes).buffer);
}

/** The return since the seal by the newest figures of each session, in percent. */
export function returnSince({ sessions, revised }: Pick<Told, 'sessions' | 'revised'>): number {
  const growth = sessions.reduce((all, one) => all * (1 + (revised.get(one.session) ?? one).return), 1);
  return rounded(100 * (growth - 1), 2);
}
