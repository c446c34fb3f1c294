/**
 * How the context of a trace travels, and what else is traced beside statements and objects. Channels of Node tell it; where no endpoint
 * is set, nobody listens, and nothing of OpenTelemetry is loaded.
 */
import { channel, tracingChannel } from 'node:diagnostics_channel';

export interface TraceSettings {
  /** Address of the collector, without the path of a signal. */
  readonly endpoint: string;
  readonly serviceName: string;
  readonly serviceVersion: string;
  /** The share of traces that are sent, of those that begin here. */
  readonly sampledShare: number;
  /** Spans that were dropped by all threads of a process. */
  readonly dropped: Int32Array<SharedArrayBuffer>;
}

/** W3C Trace Context: in headers, in the data of jobs, and in messages to threads. */
export interface TraceHeaders {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/** An attempt of a job. */
export interface TracedJob {
  readonly queue: string;
  readonly jobId: string;
  /** From 0. */
  readonly attempt: number;
  /** It has the headers of the call or job that queued the job. */
  readonly data: unknown;
}

/** An attempt in the thread that computes it. */
export interface ThreadedJob extends TraceHeaders {
  readonly queue: string;
}

export interface TracedDelivery {
  readonly event: string;
  readonly url: URL;
  /** Headers of the call that queued what the delivery tells of. */
  readonly origin: TraceHeaders;
}

export const ATTEMPTS = tracingChannel<unknown, TracedJob>('market-data.attempt');
export const THREADS = tracingChannel<unknown, ThreadedJob>('market-data.thread');
export const DELIVERIES = tracingChannel<unknown, TracedDelivery>('market-data.delivery');
/** Work for a job that belongs to its trace without a span of its own. */
export const SETTLEMENTS = channel('market-data.settlement');
/** Listeners add the headers of the active trace to the message. */
export const DEPARTURES = channel('market-data.departure');

/** The headers of the active trace; none where nothing is traced. */
export function traceHeaders(): TraceHeaders {
  const headers = {};
  DEPARTURES.publish(headers);
  return headers;
}
