/** Classifies the errors of the database. */
import { codeOf, textIn } from '../engine/thrown.ts';

/** SQLSTATE codes. */
const DEADLOCK = '40P01';
const DISK_FULL = '53100';
const DUPLICATE = '23505';
const INSUFFICIENT_PRIVILEGE = '42501';
const LOCK_TIMEOUT = '55P03';
const MISSING_REFERENCE = '23503';
const UNDEFINED_TABLE = '42P01';
/** A NUL, or half of a surrogate pair. */
const UNSTORABLE_TEXT = new Set(['22021', '22P05']);

/**
 * Codes of a database that is away or too busy to answer in time (it ended a statement or a wait for a lock), and codes of
 * sockets.
 */
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  LOCK_TIMEOUT,
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  DEADLOCK,
]);

/** Whether a statement was abandoned because no answer came. */
export function isUnanswered(error: unknown): boolean {
  return textIn(error, 'message') === 'Query read timeout';
}

/** Whether an error means that the database cannot be reached at the moment. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined && (AWAY.has(code) || code.startsWith('08'))) return true;
  // The socket of a server on this machine is gone. A missing file has the same code, and says nothing about the database.
  if (code === 'ENOENT' && textIn(error, 'syscall') === 'connect') return true;
  return (
    isUnanswered(error) ||
    /Connection terminated|timeout exceeded when trying to connect|is not queryable|not currently accepting connections/.test(
      textIn(error, 'message') ?? '',
    )
  );
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
  return isMissingReference(error) && /_(user|author|actor)_id_fkey$/.test(textIn(error, 'constraint') ?? '');
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
