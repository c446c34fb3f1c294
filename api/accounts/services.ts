/** Services that the routes of accounts use. */
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Pool } from '../../db/pool.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { AccessLog } from '../access/access-log.ts';
import type { CountryOf } from '../access/countries.ts';
import type { Limiter } from '../access/rate-limit.ts';
import type { AccessTokens } from '../access/tokens.ts';
import { routesWith } from '../call/route.ts';

export interface Services {
  readonly pool: Pool;
  readonly boss: PgBoss;
  readonly storage: ObjectStorage;
  readonly now: () => number;
  readonly log: Logger;
  readonly tokens: AccessTokens;
  readonly limiter: Limiter;
  readonly accessLog: AccessLog;
  readonly countryOf: CountryOf;
  readonly loginCodeKey: string;
  readonly identifierKey: string;
}

export const defineRoute = routesWith<Services>();
