/** Object storage: the interface that a folder and an S3 bucket implement. */

import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { codeOf, stringProperty, toError } from '../engine/util/errors.ts';

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
}

/** Positions in an object, from 0, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The disk is full or a quota is exhausted. A retry does not help until an operator makes room. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull';

  constructor(options?: ErrorOptions) {
    super('the storage is full', options);
  }
}

const AWAY = 'the object storage does not answer';

/** The bucket cannot be reached or has a server error. A retry may help. */
export class StorageUnreachable extends Error {
  override readonly name = 'StorageUnreachable';

  constructor(cause: unknown) {
    super(`${AWAY}: ${stringProperty(cause, 'message') || codeOf(cause)}`, { cause });
  }
}

/** Whether a message is that of a `StorageUnreachable`; errors of other threads have only their message. */
export function saysStorageUnreachable(message: string): boolean {
  return message.startsWith(AWAY);
}

export interface ObjectStorage {
  /**
   * Stores the whole stream or nothing, and replaces an object with the same key. Returns its size in bytes. Throws `StorageFull`
   * when there is no room, and `StorageUnreachable` (as every other call does) when the storage does not answer.
   */
  put(key: string, content: Readable): Promise<number>;
  /** Stores a small object unless there is one with the key. Returns whether it did. */
  putNew(key: string, content: Buffer): Promise<boolean>;
  /** The address of an object, as readers with the protocol of S3 name it. */
  locationOf(key: string): string;
  /** The content, or a range of it; null when there is no such object. */
  get(key: string, range?: ByteRange): Promise<Readable | null>;
  has(key: string): Promise<boolean>;
  /** Bytes of an object, or null when there is none. */
  size(key: string): Promise<number | null>;
  /** Removes the object; does nothing when there is none. */
  remove(key: string): Promise<void>;
  /** Objects whose key starts with `prefix`, ordered by key. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Removes unfinished writes that began before a time, in a bucket only those of keys that start with `prefix`; returns how many. */
  removeUnfinished(before: Date, prefix?: string): Promise<number>;
  /** Rejects when the storage cannot be used; makes a small test write from time to time. */
  check(): Promise<void>;
}

const TIMEOUT_MS = 4_000;

/** Why the storage cannot be used; null: it can. Resolves within four seconds. */
export async function storageFault(storage: ObjectStorage): Promise<string | null> {
  const late = once(AbortSignal.timeout(TIMEOUT_MS), 'abort').then(() => `no answer within ${TIMEOUT_MS / 1_000} s`);
  const checked = storage.check().then(
    () => null,
    (error) => toError(error).message,
  );
  return Promise.race([checked, late]);
}
