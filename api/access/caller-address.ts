import ipaddr from 'ipaddr.js';

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
