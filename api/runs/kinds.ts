/** A kind of run as the API offers it, and the routes that are made from it. */
import type { RunKind } from '../../db/runs/runs.ts';
import type { Route } from '../call/route.ts';
import { type KeptOffer, keptRoutes } from './kept-routes.ts';
import { type ShownState, stateRoute } from './routes.ts';
import type { Services } from './services.ts';

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
