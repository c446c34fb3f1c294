/** Checks values of variables that a library reads, with the rules of the library. */
import { accessSync, constants, statSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { validate as validateCron } from 'node-cron';
import { compile as compileTrust } from 'proxy-addr';

/** More consecutive proxies than any installation has. */
const MAX_HOPS = 100;

export const TRUST_PROXY_RULE =
  'must be true, false, a number of hops, or addresses, networks (10.0.0.0/8), loopback, linklocal or uniquelocal, separated by commas';
export const SCHEDULE_RULE = 'must be a cron expression of five or six fields, such as "*/5 * * * *"';

/** As Express understands it. */
export function parseTrustProxy(text: string | undefined): string | number | boolean {
  if (text === undefined || text === 'false') return false;
  if (text === 'true') return true;
  return /^\d+$/.test(text) ? Number(text) : text;
}

export function isTrustProxy(text: string): boolean {
  const parsed = parseTrustProxy(text);
  if (typeof parsed !== 'string') return parsed === true || parsed === false || parsed <= MAX_HOPS;
  try {
    compileTrust(parsed.split(/ *, */));
    return true;
  } catch {
    return false;
  }
}

export const isSchedule = (text: string) => validateCron(text);

/** In CIDR notation. */
export const isNetwork = (text: string) => ipaddr.isValidCIDR(text);

export function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
