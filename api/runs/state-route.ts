/** The route that shows the state of a queued run, with its result once it is done: the same for every kind. */
import type { Run, RunKind } from '../../db/runs/runs.ts';
import type { ErrorCode } from '../../engine/util/errors.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import type { Caller } from '../access/caller.ts';
import { type Route, routesWith } from '../call/route.ts';
import { objectWith } from '../http/answer/long-json.ts';
import { JsonStream, JsonText } from '../http/answer/reply.ts';
import type { z } from '../http/input/fields.ts';
import { jobPath, waitQuery } from './schemas.ts';
import type { RunCall, Services } from './services.ts';
import { type DoneRun, isDone, ownRun, runState } from './state.ts';

type Result = object | JsonText | JsonStream;

interface ShownState<S extends Services> {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly dataSchema: z.ZodType;
  readonly errors?: readonly ErrorCode[];
  /** The result of a run that is done. */
  readonly show: (call: RunCall<Caller, S>, run: DoneRun) => Result | Promise<Result>;
  /** Further fields of the state. */
  readonly more?: (run: Run) => object;
}

export const OF_ACCOUNT = 'Only for the account that queued it. Available for an hour after its end.';
export const OF_CALLER =
  'Only for the account, or the address of the guest, that queued it. Available for an hour after its end.';

export function stateRoute<S extends Services>(
  kind: RunKind,
  { show, more, errors = [], ...route }: ShownState<S>,
): Route<S> {
  return routesWith<S>()({
    ...route,
    method: 'get',
    path: `${RUN_KINDS[kind].jobsPath}/{job_id}`,
    access: 'anyone',
    limit: 'public',
    pathSchema: jobPath,
    querySchema: waitQuery,
    errors: ['not_found', ...errors],
    handle: async ({ path, query, ...call }) => {
      const run = await ownRun(call, kind, path.job_id, query.wait);
      const result = isDone(run) ? await show(call, run) : null;
      const state = await runState(call.services.pool, run, call.context.locale);
      return objectWith({ ...state, ...more?.(run) }, [['result', jsonOf(result)]]);
    },
  });
}

function jsonOf(result: Result | null): JsonText | JsonStream {
  return result instanceof JsonText || result instanceof JsonStream ? result : new JsonText(JSON.stringify(result));
}
