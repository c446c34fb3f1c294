/**
 * Spans of what channels tell. Attributes are named by OpenTelemetry's conventions and hold no values of statements, no paths of calls,
 * and no messages of errors.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { channel, type TracingChannel } from 'node:diagnostics_channel';
import { IncomingMessage, ServerResponse } from 'node:http';
import { threadId } from 'node:worker_threads';
import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { STATEMENTS } from '../db/pool.ts';
import { codeOf, stringProperty, toError } from '../engine/util/errors.ts';
import { OBJECT_CALLS } from '../storage/open-storage.ts';
import { ATTEMPTS, DELIVERIES, THREADS } from './contracts/traces.ts';

/** The active context, which channels of Node set. */
export const active = new AsyncLocalStorage<Context>();

/** The context that a call or a job brings in its headers. */
export function contextOf(headers: unknown): Context {
  return propagation.extract(ROOT_CONTEXT, headers);
}

/** Whether a call or job with these headers is traced: as its caller has decided, or by chance. The others must cost nothing. */
const isTraced = (headers: object, share: number) => Reflect.has(headers, 'traceparent') || Math.random() < share;

const UNTRACED = /^\/(healthz|readyz|metrics)(\?|$)/;

/** Calls of the API: Node tells each before its handler runs. */
export function traceRequests(tracer: Tracer, share: number): void {
  channel('http.server.request.start').subscribe((exchange) => {
    const request: unknown = Reflect.get(Object(exchange), 'request');
    const response: unknown = Reflect.get(Object(exchange), 'response');
    if (!(request instanceof IncomingMessage && response instanceof ServerResponse)) return;
    if (!isTraced(request.headers, share) || UNTRACED.test(request.url ?? '')) return;
    const { method = '' } = request;
    const parent = contextOf(request.headers);
    const attributes = { 'http.request.method': method, 'url.scheme': 'http' };
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    const started = trace.setSpan(parent, span);
    active.enterWith(started);
    propagation.inject(started, response, { set: (answer, name, value) => answer.setHeader(name, value) });
    response.once('close', () => endRequest(span, request, response));
  });
}

function endRequest(span: Span, request: IncomingMessage, { statusCode, writableFinished }: ServerResponse): void {
  const facts: unknown = Reflect.get(request, 'context');
  const route = stringProperty(facts, 'route');
  if (route !== undefined && route !== 'unknown')
    span.setAttribute('http.route', route).updateName(`${request.method} ${route}`);
  span.setAttribute('http.response.header.x-request-id', [stringProperty(facts, 'requestId') ?? '']);
  if (writableFinished) span.setAttribute('http.response.status_code', statusCode);
  if (!writableFinished) markFailed(span, 'closed');
  else if (statusCode >= 500) markFailed(span, String(statusCode));
  span.end();
}

function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}

interface Opening {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** Default: the active context. */
  readonly parent?: Context;
}

const isSampled = (given: Context) => ((trace.getSpanContext(given)?.traceFlags ?? 0) & TraceFlags.SAMPLED) !== 0;

/** Makes a span of each call that a channel tells and opens. `failure`: what is wrong with its result. */
function traceChannel<Call extends object>(
  tracer: Tracer,
  calls: TracingChannel<unknown, Call>,
  open: (call: Call) => Opening | null,
  failure: (result: unknown) => string | undefined = () => undefined,
): void {
  const spans = new WeakMap<object, Span>();
  calls.start.bindStore(active, (call) => {
    const opening = open(call);
    if (opening === null) return active.getStore();
    const { name, kind, attributes, parent = context.active() } = opening;
    const span = tracer.startSpan(name, { kind, attributes }, parent);
    spans.set(call, span);
    return trace.setSpan(parent, span);
  });
  calls.subscribe({
    start: () => {},
    end: () => {},
    asyncStart: () => {},
    asyncEnd: (call) => {
      const span = spans.get(call);
      const failed = call.error === undefined ? failure(call.result) : (codeOf(call.error) ?? toError(call.error).name);
      if (span && failed !== undefined) markFailed(span, failed);
      span?.end();
    },
    error: () => {},
  });
}

/** The type of a thread's reply that is no success. */
function failedReply(reply: unknown): string | undefined {
  const type = stringProperty(reply, 'type');
  return type === 'done' ? undefined : type;
}

export function traceCalls(tracer: Tracer, share: number): void {
  traceChannel(tracer, STATEMENTS, ({ text }) => {
    if (!isSampled(context.active())) return null;
    const summary = summaryOf(text);
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary };
    return { name: summary, kind: SpanKind.CLIENT, attributes };
  });
  traceChannel(tracer, OBJECT_CALLS, ({ operation, bucket, key }) => {
    if (!isSampled(context.active())) return null;
    const attributes = { 'aws.s3.bucket': bucket, 'aws.s3.key': key };
    return { name: `${operation} object`, kind: SpanKind.CLIENT, attributes };
  });
  traceChannel(
    tracer,
    ATTEMPTS,
    ({ queue, jobId, attempt, data }) => {
      if (!isTraced(Object(data), share)) return null;
      const attributes = {
        'messaging.system': 'pg-boss',
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
        'messaging.destination.name': queue,
        'messaging.message.id': jobId,
        'job.attempt': attempt,
      };
      return { name: `process ${queue}`, kind: SpanKind.CONSUMER, attributes, parent: contextOf(data) };
    },
    failedReply,
  );
  traceChannel(
    tracer,
    THREADS,
    (request) => ({
      name: `run ${request.queue}`,
      kind: SpanKind.INTERNAL,
      attributes: { 'thread.id': threadId },
      parent: contextOf(request),
    }),
    failedReply,
  );
  traceChannel(
    tracer,
    DELIVERIES,
    ({ event, url, origin }) => ({
      name: 'POST',
      kind: SpanKind.CLIENT,
      attributes: {
        'http.request.method': 'POST',
        'server.address': url.hostname,
        'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
        'webhook.event': event,
      },
      parent: 'traceparent' in origin ? contextOf(origin) : undefined,
    }),
    failedAnswer,
  );
}

/** The status or the error of a receiver that did not take a delivery. */
function failedAnswer(answer: unknown): string | undefined {
  const status: unknown = Reflect.get(Object(answer), 'status');
  if (typeof status !== 'number') return stringProperty(answer, 'error');
  return status >= 200 && status < 300 ? undefined : String(status);
}

const SUMMARY_CHARS = 160;
const SUMMARY_WORDS = 5;

/** The first words of a statement, up to the first literal. */
function summaryOf(text: string): string {
  const [words] = text.slice(0, SUMMARY_CHARS).replaceAll('"', '').split(/['$]/, 1);
  return (words.match(/[a-z_][\w.]*/gi) ?? ['statement']).slice(0, SUMMARY_WORDS).join(' ');
}
