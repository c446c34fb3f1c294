/** Services that the routes of this room use. */
import type { Pool } from '../../db/pool.ts';
import { routesWith } from '../call/route.ts';

export interface Services {
  readonly pool: Pool;
}

export const defineRoute = routesWith<Services>();
