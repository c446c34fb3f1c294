/** The sender of a call, a guest, the holder of an API key, or an account that is signed in at the console, and what it may do. */
import ipaddr from 'ipaddr.js';
import type { Scope } from '../../db/accounts/api-keys.ts';
import type { Account } from '../../db/accounts/callers.ts';
import type { LoginMethod } from '../../db/accounts/logins.ts';
import { type ErrorCode, ServiceError } from '../../engine/util/errors.ts';
import type { PlanCode } from './plans.ts';

interface AnyCaller {
  /** Begins the names of the caller's counters: `ip:…`, `key:<account>:<slot>`, `user:<account>`. */
  readonly counter: string;
  /** The plan in force: `guest`, and `free` once an account's plan has expired. */
  readonly plan: PlanCode;
}

export interface Guest extends AnyCaller {
  readonly kind: 'guest';
}

export interface KeyCaller extends AnyCaller {
  readonly kind: 'key';
  readonly account: Account;
  readonly apiKeyId: number;
  readonly scopes: readonly string[];
  /** Whether it is an assistant with a token, which an owner let in. */
  readonly isGrant: boolean;
  /** Null: never. */
  readonly expiresAt: Date | null;
}

export interface SessionCaller extends AnyCaller {
  readonly kind: 'session';
  readonly account: Account;
  /** How the login session began. */
  readonly loginMethod: LoginMethod;
}

export type AccountCaller = KeyCaller | SessionCaller;
export type Caller = Guest | AccountCaller;

/** The account behind a call; null for a guest. */
export function accountOf(caller: Caller): Account | null {
  return caller.kind === 'guest' ? null : caller.account;
}

/** The owner of a caller's runs: the account, or the address of a guest. Runs of one owner count together. */
export function ownerOf(caller: Caller): string {
  return caller.kind === 'guest' ? caller.counter : `user:${caller.account.userId}`;
}

/** The plain form of an address: an IPv4 address that is mapped into IPv6 becomes IPv4. Null for no address. */
export function plainAddress(ip: string | undefined): string | null {
  if (!ip || !ipaddr.isValid(ip)) return null;
  return ipaddr.process(ip).toString();
}

/**
 * The address that counts as one caller: an IPv4 address (also when mapped into IPv6), or the /64 network of an IPv6
 * address, because one customer holds all of it.
 */
export function callerAddress(ip: string | undefined): string {
  if (!ip) return 'unknown';
  if (!ip.includes(':')) return ip;
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** The callers that each kind of access admits; their handlers get no other type of caller. */
export interface CallerFor {
  /** Everyone, guests included. */
  readonly anyone: Caller;
  /** An account, by API key or access token. */
  readonly member: AccountCaller;
  /** An account, by access token only. */
  readonly console: SessionCaller;
  /** An administrator, by access token only. */
  readonly admin: SessionCaller;
}

export type Access = keyof CallerFor;

/** Login sessions that administrators may use: any, or only those that began with their password. */
export type AdminSessions = 'any' | 'password';

/** Throws unless `access` admits the caller. */
export function authorize(access: Access, caller: Caller, adminSessions: AdminSessions): void {
  if (access === 'anyone') return;
  if (caller.kind === 'guest') throw new ServiceError('login_required');
  if (access === 'member') return;
  if (caller.kind !== 'session') throw new ServiceError('login_required');
  if (access === 'console') return;
  if (!caller.account.isAdmin) throw new ServiceError('admin_required');
  if (adminSessions === 'password' && caller.loginMethod !== 'password') throw new ServiceError('admin_login_required');
}

/** Throws unless the caller has the scope. Only keys have fewer than all. */
export function assertScope(scope: Scope, caller: Caller): void {
  if (caller.kind === 'key' && !caller.scopes.includes(scope)) throw new ServiceError('scope_missing', { scope });
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set(['login_required', 'admin_required', 'admin_login_required']);

/** Whether an error says that the caller has no access. */
export function isNotAuthorized({ code }: ServiceError): boolean {
  return REFUSALS.has(code);
}
