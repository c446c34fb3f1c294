import canonicalize from 'canonicalize';
import { present } from '../../engine/util/required.ts';

/** JSON as RFC 8785 writes it: equal values give equal bytes. */
export function canonicalJson(value: object): string {
  return present(canonicalize(value), 'the canonical form');
}
