/** Services that the routes of this room use. */
import type { selectStrategyProofs } from '../../db/runs/verdicts.ts';
import { routesWith } from '../call/route.ts';
import type { Timed } from '../http/timed-cache.ts';
import type { Services as RunServices } from '../runs/services.ts';

export interface Services extends RunServices {
  readonly strategyProofs: () => Promise<Timed<Awaited<ReturnType<typeof selectStrategyProofs>>>>;
}

export const defineRoute = routesWith<Services>();
