/** Resolves names that users have chosen to addresses that may be reached. */
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { resolveName } from './resolve-name.ts';
import { type AllowedNetworks, isReachable } from './webhooks.ts';

const PRIVATE = 'EPRIVATE';

export function privateAddress(): Error {
  return Object.assign(new Error('the address is private'), { code: PRIVATE });
}

/** Checks the address during the lookup for the connection, so that the checked address is the one that is connected to. */
export function guardedLookup(allowed: AllowedNetworks, nameServers?: readonly string[]): LookupFunction {
  return (hostname, options, done) => {
    const connect = (found: readonly LookupAddress[]) => {
      const reachable = found.filter(({ address }) => isReachable(address, allowed));
      if (reachable.length === 0) done(privateAddress(), []);
      else if (options.all) done(null, reachable);
      else done(null, reachable[0].address, reachable[0].family);
    };
    resolveName(hostname, nameServers).then(connect, (error) => done(error, []));
  };
}
