/** Open streams of events: each gets the events of its account, and of everybody, in the order in which they were committed. */
import type { Logger } from 'pino';
import { CALLERS_CHANGED_CHANNEL } from '../../db/accounts/callers.ts';
import type { Listener } from '../../db/listener.ts';
import type { Queryable } from '../../db/pool.ts';
import {
  ACCOUNT_EVENTS_CHANNEL,
  type AccountEvent,
  areKeptAfter,
  numberEvents,
  selectEvents,
  selectEventsOf,
} from '../../db/webhooks/account-events.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { Refresher } from '../../jobs/refresher.ts';
import type { EventSink } from '../http/answer/reply.ts';

export interface EventStreamsOptions {
  readonly listener: Listener;
  readonly db: Queryable;
  readonly now: () => number;
  readonly log: Logger;
}

/** A comment goes to every stream once in this time, so that neither side takes a dead connection for an idle one. */
const COMMENT_EVERY_S = 15;
/** A stream whose reader leaves more than this unread for a moment is dropped. It resumes with its last event. */
const MAX_UNSENT_BYTES = 64 * 1024;
/** So that a burst, which is written before the system takes it, drops nobody. */
const GRACE_MS = 1_000;
/** Open streams of one account in this process. */
const MAX_OF_ACCOUNT = 32;
const RETRY_S = 5;
const READ_AT_ONCE = 1_000;
const POLL_MS = 5_000;

export interface Reader {
  readonly userId: number;
  /** The number of the last event that the reader has; null: it begins now. */
  readonly after: number | null;
  /** When its credentials expire; null: never. */
  readonly expiresAt: Date | null;
}

interface Stream extends Pick<Reader, 'userId' | 'expiresAt'> {
  readonly sink: EventSink;
  /** The second in which it gets its comment. */
  readonly turn: number;
  /** The number of the last event that its reader has: another process may have told more than this one has read. */
  last: number;
  /** Whether its reader has got what it had missed. */
  isLive: boolean;
  /** Set while its reader has a moment to read what is unsent. */
  grace: NodeJS.Timeout | undefined;
}

export class EventStreams {
  private readonly options: EventStreamsOptions;
  private readonly refresher: Refresher;
  private readonly all = new Set<Stream>();
  private readonly byAccount = new Map<number, Set<Stream>>();
  private turn = 0;
  private last = 0;
  private isEnding = false;
  private timers: NodeJS.Timeout[] = [];

  private constructor(options: EventStreamsOptions) {
    this.options = options;
    this.refresher = new Refresher(() => this.read(), options.log, 'events could not be read');
  }

  static async open(options: EventStreamsOptions): Promise<EventStreams> {
    const streams = new EventStreams(options);
    streams.last = await numberEvents(options.db);
    const refresh = () => streams.refresher.refresh();
    await options.listener.subscribe({
      channels: {
        [ACCOUNT_EVENTS_CHANNEL]: refresh,
        // A reader whose access may have been revoked comes again with its credentials.
        [CALLERS_CHANGED_CHANNEL]: (userId) => end(streams.byAccount.get(Number(userId)) ?? []),
      },
      // Notifications may have been missed.
      onConnected: () => {
        end(streams.all);
        refresh();
      },
    });
    streams.timers = [setInterval(() => streams.comment(), 1_000), setInterval(refresh, POLL_MS)];
    for (const timer of streams.timers) timer.unref();
    return streams;
  }

  get count(): number {
    return this.all.size;
  }

  /** Throws when the account has too many streams, and for a number after which events are lost or that none has. */
  async assertReadable({ userId, after }: Reader): Promise<void> {
    if (this.all.size === 0) await this.skip();
    if (after !== null && after !== this.last) {
      const last = Math.max(this.last, await numberEvents(this.options.db));
      if (!(await areKeptAfter(this.options.db, after, last))) throw new ServiceError('unknown_event', { id: after });
    }
    // After the last wait, so that calls at the same time are counted.
    if ((this.byAccount.get(userId)?.size ?? 0) >= MAX_OF_ACCOUNT) {
      throw new ServiceError('too_many_streams', { max: MAX_OF_ACCOUNT, seconds: RETRY_S });
    }
  }

  /** Sends what the reader has missed, and then what happens. */
  attach({ userId, after, expiresAt }: Reader, sink: EventSink): void {
    // A reader that has seen no event yet resumes here.
    const last = after ?? this.last;
    const turn = this.count % COMMENT_EVERY_S;
    const stream: Stream = { userId, expiresAt, sink, turn, last, isLive: false, grace: undefined };
    const ofAccount = this.byAccount.get(userId) ?? new Set();
    this.byAccount.set(userId, ofAccount.add(stream));
    this.all.add(stream);
    sink.onClose(() => {
      this.all.delete(stream);
      ofAccount.delete(stream);
      if (ofAccount.size === 0) this.byAccount.delete(userId);
    });
    sink.write(`retry: ${RETRY_S * 1_000}\nid: ${last}\n\n`);
    if (this.isEnding) return void sink.end();
    // Notifications were not heeded while nobody listened.
    this.refresher.refresh();
    this.replay(stream).catch((error) => {
      this.options.log.warn({ err: error }, 'missed events could not be read');
      sink.end();
    });
  }

  /** Sends what the reader has missed, with what happens meanwhile. */
  private async replay(stream: Stream): Promise<void> {
    for (let after = stream.last; after < this.last && this.all.has(stream); ) {
      const through = this.last;
      const events = await selectEventsOf(this.options.db, stream.userId, { after, through, limit: READ_AT_ONCE });
      for (const event of events) {
        send(stream, event);
        await stream.sink.drained();
      }
      after = events.length < READ_AT_ONCE ? through : events[events.length - 1].seq;
    }
    stream.isLive = true;
  }

  /** Goes on behind the events so far, to which nobody has listened. */
  private async skip(): Promise<void> {
    const last = await numberEvents(this.options.db);
    if (this.all.size === 0) this.last = last;
  }

  /** Sends the events since the last one that was read. */
  private async read(): Promise<void> {
    if (this.all.size === 0) return;
    const through = await numberEvents(this.options.db);
    while (this.last < through) {
      const events = await selectEvents(this.options.db, { after: this.last, through, limit: READ_AT_ONCE });
      this.last = events.length < READ_AT_ONCE ? through : events[events.length - 1].seq;
      for (const event of events) this.deliver(event);
    }
  }

  private deliver(event: AccountEvent): void {
    const readers = event.userId === null ? this.all : (this.byAccount.get(event.userId) ?? []);
    for (const stream of readers) if (stream.isLive) send(stream, event);
  }

  private comment(): void {
    this.turn = (this.turn + 1) % COMMENT_EVERY_S;
    const now = this.options.now();
    for (const stream of this.all) {
      if (stream.expiresAt !== null && stream.expiresAt.getTime() <= now) stream.sink.end();
      else if (stream.turn === this.turn) write(stream, ':\n\n');
    }
  }

  /** Ends every stream, and those to come, because the process shuts down. Readers resume at another one. */
  endAll(): void {
    this.isEnding = true;
    end(this.all);
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.endAll();
    await this.refresher.close();
  }
}

function end(streams: Iterable<Stream>): void {
  for (const { sink } of streams) sink.end();
}

function send(stream: Stream, { seq, event, data, createdAt }: AccountEvent): void {
  if (seq <= stream.last) return;
  stream.last = seq;
  const text = JSON.stringify({ at: createdAt.toISOString(), ...data });
  write(stream, `id: ${seq}\nevent: ${event}\ndata: ${text}\n\n`);
}

function write(stream: Stream, text: string): void {
  const { sink } = stream;
  sink.write(text);
  if (stream.grace !== undefined || sink.unsentBytes() <= MAX_UNSENT_BYTES) return;
  stream.grace = setTimeout(() => {
    stream.grace = undefined;
    if (sink.unsentBytes() > MAX_UNSENT_BYTES) sink.drop();
  }, GRACE_MS).unref();
}
