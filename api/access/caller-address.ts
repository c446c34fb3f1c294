import ipaddr from 'ipaddr.js';

/** An address as it is written most simply: an IPv4 address mapped into IPv6 is the IPv4 address. Null: none. */
export function plainAddress(ip: string | undefined): string | null {
  if (!ip || !ipaddr.isValid(ip)) return null;
  return ipaddr.process(ip).toString();
}

/**
 * The address that counts as one caller: an IPv4 address as it is (also when mapped into IPv6), the /64 network of an
 * IPv6 one, because a single customer holds all of it.
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
