/** Refusals in the form of the Iceberg REST catalog. */

/** The names of errors that clients of the catalog tell apart. */
export type CatalogErrorType =
  | 'BadRequestException'
  | 'NotAuthorizedException'
  | 'ForbiddenException'
  | 'NoSuchNamespaceException'
  | 'NoSuchTableException'
  | 'NoSuchViewException'
  | 'NoSuchSnapshotException'
  | 'NotFoundException'
  | 'TooManyRequestsException'
  | 'ServiceUnavailableException'
  | 'InternalServerError';

/** A refusal in the catalog's own words. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';
  readonly status: number;
  readonly type: CatalogErrorType;

  constructor(status: number, type: CatalogErrorType, message: string) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

/** The name of an error that has only a status. */
export function typeOfStatus(status: number): CatalogErrorType {
  if (status === 401) return 'NotAuthorizedException';
  if (status === 403) return 'ForbiddenException';
  if (status === 404) return 'NotFoundException';
  if (status === 429) return 'TooManyRequestsException';
  if (status < 500) return 'BadRequestException';
  return status === 503 ? 'ServiceUnavailableException' : 'InternalServerError';
}
