/**
 * `/iceberg/objects`: the files of tables in the protocol of S3, for readers of an installation without a bucket, or without credentials
 * of their own for it. The session token of the S3 client is the key of the caller, and signatures are not checked.
 */
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { ServiceError } from '../../engine/util/errors.ts';
import { FOLDER_BUCKET } from '../../storage/folder.ts';
import { ownerOfTableKey, TABLES_PREFIX } from '../../storage/keys.ts';
import { authorize } from '../access/authorize.ts';
import type { AccountCaller } from '../access/caller.ts';
import type { Identify } from '../access/identify.ts';
import { assertPlanHas } from '../access/plans.ts';
import type { Limiter, LimitRule } from '../access/rate-limit.ts';
import { StoredFileReply } from '../http/answer/reply.ts';
import { beginResponse, sendReply } from '../http/answer/respond.ts';
import type { CatalogServices, CatalogTable } from './catalog.ts';
import type { CatalogError } from './catalog-error.ts';

/** Where readers of tables get the files, if there is a bucket: there, with credentials of their own, or here, with their keys. */
export type TableFileSource = 'bucket' | 'service';

export interface Services extends CatalogServices {
  readonly log: Logger;
  readonly identify: Identify;
  readonly limiter: Limiter;
  readonly publicApiBase: string;
  readonly tableFiles: TableFileSource;
}

export const OBJECTS = '/iceberg/objects';

/** Reads of the files of tables in a minute. An engine reads a file in many parts, so they do not count as calls of the plan. */
const OBJECT_READS: LimitRule = { category: 'table_reads', limit: 20_000, windowSeconds: 60 };

export function memberOf(caller: Awaited<ReturnType<Identify>>): AccountCaller {
  authorize('member', caller, 'any');
  if (caller.kind === 'guest') throw new ServiceError('login_required');
  return caller;
}

const bucketOf = ({ storage }: Pick<Services, 'storage'>) => new URL(storage.locationOf('')).host;

const isServed = (services: Services) => services.tableFiles === 'service' || bucketOf(services) === FOLDER_BUCKET;

/** How the caller reads the files: from this service with the own key, or from the bucket with the reader's credentials. */
export function objectAccess(
  services: Services,
  request: Request,
  { isOwn }: CatalogTable,
): Readonly<Record<string, string>> {
  const key = keyOf(request);
  if (key === null || !(isOwn || isServed(services))) return {};
  return {
    's3.endpoint': `${services.publicApiBase}${OBJECTS}`,
    's3.region': 'us-east-1',
    's3.path-style-access': 'true',
    's3.force-virtual-addressing': 'false',
    's3.access-key-id': 'market-data',
    's3.secret-access-key': 'market-data',
    's3.session-token': key,
  };
}

/** The credential with which the caller came. */
function keyOf({ headers }: Request): string | null {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key : (/^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null);
}

/** Sends a file of a table, or the part in `Range`. Returns the status. */
export async function sendObject(services: Services, request: Request, response: Response): Promise<number> {
  const { context, params, headers } = request;
  context.route = `${OBJECTS}/{key}`;
  const token = headers['x-amz-security-token'];
  if (typeof token !== 'string') throw new ServiceError('login_required');
  headers[token.startsWith('md_') ? 'x-api-key' : 'authorization'] = token.startsWith('md_')
    ? token
    : `Bearer ${token}`;
  if (token.startsWith('md_')) delete headers.authorization;
  const caller = memberOf(await services.identify(request));
  context.caller = caller;
  await services.limiter.enforce(caller, OBJECT_READS, context);
  assertPlanHas(caller, 'market_files');
  const key = [params.key].flat().join('/');
  const isNamed = params.bucket === bucketOf(services) && !key.includes('..');
  const mayRead = isNamed && mayReadObject(services, caller, key);
  const bytes = mayRead ? await services.storage.size(key) : null;
  if (bytes === null) throw new ServiceError('not_found');
  const file = {
    name: key.slice(key.lastIndexOf('/') + 1),
    contentType: 'application/octet-stream',
    bytes,
    // Objects are never replaced, except for hints, which catalogs do not read.
    checksum: `${key.slice(key.lastIndexOf('/') + 1)}-${bytes}`,
    open: async (range: { start: number; end: number }) => {
      const content = await services.storage.get(key, range);
      if (!content) throw new ServiceError('not_found');
      return content;
    },
  };
  return sendReply(request, response, { status: 200, body: new StoredFileReply(file) });
}

/** The files of the market are for all; those of a kept run for its account, which only this service knows. */
function mayReadObject(services: Services, { account }: AccountCaller, key: string): boolean {
  const owner = ownerOfTableKey(key);
  return owner === null ? key.startsWith(TABLES_PREFIX) && isServed(services) : owner === account.userId;
}

/** The codes of S3 that clients act on. */
const S3_CODES: Readonly<Record<number, string>> = {
  401: 'AccessDenied',
  403: 'AccessDenied',
  404: 'NoSuchKey',
  416: 'InvalidRange',
  429: 'SlowDown',
};

export function sendObjectError(request: Request, response: Response, { status, message }: CatalogError): void {
  const text = message.replaceAll(/[<>&]/g, ' ');
  // S3 has no 401, and its clients do not expect one.
  const sent = status === 401 ? 403 : status;
  const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${S3_CODES[status] ?? 'InternalError'}</Code><Message>${text}</Message></Error>`;
  beginResponse(request, response, sent).type('application/xml').send(xml);
}
