/** Targets of GET requests as their routes have read them, so that they can be answered without Express. */
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { inputReader } from './input/read-input.ts';
import type { AnyCall, Route } from './route.ts';

const MAX_TARGETS = 50_000;
/** Longer targets are rarely asked for twice. */
const MAX_TARGET_CHARS = 200;
/** The last segment of a path, without characters that Express would decode, and without a query. */
const PLAIN_SEGMENT = /^[\w.-]+$/;

/** A target of a request, as its route has read it. */
export interface ReadTarget {
  readonly route: Route;
  readonly path: unknown;
  readonly query: unknown;
}

type ReadSegment = (url: string, segment: string) => ReadTarget;

export class Targets {
  private readonly known = new LRUCache<string, ReadTarget>({ max: MAX_TARGETS });
  /** Readers of the last segment, by the path up to it. */
  private readonly readers: ReadonlyMap<string, ReadSegment>;

  constructor(routes: readonly Route[]) {
    // A route that will go tells so itself.
    this.readers = new Map(routes.filter((route) => route.isInMemory && !route.deprecated).map(segmentReader));
  }

  /** How a target is read, if it was answered before or its route answers from memory. */
  get(url: string): ReadTarget | undefined {
    return this.known.get(url) ?? this.read(url);
  }

  /** Keeps how a target is read, once it was answered. */
  keep(url: string, target: ReadTarget): void {
    if (this.known.peek(url) !== target) this.known.set(url, target);
  }

  /** Remembers how a route has read the target of a call that it answered. A route that will go tells so itself. */
  remember({ method, url }: Request, route: Route, { path, query }: AnyCall): void {
    if (!route.cacheKey || route.deprecated || method !== 'GET' || url.length > MAX_TARGET_CHARS || namesLanguage(url))
      return;
    if (!this.known.has(url)) this.known.set(url, { route, path, query });
  }

  private read(url: string): ReadTarget | undefined {
    const from = url.lastIndexOf('/') + 1;
    const read = this.readers.get(url.slice(0, from));
    const segment = url.slice(from);
    if (!read || url.length > MAX_TARGET_CHARS || !PLAIN_SEGMENT.test(segment)) return undefined;
    try {
      return read(url, segment);
    } catch {
      // The route answers with the same error.
      return undefined;
    }
  }
}

/** `/v1/quote/{symbol}` → `/v1/quote/`, and how the symbol is read. */
function segmentReader(route: Route): readonly [string, ReadSegment] {
  const [, prefix, name] = /^(.*\/)\{(\w+)\}$/.exec(route.path) ?? [];
  if (prefix === undefined || prefix.includes('{') || route.querySchema) {
    throw new Error(`${route.operationId} has more to read than the last segment of its path`);
  }
  const readInput = inputReader(route);
  const read: ReadSegment = (url, segment) => {
    const { path, query } = readInput({ url, params: { [name]: segment }, query: {} });
    return { route, path, query };
  };
  return [prefix, read];
}

const namesLanguage = (url: string) => url.includes('lang=') || url.includes('locale=');
