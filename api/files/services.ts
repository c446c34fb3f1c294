/** Services that the routes of this room use. */
import type { Pool } from '../../db/pool.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { routesWith } from '../call/route.ts';

export interface Services {
  readonly pool: Pool;
  readonly storage: ObjectStorage;
}

export const defineRoute = routesWith<Services>();
