/** Services that the routes of the back office use. */
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Coverage } from '../../db/market/coverage.ts';
import type { Pool } from '../../db/pool.ts';
import type { Installed } from '../../jobs/health/installation.ts';
import type { Provider } from '../../jobs/providers/provider.ts';
import type { ProviderId } from '../../jobs/providers/providers.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { AccessLog } from '../access/access-log.ts';
import type { AuditedCall } from '../call/audited.ts';
import { routesWith } from '../call/route.ts';
import type { Timed } from '../http/timed-cache.ts';
import type { MarketView } from '../market/market-view.ts';

export interface Services extends Installed {
  readonly pool: Pool;
  readonly market: MarketView;
  readonly provider: Provider;
  readonly otherProviders: readonly ProviderId[];
  readonly boss: PgBoss;
  readonly now: () => number;
  readonly log: Logger;
  readonly accessLog: AccessLog;
  readonly storage: ObjectStorage;
  readonly publicApiBase: string;
  readonly coverage: () => Promise<Timed<{ coverage: readonly Coverage[]; generated_at: string }>>;
}

export const defineRoute = routesWith<Services>();

export type AdminCall = AuditedCall<Services>;
