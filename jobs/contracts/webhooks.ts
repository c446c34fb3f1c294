/** Webhooks: events that are posted to addresses of an account. */
import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
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
  'data.loaded',
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
/** The longest time for which a registration waits for a name server. */
const LOOKUP_MS = 2_000;

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

/** Whether an IP address may be reached: a public one, or one of an allowed network. */
export function isReachable(address: string, allowed: AllowedNetworks): boolean {
  return isAllowed(address, allowed) || ipaddr.process(address).range() === 'unicast';
}

/** The IP address in a URL; null: it has a host name. */
export function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? bare : null;
}

/** Host names that resolve to machines of the local network. */
const LOCAL_NAME = /^[^.]*\.?$|\.(localhost|local|internal|home\.arpa)\.?$/;

export type AddressProblem = 'webhook_url' | 'webhook_not_https' | 'webhook_private';

/** Returns the problem of a webhook address; null if there is none. Plain http is allowed only for addresses of allowed networks. */
export async function addressProblem(text: string, allowed: AllowedNetworks): Promise<AddressProblem | null> {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return 'webhook_url';
  const literal = literalAddress(url);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && literal !== null && isAllowed(literal, allowed))) {
    return 'webhook_not_https';
  }
  const isPrivate =
    literal === null
      ? LOCAL_NAME.test(url.hostname) || (await resolvesToPrivate(url.hostname, allowed))
      : !isReachable(literal, allowed);
  return isPrivate ? 'webhook_private' : null;
}

/** An unknown name is accepted: each delivery looks it up again. */
async function resolvesToPrivate(hostname: string, allowed: AllowedNetworks): Promise<boolean> {
  const found = await Promise.race([
    lookup(hostname, { all: true }).catch(() => []),
    sleep(LOOKUP_MS, [], { ref: false }),
  ]);
  return found.some(({ address }) => !isReachable(address, allowed));
}
