/** A kind of run as the API offers it, and the routes that are made from it. */
import type { Route } from '../call/route.ts';
import { type KeptOffer, keptRoutes } from './kept-routes.ts';
import type { Services } from './services.ts';

export interface OfferedKind<S extends Services> {
  readonly tag: string;
  /** Routes that start runs, made by `startsWith`; examples, made by `exampleRoute`; and others that only this kind has. */
  readonly own: readonly Route<S>[];
  /** Shows the state of a run: made by `stateRoute`, or by `recordedStateRoute` for a kind with a table of its own. */
  readonly state: Route<S>;
  /** Absent: accounts keep no results. */
  readonly kept?: KeptOffer;
}

export function routesOfKind<S extends Services>({ tag, own, state, kept }: OfferedKind<S>): readonly Route<S>[] {
  return [...own, state, ...(kept ? keptRoutes(tag, kept) : [])];
}
