import canonicalize from 'canonicalize';
import { required } from '../../engine/util/required.ts';

/** JSON as RFC 8785 writes it: equal values give equal bytes. */
export function canonicalJson(value: object): string {
  return required(canonicalize(value), 'the canonical form');
}
