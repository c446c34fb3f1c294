/** Stores what the library of OAuth keeps. Ids of tokens and codes are their secrets, so the database has only hashes. */
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { errors } from 'oidc-provider';
import { SCOPES } from '../../db/accounts/api-keys.ts';
import {
  consumeOAuthRecord,
  deleteGrant,
  deleteOAuthRecord,
  deleteRecordsOfGrant,
  selectGrant,
  selectOAuthRecord,
  upsertOAuthRecord,
} from '../../db/accounts/assistant-grants.ts';
import type { Queryable } from '../../db/pool.ts';
import { MS_PER_DAY } from '../../engine/market/dates.ts';
import { hashCredential } from '../access/tokens.ts';

/** How long a client that registered is known unless a grant names it. */
const CLIENT_DAYS = 90;
const MS_PER_S = 1_000;

const none = async () => undefined;
const nothing = async () => {};
/** Each authorization asks the owner, who is signed in at the site: the library keeps no sessions of its own. */
const NO_RECORDS: Adapter = {
  upsert: nothing,
  find: none,
  findByUid: none,
  findByUserCode: none,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

export interface RecordOptions {
  readonly db: Queryable;
  readonly now: () => number;
  /** The resource that all grants are for. */
  readonly resource: string;
}

/** The adapter of a kind of records. */
export function recordsOf({ db, now, resource }: RecordOptions, model: string): Adapter {
  if (model === 'Session') return NO_RECORDS;
  if (model === 'Grant') return grantRecords(db, resource);
  const keyOf = (id: string) => ({ model, idHash: hashCredential(id) });
  return {
    ...NO_RECORDS,
    async upsert(id, { jti: _, client_secret: __, ...payload }, expiresIn) {
      const lifetimeMs = expiresIn === undefined ? CLIENT_DAYS * MS_PER_DAY : expiresIn * MS_PER_S;
      const grantId = model === 'Interaction' || payload.grantId === undefined ? null : Number(payload.grantId);
      await upsertOAuthRecord(db, { ...keyOf(id), payload, grantId, expiresAt: new Date(now() + lifetimeMs) });
    },
    async find(id) {
      const stored = await selectOAuthRecord(db, keyOf(id));
      if (stored === null) return undefined;
      const { payload, consumedAt } = stored;
      if (model === 'Client') return payload;
      return { ...payload, jti: id, ...(consumedAt && { consumed: Math.floor(consumedAt.getTime() / MS_PER_S) }) };
    },
    // If two calls come at once with one code, one is refused.
    async consume(id) {
      if (!(await consumeOAuthRecord(db, keyOf(id), new Date(now()))))
        throw new errors.InvalidGrant('already consumed');
    },
    destroy: (id) => deleteOAuthRecord(db, keyOf(id)),
    revokeByGrantId: (grantId) => deleteRecordsOfGrant(db, model, Number(grantId)),
  };
}

/** Grants are those of the account page: consent creates them, and the library reads and ends them. */
function grantRecords(db: Queryable, resource: string): Adapter {
  return {
    ...NO_RECORDS,
    async find(id): Promise<AdapterPayload | undefined> {
      const grant = await selectGrant(db, Number(id));
      if (grant === null) return undefined;
      const refused = SCOPES.filter((scope) => !grant.scopes.includes(scope));
      return {
        jti: id,
        kind: 'Grant',
        accountId: String(grant.userId),
        clientId: grant.clientId ?? undefined,
        resources: { [resource]: grant.scopes.join(' ') },
        // Clients may ask for these by habit: nobody gets them, and asking is no reason to ask the owner again.
        rejected: { openid: { scope: 'openid offline_access' }, resources: { [resource]: refused.join(' ') } },
      };
    },
    async destroy(id) {
      await deleteGrant(db, Number(id));
    },
  };
}
