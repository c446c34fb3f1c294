/** A collector of traces by OTLP as JSON over HTTP. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../../api/server/port-of.ts';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number; readonly message?: string };
  readonly process: unknown;
}

export interface Collector {
  readonly endpoint: string;
  readonly spans: readonly CollectedSpan[];
  /** All that arrived, as text. */
  readonly texts: readonly string[];
  close(): void;
}

export const attributeOf = ({ attributes }: Pick<CollectedSpan, 'attributes'>, name: string): unknown =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const texts: string[] = [];
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    texts.push(text);
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      for (const { spans: some } of scopeSpans) {
        for (const span of some) spans.push({ ...span, process: attributeOf(resource, 'process.pid') });
      }
    }
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${portOf(server)}`,
    spans,
    texts,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
