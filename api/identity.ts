/** Who calls. */
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '../engine/errors.ts';
import type { Identity } from './request-context.ts';

export type Identify = (request: Request) => Promise<Identity>;

/**
 * The address that counts as one caller: an IPv4 address as it is (also when mapped into IPv6), the /64 network of an
 * IPv6 one, because a single customer holds all of it.
 */
export function callerAddress(ip: string | undefined): string {
  if (!ip) return 'unknown';
  if (!ip.includes(':')) return ip;
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** A credential that is sent must be valid; without one the caller is a guest, known by its address. */
export const identifyGuest: Identify = async (request) => {
  if (request.headers.authorization !== undefined || request.headers['x-api-key'] !== undefined) {
    throw new ServiceError('invalid_credential');
  }
  return { key: `ip:${callerAddress(request.ip)}`, plan: 'guest' };
};
