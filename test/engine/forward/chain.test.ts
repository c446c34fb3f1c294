/** The chain of a forward record against digests that were computed elsewhere. */
import { expect, it } from '@jest/globals';
import type { Entry, Seal } from '../../../engine/forward/record.ts';
import { required } from '../../../engine/util/values.ts';
import { linkDigest, linked, toldIn } from '../../../jobs/forward/chain.ts';
import { canonicalJson } from '../../../jobs/runs/receipt.ts';
import { readKnownAnswers } from '../../support/known-answers.ts';

interface Chain {
  readonly chain: {
    readonly seal: Seal;
    readonly seal_canonical: string;
    readonly seal_sha256: string;
    readonly entries: readonly (Entry & { readonly sha256: string })[];
    readonly then: readonly (Entry & { readonly sha256: string })[];
  };
}

const { content, describe } = readKnownAnswers<unknown, Chain>('forward.json');

describe('the chain', () => {
  it('has the digests of each link', () => {
    const { chain } = required(content);
    expect(canonicalJson(chain.seal)).toBe(chain.seal_canonical);
    let head = linkDigest('', chain.seal);
    expect(head).toBe(chain.seal_sha256);
    for (const { sha256, ...entry } of [...chain.entries, ...chain.then]) {
      head = linkDigest(head, entry);
      expect([entry.session, head]).toEqual([entry.session, sha256]);
    }
  });
});

it('knows the newest engine by which a record was brought forward, by an entry or by its raise', () => {
  const facts = { data_version: 'bars=1', columns: [], positions: [], orders: [], benchmark: 0, equity: 1, return: 0 };
  const told = (...entries: Entry[]) =>
    toldIn(linked('', entries).map((one, i) => ({ ...one, number: i + 1, appended_at: new Date(0) }))).engine;
  const entry = { ...facts, session: '2026-05-28', engine_version: '1.0.0' };
  expect(told()).toBeNull();
  expect(told(entry)).toBe('1.0.0');
  expect(told(entry, { kind: 'engine', session: entry.session, before: '1.0.0', after: '2.0.0' })).toBe('2.0.0');
});
