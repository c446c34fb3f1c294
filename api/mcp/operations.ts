/** Tools for assistants, and how they call operations of the interface: for the same caller, with the same limits and records as over HTTP. */
import { text } from 'node:stream/consumers';
import type { Request } from 'express';
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { RunKind } from '../../db/runs/runs.ts';
import type { ServiceError } from '../../engine/util/errors.ts';
import { limitRefusals } from '../access/rate-limit.ts';
import { createContext, type Observe } from '../access/request-context.ts';
import type { Route } from '../call/route.ts';
import { createResponder, type StepServices } from '../call/steps.ts';
import { CacheableJson, envelope, JsonStream, type Reply } from '../http/answer/reply.ts';
import { type ErrorBody, errorBody, isFailure, toServiceError } from '../http/errors/error-body.ts';
import type { z } from '../http/input/fields.ts';
import type { Data } from './data.ts';

export interface Services extends StepServices {
  readonly log: Logger;
  readonly publicApiBase: string;
  readonly boss: PgBoss;
  readonly now: () => number;
}

export interface OperationInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: object;
  /** Whether to answer at once, with the job of a run. */
  readonly isAsync?: boolean;
}

/** An operation refused its input, or failed. */
export class OperationFailure extends Error {
  readonly body: ErrorBody;
  readonly error: ServiceError;

  constructor(body: ErrorBody, error: ServiceError) {
    super(body.message);
    this.body = body;
    this.error = error;
  }
}

/** `data` of an operation's answer. */
export type CallOperation = ReturnType<typeof openOperations> extends (request: Request) => infer Call ? Call : never;

export function openOperations<S extends Services>(routes: readonly Route<S>[], services: S, observe: Observe) {
  const responders = new Map(routes.map((route) => [route.operationId, createResponder(route, services, observe)]));
  return (request: Request) =>
    async (operationId: string, { path = {}, query = {}, body, isAsync = false }: OperationInput) => {
      const respond = responders.get(operationId);
      if (!respond) throw new Error(`there is no operation ${operationId}`);
      const inner = innerRequest(request, isAsync);
      const given = Object.fromEntries(
        Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
      );
      let data: unknown;
      try {
        await respond(inner, {
          receive: () => ({ url: '/?', params: path, query: given, body }),
          send: async ({ status, body: answer }) => {
            data = JSON.parse(await jsonOf(answer)).data;
            return status;
          },
        });
        // biome-ignore lint/suspicious/noExplicitAny: each tool knows the type of the data
        return data as any;
      } catch (thrown) {
        const error = await limitRefusals(services, inner, toServiceError(thrown));
        const failure = errorBody(error, inner.context.locale);
        observe(inner, failure.code);
        if (isFailure(error)) {
          const { requestId, route } = inner.context;
          services.log.error(
            { err: error.cause ?? error, requestId, route },
            `an operation of a tool failed with ${failure.code}`,
          );
        }
        throw new OperationFailure(failure, error);
      }
    };
}

/** A request for one operation: with its own context, and without headers that tools do not set. */
function innerRequest(request: Request, isAsync: boolean): Request {
  const { locale, defaultLocale, requestId, spend, abortSignal, takesGrants } = request.context;
  const own = createContext(request, locale, defaultLocale);
  const context = { ...own, requestId, isAsync, spend, abortSignal, takesGrants };
  const { 'idempotency-key': _, ...headers } = request.headers;
  return Object.create(request, {
    context: { value: context },
    url: { value: request.path },
    headers: { value: headers },
  });
}

async function jsonOf(body: Reply['body']): Promise<string> {
  const content = body instanceof CacheableJson ? body.content : body;
  if (content instanceof JsonStream) return envelope(await text(content.pieces));
  if (typeof content === 'string' || Buffer.isBuffer(content)) return String(content);
  throw new Error('a tool called an operation that does not answer JSON');
}

/** Seconds that a call waits for a run. */
export const WAIT_S = 25;
const MS_PER_S = 1_000;

export interface ToolContext {
  readonly call: CallOperation;
  /** The address of a page of this service. */
  readonly link: (path: string, query?: Readonly<Record<string, unknown>>) => string;
  /** How long a call waits for the end of a run. */
  readonly waitSeconds: number;
  /** Cancels a run of the caller unless a worker has started it. */
  readonly cancelQueued: (kind: RunKind, id: string) => Promise<void>;
  /** How many runs the account of the caller has computed in a year; 0 for guests. */
  readonly countRuns: () => Promise<number>;
}

export interface ToolDefinition<S extends z.ZodObject> {
  readonly name: string;
  /** For the assistant: the purpose of the tool, and what it returns. */
  readonly description: string;
  readonly inputSchema: S;
  readonly outputSchema: z.ZodObject;
  /** Whether it changes nothing. Runs do, because the account keeps their results. */
  readonly isReadOnly: boolean;
  /** Members of its answers that are given whole or not at all. */
  readonly whole?: readonly string[];
  readonly run: (input: z.output<S>, context: ToolContext) => Promise<Data>;
}

// A list of tools has every combination of types; each was checked by `defineTool`.
// biome-ignore lint/suspicious/noExplicitAny: see above
export interface Tool extends ToolDefinition<any> {}

export function defineTool<S extends z.ZodObject>(definition: ToolDefinition<S>): Tool {
  return definition;
}

/** Reads the state of a job until it `hasEnded`, or until a call has waited long enough. */
export async function awaitedState<State extends Data>(
  read: (wait: number) => Promise<State>,
  hasEnded: (state: State) => boolean,
  seconds = WAIT_S,
): Promise<State> {
  const endsAt = performance.now() + seconds * MS_PER_S;
  for (;;) {
    const wait = Math.max(0, Math.ceil((endsAt - performance.now()) / MS_PER_S));
    const state = await read(wait);
    // The call returned because something changed, or because the time is over.
    if (hasEnded(state) || wait === 0) return state;
  }
}
