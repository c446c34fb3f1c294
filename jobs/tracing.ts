/** Traces: sends spans to a collector by OTLP. Loaded only where an endpoint is set. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ContextManager, context, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { DEPARTURES, SETTLEMENTS, type TraceSettings } from './contracts/traces.ts';
import { active, contextOf, traceCalls, traceRequests } from './trace-spans.ts';

/** Spans that wait for the collector, or are under way to it. */
export const MAX_PENDING = 4_096;
/** Attempts to send a batch end after this time. */
const EXPORT_TIMEOUT_MS = 10_000;
/** The last spans have so long to be sent. */
const CLOSE_MS = 2_000;
const REPORT_MS = 60_000;

export interface Tracing {
  readonly settings: TraceSettings;
  /** The ids of the active trace, for lines of the log. */
  readonly logFields: () => object;
  /** Logs from time to time how many spans were dropped. */
  reportDropped(log: Logger): void;
  /** Sends the spans that are left, but waits no longer than two seconds. */
  close(): Promise<void>;
}

export function openTracing(settings: TraceSettings): Tracing {
  const { dropped, sampledShare, serviceName, serviceVersion } = settings;
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.name': serviceName,
        'service.version': serviceVersion,
        'process.pid': process.pid,
      }),
    ),
    sampler: new ParentBasedSampler({ root: rootSampler }),
    spanProcessors: [boundedProcessor(settings)],
  });
  context.setGlobalContextManager(contextManager);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  // pg-boss makes its spans with it.
  trace.setGlobalTracerProvider(provider);
  const tracer = provider.getTracer('market-data-service', serviceVersion);
  DEPARTURES.subscribe((headers) => propagation.inject(context.active(), headers));
  SETTLEMENTS.bindStore(active, contextOf);
  traceRequests(tracer, sampledShare);
  traceCalls(tracer, sampledShare);
  let reported = 0;
  return {
    settings,
    logFields: () => {
      const span = trace.getActiveSpan()?.spanContext();
      return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
    },
    reportDropped(log) {
      const report = () => {
        const spans = Atomics.load(dropped, 0) - reported;
        reported += spans;
        if (spans > 0) log.warn({ spans }, 'spans were dropped, because the collector takes no more');
      };
      setInterval(report, REPORT_MS).unref();
    },
    close: () => Promise.race([provider.shutdown().catch(() => {}), sleep(CLOSE_MS, undefined, { ref: false })]),
  };
}

const contextManager: ContextManager = {
  active: () => active.getStore() ?? ROOT_CONTEXT,
  with: (given, work, self, ...args) => active.run(given, () => Reflect.apply(work, self, args)),
  // Nothing here binds functions.
  bind: (_given, target) => target,
  enable: () => contextManager,
  disable: () => contextManager,
};

/** Calls and jobs begin traces; reads of the queue and other work of the processes begin none. */
const rootSampler: Sampler = {
  shouldSample: (_parent, _traceId, _name, kind) => ({
    decision:
      kind === SpanKind.SERVER || kind === SpanKind.CONSUMER
        ? SamplingDecision.RECORD_AND_SAMPLED
        : SamplingDecision.NOT_RECORD,
  }),
  toString: () => 'Beginning',
};

/** Sends spans in batches. A collector that is slow or away costs no more memory than so many spans, and others are dropped. */
export function boundedProcessor({ endpoint, dropped }: Pick<TraceSettings, 'endpoint' | 'dropped'>): SpanProcessor {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS });
  let pending = 0;
  const batches = new BatchSpanProcessor({
    maxQueueSize: MAX_PENDING,
    exporter: {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          pending -= spans.length;
          if (result.error) Atomics.add(dropped, 0, spans.length);
          done(result);
        }),
      shutdown: () => exporter.shutdown(),
    },
  });
  return {
    onStart: () => {},
    onEnd: (span) => {
      if (pending >= MAX_PENDING) return void Atomics.add(dropped, 0, 1);
      pending++;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}
