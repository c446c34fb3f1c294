/**
 * `/iceberg/objects`: the files of tables in the protocol of S3, for readers of an installation without a bucket, or without credentials
 * of their own for it. The session token of the S3 client is the key of the caller, and signatures are not checked.
 */
import { Readable } from 'node:stream';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { ServiceError } from '../../engine/util/errors.ts';
import { FOLDER_BUCKET } from '../../storage/folder.ts';
import { isKey, ownerOfTableKey, TABLES_PREFIX } from '../../storage/keys.ts';
import type { ByteRange } from '../../storage/storage.ts';
import type { AccountCaller } from '../access/caller.ts';
import { assertPlanHas } from '../access/plans.ts';
import { routesWith } from '../call/route.ts';
import type { StepServices } from '../call/steps.ts';
import { openObject, StoredFileReply } from '../http/answer/reply.ts';
import { beginResponse } from '../http/answer/respond.ts';
import { type FairSemaphore, withPermit } from '../http/fair-semaphore.ts';
import type { CatalogError, CatalogServices, CatalogTable } from './catalog.ts';

/** Where readers of tables get the files, if there is a bucket: there, with credentials of their own, or here, with their keys. */
export type TableFileSource = 'bucket' | 'service';

export interface Services extends CatalogServices, StepServices {
  readonly log: Logger;
  readonly publicApiBase: string;
  readonly tableFiles: TableFileSource;
  readonly largeAnswers: FairSemaphore;
  readonly tableReads: FairSemaphore;
}

export const OBJECTS = '/iceberg/objects';

const bucketOf = ({ storage }: Pick<Services, 'storage'>) => new URL(storage.locationOf('')).host;

const isServed = (services: Services) => services.tableFiles === 'service' || bucketOf(services) === FOLDER_BUCKET;

/** How the caller reads the files: from this service with the own key, or from the bucket with the reader's credentials. */
export function objectAccess(
  services: Services,
  key: string | null,
  { isOwn }: CatalogTable,
): Readonly<Record<string, string>> {
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

/** The key or token with which the caller came. */
export function credentialOf(headers: Request['headers']): string | null {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key : (/^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null);
}

/** Takes the session token of the S3 client, which signs in a way of its own, as the credential. */
export function takeSessionToken({ headers }: Request, _response: Response, next: NextFunction): void {
  const token = headers['x-amz-security-token'];
  delete headers['x-api-key'];
  delete headers.authorization;
  if (typeof token === 'string') headers.authorization = `Bearer ${token}`;
  next();
}

/** A file of a table, or the part in `Range`. */
export const OBJECT_ROUTE = routesWith<Services>()({
  operationId: 'catalogObject',
  method: 'get',
  path: `${OBJECTS}/{key}`,
  tag: 'Iceberg',
  summary: 'Read a file of a table',
  access: 'member',
  limit: 'table_reads',
  pathSchema: z.object({ bucket: z.string(), key: z.array(z.string()) }),
  dataSchema: z.unknown(),
  errors: [],
  handle: async ({ services, caller, context, path: { bucket, key: names } }) => {
    assertPlanHas(caller, 'market_files');
    const key = names.join('/');
    const mayRead = bucket === bucketOf(services) && isKey(key) && mayReadObject(services, caller, key);
    const bytes = mayRead ? await services.storage.size(key) : null;
    if (bytes === null) throw new ServiceError('not_found');
    const name = names[names.length - 1];
    return new StoredFileReply({
      name,
      contentType: 'application/octet-stream',
      bytes,
      // Objects are never replaced, except for hints, which catalogs do not read.
      checksum: `${name}-${bytes}`,
      open: (range) => openInTurn(services, { key, range, caller: caller.counter, abort: context.abortSignal() }),
    });
  },
});

interface ObjectRead {
  readonly key: string;
  readonly range: ByteRange;
  readonly caller: string;
  readonly abort: AbortSignal;
}

/** Opens a file; few are read at a time, by callers in turn. */
async function openInTurn(
  { storage, tableReads }: Services,
  { key, range, caller, abort }: ObjectRead,
): Promise<Readable> {
  async function* content() {
    yield* await openObject(storage, key, 'not_found', range);
  }
  const pieces = withPermit(tableReads, caller, abort, content());
  // Refusals are answered before the headers are sent.
  const first = await pieces.next();
  async function* whole() {
    try {
      if (!first.done) yield first.value;
      yield* pieces;
    } finally {
      await pieces.return(undefined);
    }
  }
  return Readable.from(whole(), { highWaterMark: 1 });
}

/** The files of the market are for all; those of a kept run for its account, which only this service knows. */
function mayReadObject(services: Services, { account }: AccountCaller, key: string): boolean {
  const owner = ownerOfTableKey(key);
  return owner === null ? key.startsWith(TABLES_PREFIX) && isServed(services) : owner === account.userId;
}

/** The codes of S3 that clients act on. */
const S3_CODES: Readonly<Record<number, string>> = {
  400: 'NoSuchKey',
  401: 'AccessDenied',
  403: 'AccessDenied',
  404: 'NoSuchKey',
  416: 'InvalidRange',
  429: 'SlowDown',
  503: 'SlowDown',
};

/** S3 has no 401, and its clients do not expect one. A name that cannot be decoded is that of no object. */
const SENT: Readonly<Record<number, number>> = { 400: 404, 401: 403 };

export function sendObjectError(request: Request, response: Response, { status, message }: CatalogError): void {
  const text = message.replaceAll(/[<>&]/g, ' ');
  const sent = SENT[status] ?? status;
  const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${S3_CODES[status] ?? 'InternalError'}</Code><Message>${text}</Message></Error>`;
  beginResponse(request, response, sent).type('application/xml').send(xml);
}
