/** A kind of run as the API offers it, and the routes that are made from it. */
import type { RunKind } from '../../db/runs/runs.ts';
import type { AccountCaller } from '../access/caller.ts';
import { type Route, routesWith } from '../call/route.ts';
import { deletedSchema } from '../http/input/fields.ts';
import { type KeptOffer, keptRoutes } from './kept-routes.ts';
import { recordedStateRoute, type ShownState, type StateOperation, stateRoute } from './routes.ts';
import { runPath } from './schemas.ts';
import type { RunCall, Services } from './services.ts';
import type { Recorded, RunRecord } from './state.ts';

export interface OfferedKind<S extends Services> {
  readonly kind: RunKind;
  readonly tag: string;
  /** Routes that start runs, made by `startsWith`; examples, made by `exampleRoute`; and others that only this kind has. */
  readonly own: readonly Route<S>[];
  readonly state: ShownState<S>;
  /** Absent: accounts keep no results. */
  readonly kept?: KeptOffer;
}

export function routesOfKind<S extends Services>(offered: OfferedKind<S>): readonly Route<S>[] {
  const { kind, tag, own, state, kept } = offered;
  return [...own, stateRoute(kind, tag, state), ...(kept ? keptRoutes(tag, kept) : [])];
}

/** A kind with a table of its own, since many jobs work for one run: an account has its runs until it removes them. */
export interface RecordedKind<S extends Services, R extends Recorded> {
  readonly record: RunRecord<R>;
  readonly tag: string;
  readonly own: readonly Route<S>[];
  readonly state: StateOperation & {
    readonly view: (call: RunCall<AccountCaller, S>, run: R) => Promise<object>;
  };
  readonly removal: Pick<StateOperation, 'operationId' | 'summary'> & {
    readonly remove: (call: RunCall<AccountCaller, S>, id: string) => Promise<void>;
  };
}

export function routesOfRecord<S extends Services, R extends Recorded>({
  record,
  tag,
  own,
  state,
  removal: { remove, ...removal },
}: RecordedKind<S, R>): readonly Route<S>[] {
  const { path, idName } = record;
  const account = { tag, access: 'member', limit: 'account' } as const;
  return [
    ...own,
    recordedStateRoute<S, R, 'member'>(record, { ...account, ...state }),
    routesWith<S>()({
      ...account,
      ...removal,
      method: 'delete',
      path: `${path}/{${idName}}`,
      pathSchema: runPath(idName),
      dataSchema: deletedSchema,
      errors: ['not_found'],
      handle: async ({ path, ...call }) => {
        await remove(call, path[idName]);
        return { deleted: true } as const;
      },
    }),
  ];
}
