/** Webhooks: events that are posted to addresses of an account. */
import { randomBytes } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { emptyPayload, ONE_AT_A_TIME, type QueueContract } from './queue-contract.ts';

export const WEBHOOKS_QUEUE = {
  name: 'webhooks.deliver',
  record: null,
  runbook: 'webhooks',
  lane: 'outbound',
  payload: emptyPayload,
  options: ONE_AT_A_TIME,
} as const satisfies QueueContract;

export const WEBHOOK_EVENTS = [
  'backtest.finished',
  'portfolio.finished',
  'sweep.finished',
  'signals.ready',
  'forward.sealed',
  'forward.appended',
  'data.loaded',
  'run.revised',
  'export.done',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Events for administrators only. */
export const ADMIN_EVENTS: readonly WebhookEvent[] = ['export.done'];
/** The event of a delivery that its owner requests to test the address. */
export const TEST_EVENT = 'webhook.test';

export const MAX_WEBHOOKS = 5;
export const DELIVERIES_KEPT_DAYS = 30;

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
/** Pauses between failed attempts, in seconds: eight attempts within a day. */
export const PAUSES_S: readonly number[] = [
  MINUTE_S,
  5 * MINUTE_S,
  30 * MINUTE_S,
  2 * HOUR_S,
  5 * HOUR_S,
  8 * HOUR_S,
  8 * HOUR_S,
];

const SECRET_BYTES = 24;

/** In Base64, the part after `whsec_` in the format of https://www.standardwebhooks.com. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64');
}

/** Private networks that webhooks may reach, such as `10.0.0.0/8`. */
export type AllowedNetworks = readonly string[];

function isAllowed(address: string, allowed: AllowedNetworks): boolean {
  const networks = allowed.map((network) => ipaddr.parseCIDR(network));
  return ipaddr.subnetMatch(ipaddr.process(address), { allowed: networks }, 'other') === 'allowed';
}

/** The addresses of version 6 that are given to machines of the internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** The lower half of an ISATAP address, before its address of version 4: 0:5efe or 200:5efe. */
const isIsatap = ({ parts }: ipaddr.IPv6) => (parts[4] & ~0x0200) === 0 && parts[5] === 0x5efe;

/**
 * Whether an IP address is one of the public internet. Of version 6 only what is given out is: so no form that embeds an address of
 * version 4, through which a gateway would reach a private one.
 */
function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(GLOBAL_UNICAST) && !isIsatap(parsed));
}

/** Whether an IP address may be reached: a public one, or one of an allowed network. */
export function isReachable(address: string, allowed: AllowedNetworks): boolean {
  return isAllowed(address, allowed) || isPublic(address);
}

/** The IP address in a URL; null: it has a host name. */
export function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? bare : null;
}

/** Host names that resolve to machines of the local network. */
const LOCAL_NAME = /^[^.]*\.?$|\.(localhost|local|internal|home\.arpa)\.?$/;

/** Whether a name means this machine, whatever a name server says. */
export function isLocalhost(hostname: string): boolean {
  return /^(.+\.)?localhost\.?$/.test(hostname);
}

/** Whether a host, by address or as `localhost`, is in an allowed network. */
function isOfAllowedNetwork(url: URL, allowed: AllowedNetworks): boolean {
  const addresses = isLocalhost(url.hostname) ? ['127.0.0.1', '::1'] : [literalAddress(url) ?? []].flat();
  return addresses.some((address) => isAllowed(address, allowed));
}

export type AddressProblem = 'webhook_url' | 'webhook_not_https' | 'webhook_private';

/**
 * Returns the problem of a webhook address that shows without resolving its name; null if there is none. Plain http is allowed only in
 * allowed networks.
 */
export function addressProblem(text: string, allowed: AllowedNetworks): AddressProblem | null {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return 'webhook_url';
  const isOwn = isOfAllowedNetwork(url, allowed);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOwn)) return 'webhook_not_https';
  const literal = literalAddress(url);
  const isPrivate = literal === null ? LOCAL_NAME.test(url.hostname) : !isReachable(literal, allowed);
  return isPrivate && !isOwn ? 'webhook_private' : null;
}
