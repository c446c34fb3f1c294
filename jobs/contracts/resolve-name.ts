/**
 * Resolves names that users have chosen. Not by `dns.lookup`: each of its calls holds a thread of the process for as long as a name
 * server is silent, and lookups of the database and reads of files wait for the same threads.
 */
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import ipaddr from 'ipaddr.js';
import { codeOf } from '../../engine/util/errors.ts';
import { isLocalhost } from './webhooks.ts';

/** The longest time for a name. */
export const RESOLVE_MS = 2_000;
/** Several name servers, or the same one again, are asked within that time. */
const ASK = { timeout: 700, tries: 2 };
const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Returns the addresses that the hosts file has for a name, or else the name servers (default: those of the system), at least one.
 * `localhost` is this machine. Rejects with a code such as ENOTFOUND, after two seconds with ETIMEOUT.
 */
export async function resolveName(
  hostname: string,
  nameServers?: readonly string[],
  hostsFile = '/etc/hosts',
): Promise<readonly LookupAddress[]> {
  const name = hostname.replace(/\.$/, '').toLowerCase();
  if (isLocalhost(name)) return LOOPBACK;
  const listed = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), name);
  return listed.length > 0 ? listed : askServers(name, nameServers);
}

/** The addresses of a name in a hosts file. */
function addressesIn(hosts: string, name: string): LookupAddress[] {
  return hosts.split('\n').flatMap((line) => {
    const [address, ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return names.includes(name) && ipaddr.isValid(address) ? [toLookupAddress(address)] : [];
  });
}

const toLookupAddress = (address: string): LookupAddress => ({
  address,
  family: ipaddr.IPv4.isValid(address) ? 4 : 6,
});

async function askServers(name: string, nameServers?: readonly string[]): Promise<LookupAddress[]> {
  const resolver = new Resolver(ASK);
  if (nameServers) resolver.setServers(nameServers);
  const timer = setTimeout(() => resolver.cancel(), RESOLVE_MS);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  clearTimeout(timer);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found.map(toLookupAddress);
  const codes = answers.map((answer) => (answer.status === 'rejected' ? codeOf(answer.reason) : undefined));
  const code = codes.includes('ECANCELLED') ? 'ETIMEOUT' : (codes[0] ?? 'ENOTFOUND');
  throw Object.assign(new Error(`the name could not be resolved: ${code}`), { code });
}
