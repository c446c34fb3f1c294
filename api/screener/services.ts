/** Services of the screener's routes, and of other routes that take a screen as their universe. */
import type { Pool } from '../../db/pool.ts';
import type { Caller } from '../access/caller.ts';
import { routesWith } from '../call/route.ts';
import type { RunCall, Services as RunServices } from '../runs/services.ts';
import type { PastSnapshots, SnapshotView } from './snapshot-view.ts';

export interface Services extends RunServices {
  /** For statements that take longer. */
  readonly longPool: Pool;
  readonly snapshots: SnapshotView;
  readonly pastSnapshots: PastSnapshots;
}

export type ScreenCall<C extends Caller = Caller> = RunCall<C, Services>;

export const defineRoute = routesWith<Services>();
