/** The chain of digests of a forward record, computed again. */
import type { Schema } from '../../../api/clients/typescript/index.ts';
import { linkDigest } from '../../../jobs/forward/chain.ts';

export interface Chain extends Pick<Schema<'SharedForwardRecord'>, 'seal' | 'seal_sha256' | 'head'> {
  /** Oldest first. */
  readonly entries: readonly Schema<'ForwardEntry'>[];
}

/** The first place at which a chain does not hold; null: it holds. `kept`: a digest of it that was seen earlier. */
export function brokenLink({ seal, seal_sha256, head, entries }: Chain, kept?: string): string | null {
  let before = linkDigest('', seal);
  if (before !== seal_sha256) return 'the seal is not that of its digest';
  const known = new Set([before]);
  for (const { number, session, entry, sha256 } of entries) {
    const is = `entry ${number}, of ${session},`;
    if (linkDigest(before, entry) !== sha256) return `${is} is not that of its digest and the digest before it`;
    before = sha256;
    known.add(before);
  }
  if (!known.has(head)) return `the head ${head} is not in the chain, which ends with ${before}`;
  return kept === undefined || known.has(kept) ? null : `${kept} is not in the chain`;
}
