/** Classifies the errors of the database. */
import { codeOf, stringProperty } from '../engine/util/errors.ts';

/** SQLSTATE codes. */
const DEADLOCK = '40P01';
const DISK_FULL = '53100';
const DUPLICATE = '23505';
const CANCELED = '57014';
const INSUFFICIENT_PRIVILEGE = '42501';
const LOCK_TIMEOUT = '55P03';
const MISSING_REFERENCE = '23503';
const UNDEFINED_TABLE = '42P01';
/** A NUL, or half of a surrogate pair. */
const UNSTORABLE_TEXT = new Set(['22021', '22P05']);

/** Codes of sockets, and of the streams over them. */
const NETWORK =
  /^(ECONN|EHOST|ENET|ERR_SOCKET|ERR_STREAM_(DESTROYED|WRITE_AFTER_END)|ERR_(TLS|SSL)_|CERT_)|^(EADDRNOTAVAIL|ENOTCONN|ENOTFOUND|EPIPE|ESHUTDOWN|ETIMEDOUT|EAI_\w+)$/;
/** System calls of which any failure means that there is no connection: no socket of a server on this machine, for example. */
const CONNECTING = new Set(['connect', 'getaddrinfo']);
/** A server that takes no changes: a standby, or one that is being replaced. */
const READ_ONLY = '25006';
/**
 * SQLSTATE codes of a server that cannot be used, or that is too busy to answer in time (it ended a statement or a wait for a
 * lock). Classes: 08 connection exception, 28 and 3D no access to the database, 53 insufficient resources, 57 operator
 * intervention, 58 system error.
 */
const SERVER_AWAY = new RegExp(`^((08|28|3D|53|57|58)...|${READ_ONLY}|25P0[34]|${LOCK_TIMEOUT}|${DEADLOCK})$`);
/** Errors of the client and the server that have no code of their own. */
const AWAY_TEXTS =
  /Connection terminated|timeout exceeded when trying to connect|is not queryable|not currently accepting connections|SSL connection/;

/** Whether a statement was abandoned because no answer came. */
function isUnanswered(error: unknown): boolean {
  return stringProperty(error, 'message') === 'Query read timeout';
}

function isConnectTimeout(error: unknown): boolean {
  return /timeout exceeded when trying to connect/.test(stringProperty(error, 'message') ?? '');
}

/** Whether there was no answer or no connection in time. Other statements may still succeed. */
export function isSilence(error: unknown): boolean {
  return isUnanswered(error) || isConnectTimeout(error);
}

/** Whether a statement surely changed nothing: the server ended it, or there was no connection for it. */
export function hadNoEffect(error: unknown): boolean {
  return isRefusedInTime(error) || isConnectTimeout(error) || CONNECTING.has(stringProperty(error, 'syscall') ?? '');
}

/** Whether the server itself ended a statement that took too long, or waited too long for a lock. */
export function isRefusedInTime(error: unknown): boolean {
  return [LOCK_TIMEOUT, DEADLOCK, CANCELED].includes(codeOf(error) ?? '');
}

/**
 * Whether an error means that the database cannot be used at the moment, whatever the network, the resolver, or the
 * server gives as the reason. The one rule for outages: calls are refused as unavailable, and writes wait.
 */
export function isDatabaseUnreachable(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  const isKnown = code !== DISK_FULL && (NETWORK.test(code) || SERVER_AWAY.test(code));
  return (
    isKnown ||
    CONNECTING.has(stringProperty(error, 'syscall') ?? '') ||
    isUnanswered(error) ||
    saysDatabaseUnreachable(error)
  );
}

function saysDatabaseUnreachable(error: unknown): boolean {
  return AWAY_TEXTS.test(stringProperty(error, 'message') ?? '');
}

/** Whether only a database breaks or refuses a connection in this way, not another server. */
export function isBrokenByDatabase(error: unknown): boolean {
  return /^(08|28|3D|57P|53300)/.test(codeOf(error) ?? '') || saysDatabaseUnreachable(error);
}

/** Whether a text names a failure of the network. */
export function namesNetworkFailure(text: string): boolean {
  return text.split(/[\s:]+/).some((word) => NETWORK.test(word));
}

/** Whether a connection must be closed after this error, although it may still answer. */
export function spoilsConnection(error: unknown): boolean {
  return isUnanswered(error) || codeOf(error) === READ_ONLY;
}

/** Whether the server ended a transaction to resolve a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === DEADLOCK;
}

/** Whether a statement waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === LOCK_TIMEOUT;
}

/** Whether a row could not be written because the row that it refers to does not exist. */
export function isMissingReference(error: unknown): boolean {
  return codeOf(error) === MISSING_REFERENCE;
}

/** Whether a row could not be written because the account that it belongs to was deleted meanwhile. */
export function isAccountGone(error: unknown): boolean {
  return (
    isMissingReference(error) && /_(user|author|actor|\w+_by)_id_fkey$/.test(stringProperty(error, 'constraint') ?? '')
  );
}

/** Whether a statement failed because its table does not exist (yet, or any more). */
export function isMissingTable(error: unknown): boolean {
  return codeOf(error) === UNDEFINED_TABLE;
}

/** Whether a row could not be written because it would duplicate a unique one. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === DUPLICATE;
}

/** Whether the disk of the database is full. */
export function isDatabaseFull(error: unknown): boolean {
  return codeOf(error) === DISK_FULL;
}

/** Whether a text contains something that PostgreSQL cannot store. */
export function isUnstorableText(error: unknown): boolean {
  return UNSTORABLE_TEXT.has(codeOf(error) ?? '');
}

/** Whether the role lacks the right to do this. */
export function isForbidden(error: unknown): boolean {
  return codeOf(error) === INSUFFICIENT_PRIVILEGE;
}
