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

interface Stream {
  readonly userId: number;
  readonly sink: EventSink;
  /** The number of the last event that its reader has: another process may have told more than this one has read. */
  last: number;
  /** Events that wait until earlier ones are sent; null: none are. */
  held: AccountEvent[] | null;
  /** Set while its reader has a moment to read what is unsent. */
  grace: NodeJS.Timeout | undefined;
}

export interface Reader extends Pick<Stream, 'userId'> {
  /** The number of the last event that the reader has; null: it begins now. */
  readonly after: number | null;
}

export class EventStreams {
  private readonly options: EventStreamsOptions;
  private readonly refresher: Refresher;
  /** By account. */
  private readonly streams = new Map<number, Set<Stream>>();
  /** All, by the second in which they get their comment. */
  private readonly turns = Array.from({ length: COMMENT_EVERY_S }, () => new Set<Stream>());
  private turn = 0;
  private last = 0;
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
        [CALLERS_CHANGED_CHANNEL]: (userId) => streams.end(streams.streams.get(Number(userId)) ?? []),
      },
      // Notifications may have been missed.
      onConnected: () => {
        streams.endAll();
        refresh();
      },
    });
    streams.timers = [setInterval(() => streams.comment(), 1_000), setInterval(refresh, POLL_MS)];
    for (const timer of streams.timers) timer.unref();
    return streams;
  }

  get count(): number {
    return this.turns.reduce((count, { size }) => count + size, 0);
  }

  /** Throws when the account has too many streams, and for a number after which events are lost or that none has. */
  async assertReadable({ userId, after }: Reader): Promise<void> {
    if ((this.streams.get(userId)?.size ?? 0) >= MAX_OF_ACCOUNT) {
      throw new ServiceError('too_many_streams', { max: MAX_OF_ACCOUNT, seconds: RETRY_S });
    }
    if (after === null || after === this.last) return;
    const last = Math.max(this.last, await numberEvents(this.options.db));
    if (!(await areKeptAfter(this.options.db, after, last))) throw new ServiceError('unknown_event', { id: after });
  }

  /** Sends what the reader has missed, and then what happens. */
  attach({ userId, after }: Reader, sink: EventSink): void {
    // A reader that has seen no event yet resumes here.
    const begin = after ?? this.last;
    const stream: Stream = { userId, sink, last: begin, held: [], grace: undefined };
    const ofAccount = this.streams.get(userId) ?? new Set();
    this.streams.set(userId, ofAccount.add(stream));
    const turn = this.turns[this.count % COMMENT_EVERY_S].add(stream);
    sink.onClose(() => {
      turn.delete(stream);
      ofAccount.delete(stream);
      if (ofAccount.size === 0) this.streams.delete(userId);
    });
    sink.write(`retry: ${RETRY_S * 1_000}\nid: ${begin}\n\n`);
    this.replay(stream, begin, this.last).catch((error) => {
      this.options.log.warn({ err: error }, 'missed events could not be read');
      sink.end();
    });
  }

  private async replay(stream: Stream, from: number, through: number): Promise<void> {
    for (let after = from; after < through; ) {
      const events = await selectEventsOf(this.options.db, stream.userId, { after, through, limit: READ_AT_ONCE });
      for (const event of events) {
        send(stream, event);
        await stream.sink.drained();
      }
      after = events.length < READ_AT_ONCE ? through : events[events.length - 1].seq;
    }
    const { held } = stream;
    stream.held = null;
    for (const event of held ?? []) send(stream, event);
  }

  /** Sends the events since the last one that was read. */
  private async read(): Promise<void> {
    const through = await numberEvents(this.options.db);
    while (this.last < through) {
      const events = await selectEvents(this.options.db, { after: this.last, through, limit: READ_AT_ONCE });
      this.last = events.length < READ_AT_ONCE ? through : events[events.length - 1].seq;
      for (const event of events) this.deliver(event);
    }
  }

  private deliver(event: AccountEvent): void {
    const readers =
      event.userId === null ? this.turns.flatMap((all) => [...all]) : (this.streams.get(event.userId) ?? []);
    for (const stream of readers) {
      if (stream.held) stream.held.push(event);
      else send(stream, event);
    }
  }

  private comment(): void {
    this.turn = (this.turn + 1) % COMMENT_EVERY_S;
    for (const stream of this.turns[this.turn]) write(stream, ':\n\n');
  }

  /** Ends every stream, because the process shuts down. Readers resume at another one. */
  endAll(): void {
    for (const turn of this.turns) this.end(turn);
  }

  private end(streams: Iterable<Stream>): void {
    for (const { sink } of streams) sink.end();
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.endAll();
    await this.refresher.close();
  }
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
