/** Tools for assistants, and how they call operations of the interface: for the same caller, with the same limits and records as over HTTP. */
import { text } from 'node:stream/consumers';
import type { Request } from 'express';
import type { Logger } from 'pino';
import { limitRefusals } from '../access/rate-limit.ts';
import { createContext, type Observe } from '../access/request-context.ts';
import type { Route } from '../call/route.ts';
import { createResponder, type StepServices } from '../call/steps.ts';
import { CacheableJson, envelope, JsonStream, type Reply } from '../http/answer/reply.ts';
import { type ErrorBody, errorBody, isFailure, toServiceError } from '../http/errors/error-body.ts';
import type { z } from '../http/input/fields.ts';

export interface Services extends StepServices {
  readonly log: Logger;
  readonly publicApiBase: string;
}

export interface OperationInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: object;
}

/** An operation refused its input, or failed. */
export class OperationFailure extends Error {
  readonly body: ErrorBody;

  constructor(body: ErrorBody) {
    super(body.message);
    this.body = body;
  }
}

/** `data` of an operation's answer. */
export type CallOperation = ReturnType<typeof openOperations> extends (request: Request) => infer Call ? Call : never;

export function openOperations<S extends Services>(routes: readonly Route<S>[], services: S, observe: Observe) {
  const responders = new Map(routes.map((route) => [route.operationId, createResponder(route, services, observe)]));
  return (request: Request) =>
    async (operationId: string, { path = {}, query = {}, body }: OperationInput) => {
      const respond = responders.get(operationId);
      if (!respond) throw new Error(`there is no operation ${operationId}`);
      const inner = innerRequest(request);
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
        throw new OperationFailure(failure);
      }
    };
}

/** A request for one operation: with its own context, and without headers that tools do not set. */
function innerRequest(request: Request): Request {
  const { locale, defaultLocale, requestId } = request.context;
  const context = { ...createContext(request, locale, defaultLocale), requestId, isAsync: false };
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

export type Data = Readonly<Record<string, unknown>>;

export interface ToolContext {
  readonly call: CallOperation;
  /** The address of a page of this service. */
  readonly link: (path: string, query?: Readonly<Record<string, unknown>>) => string;
}

export interface ToolDefinition<S extends z.ZodObject> {
  readonly name: string;
  /** For the assistant: the purpose of the tool, and what it returns. */
  readonly description: string;
  readonly inputSchema: S;
  /** Whether it changes nothing. Runs do, because the account keeps their results. */
  readonly isReadOnly: boolean;
  readonly run: (input: z.output<S>, context: ToolContext) => Promise<object>;
}

// A list of tools has every combination of types; each was checked by `defineTool`.
// biome-ignore lint/suspicious/noExplicitAny: see above
export interface Tool extends ToolDefinition<any> {}

export function defineTool<S extends z.ZodObject>(definition: ToolDefinition<S>): Tool {
  return definition;
}

/** Some members of an object, without those that are not there. */
export function pick(value: Data, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])));
}

/** Reads the state of a job until it `hasEnded`, or until a call has waited long enough. */
export async function awaitedState<State extends Data>(
  read: (wait: number) => Promise<State>,
  hasEnded: (state: State) => boolean,
): Promise<State> {
  const endsAt = performance.now() + WAIT_S * MS_PER_S;
  for (;;) {
    const wait = Math.max(0, Math.ceil((endsAt - performance.now()) / MS_PER_S));
    const state = await read(wait);
    // The call returned because something changed, or because the time is over.
    if (hasEnded(state) || wait === 0) return state;
  }
}

/** The result of a job as it is shown, or how far the job is, or why it has none. */
export async function jobState<Result>(
  kind: string,
  operationId: string,
  id: string,
  { call }: ToolContext,
  shown: (result: Result) => object,
): Promise<object> {
  const { status, result, error, ...state } = await awaitedState(
    (wait) => call(operationId, { path: { job_id: id }, query: { wait } }),
    ({ result, error }) => result !== null || error !== null,
  );
  if (result !== null) return shown(result);
  const facts = { kind, id, status, ...pick(state, 'progress_pct') };
  return error === null ? { ...facts, next: `Ask get_run with kind ${kind} and id ${id}` } : { ...facts, error };
}
