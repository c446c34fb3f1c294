/** The routes of runs of every kind, written once: those that start one, show its state, and show a finished one to everybody. */
import type { Run, RunKind } from '../../db/runs/runs.ts';
import type { ErrorCode } from '../../engine/util/errors.ts';
import type { Access, Caller, CallerFor } from '../access/caller.ts';
import { localeOf } from '../access/request-context.ts';
import { type Answer, type Call, type Route, type RouteDefinition, routesWith } from '../call/route.ts';
import { objectWith } from '../http/answer/long-json.ts';
import { type Accepted, JsonStream, JsonText } from '../http/answer/reply.ts';
import { localeField, z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { answerRun, type RunRequest, requestRun } from './request.ts';
import { jobSchema, runPath, waitQuery } from './schemas.ts';
import type { RunCall, Services } from './services.ts';
import {
  acceptedRun,
  type DoneRun,
  isDone,
  ownRun,
  type Recorded,
  type RunRecord,
  recordOf,
  runState,
} from './state.ts';

type Result = object | JsonText | JsonStream;

/** The operation that shows the state of a run. */
interface StateOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly dataSchema: z.ZodType;
  readonly errors?: readonly ErrorCode[];
}

/** How the state of a queued run is shown, with its result once it is done. */
interface ShownState<S extends Services> extends StateOperation {
  readonly show: (call: RunCall<Caller, S>, run: DoneRun) => Result | Promise<Result>;
  /** Further fields of the state. */
  readonly more?: (run: Run) => object;
}

/** A finished run that is the same for everybody. */
interface ShownExample<S extends Services> {
  readonly operationId: string;
  readonly path: string;
  readonly summary: string;
  readonly dataSchema: z.ZodType;
  readonly show: (call: RunCall<Caller, S>, locale: Locale) => Promise<object>;
}

export const OF_ACCOUNT = 'Only for the account that queued it. Available for an hour after its end.';
export const OF_CALLER =
  'Only for the account, or the address of the guest, that queued it. Available for an hour after its end.';

type Definition<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  D extends z.ZodType,
  A extends Access,
  S,
> = Omit<
  RouteDefinition<P, Q, B, D, A, S>,
  'method' | 'handle' | 'acceptedSchema' | 'successStatus' | 'takesPrefer' | 'takesIdempotencyKey'
>;

type CallOf<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends Access, S> = Call<
  z.output<P>,
  z.output<Q>,
  z.output<B>,
  S,
  CallerFor[A]
>;

/** A call asks for a run, of whose result `show` makes the answer, or for an answer that needs no run. */
export type Asked<T> = (RunRequest & { readonly show: (run: DoneRun) => T | Promise<T> }) | { readonly answer: T };

/** The errors of every call that starts a run and waits for it. */
const WAITING_ERRORS = ['concurrent_backtests', 'backtest_cancelled'] as const;

/** The functions that define the routes that start runs with the services `S`. */
export function startsWith<S extends Services>() {
  const defineRoute = routesWith<S>();

  /** Starts a run and answers with its result, or with 202 if the caller does not wait or has waited too long. */
  function awaited<
    P extends z.ZodType = z.ZodUndefined,
    Q extends z.ZodType = z.ZodUndefined,
    B extends z.ZodType = z.ZodUndefined,
    D extends z.ZodType = z.ZodType,
    const A extends Access = Access,
  >({
    method,
    read,
    ...route
  }: Definition<P, Q, B, D, A, S> & {
    readonly method?: 'get' | 'put';
    readonly read: (call: CallOf<P, Q, B, A, S>) => Promise<Asked<Answer<z.input<D>>>>;
  }): Route<S> {
    return defineRoute<P, Q, B, D, A>({
      ...route,
      method: method ?? 'post',
      takesPrefer: true,
      takesIdempotencyKey: method === undefined,
      acceptedSchema: jobSchema,
      errors: [...route.errors, ...WAITING_ERRORS],
      handle: async (call) => {
        const asked = await read(call);
        return 'answer' in asked ? asked.answer : answerRun(call, asked, asked.show);
      },
    });
  }

  /** Starts work that takes too long to be awaited: the answer is 202. */
  function accepted<B extends z.ZodType, D extends z.ZodType, const A extends Access>({
    start,
    ...route
  }: Definition<z.ZodUndefined, z.ZodUndefined, B, D, A, S> & {
    readonly start: (call: CallOf<z.ZodUndefined, z.ZodUndefined, B, A, S>) => Promise<Accepted>;
  }): Route<S> {
    return defineRoute<z.ZodUndefined, z.ZodUndefined, B, D, A>({
      ...route,
      method: 'post',
      takesIdempotencyKey: true,
      successStatus: 202,
      handle: start,
    });
  }

  /** Queues a run that takes too long to be awaited. */
  function queued<B extends z.ZodType, const A extends Access>({
    read,
    ...route
  }: Omit<Definition<z.ZodUndefined, z.ZodUndefined, B, typeof jobSchema, A, S>, 'dataSchema'> & {
    readonly read: (call: CallOf<z.ZodUndefined, z.ZodUndefined, B, A, S>) => Promise<RunRequest>;
  }): Route<S> {
    return accepted<B, typeof jobSchema, A>({
      ...route,
      dataSchema: jobSchema,
      errors: [...route.errors, ...WAITING_ERRORS],
      start: async (call) => {
        const { services, context, caller } = call;
        const run = await requestRun(services, context, caller, { ...(await read(call)), isAsync: true });
        return acceptedRun(services.pool, run, context.locale);
      },
    });
  }

  return { awaited, accepted, queued };
}

/** The state of a run that the table of its kind records. */
export function recordedStateRoute<S extends Services, R extends Recorded, const A extends Access>(
  record: RunRecord<R>,
  {
    view,
    errors = [],
    ...route
  }: StateOperation & {
    readonly tag: string;
    readonly access: A;
    readonly limit: 'public' | 'account';
    readonly view: (call: RunCall<CallerFor[A], S>, run: R) => Promise<Result>;
  },
): Route<S> {
  const { path, idName } = record;
  return routesWith<S>()({
    ...route,
    method: 'get',
    path: `${path}/{${idName}}`,
    pathSchema: runPath(idName),
    querySchema: waitQuery,
    errors: ['not_found', ...errors],
    handle: async ({ path, query, ...call }) => view(call, await ownRun(call, record, path[idName], query.wait)),
  });
}

export function stateRoute<S extends Services>(
  kind: RunKind,
  tag: string,
  { show, more, ...route }: ShownState<S>,
): Route<S> {
  return recordedStateRoute<S, Run, 'anyone'>(recordOf(kind), {
    ...route,
    tag,
    access: 'anyone',
    limit: 'public',
    view: async (call, run) => {
      const result = isDone(run) ? await show(call, run) : null;
      const state = await runState(call.services.pool, run, call.context.locale);
      return objectWith({ ...state, ...more?.(run) }, [['result', jsonOf(result)]]);
    },
  });
}

function jsonOf(result: Result | null): JsonText | JsonStream {
  return result instanceof JsonText || result instanceof JsonStream ? result : new JsonText(JSON.stringify(result));
}

export function exampleRoute<S extends Services>(tag: string, { show, ...route }: ShownExample<S>): Route<S> {
  return routesWith<S>()({
    ...route,
    method: 'get',
    tag,
    description: 'Computed once after each load, and the same for everybody. Not found while nothing is loaded.',
    access: 'anyone',
    limit: 'public',
    querySchema: z.object({ locale: localeField }),
    caching: 'for_minutes',
    errors: ['not_found', 'example_not_ready'],
    handle: ({ query, ...call }) => show(call, localeOf(query, call.context)),
  });
}
