/** The chain of a forward record, as anyone can verify it. */
import { expect, it } from '@jest/globals';
import type { Entry } from '../../../engine/forward/record.ts';
import { linkDigest, linked } from '../../../jobs/forward/chain.ts';
import { brokenLink, type Chain } from '../../../ops/commands/remote/forward-chain.ts';

const seal = { kind: 'seal', seed: '0011223344556677', prediction: { after_250: { p5: 1e-7, p95: 5 } } };
const seal_sha256 = linkDigest('', seal);
const sessions: readonly Entry[] = ['2026-05-28', '2026-05-29', '2026-06-01'].map((session, i) => ({
  session,
  engine_version: '2.0.0',
  data_version: 'bars=7',
  columns: [],
  positions: [{ symbol: 'ACRX.US', shares: 12.5 }],
  orders: [],
  return: i / 1000,
  benchmark: -0.00000012,
  equity: 100_000,
}));
const entries = linked(seal_sha256, sessions).map((one, i) => ({ ...one, number: i + 1, appended_at: '' }));

/** As the service sends it. */
const chainWith = (changes: object): Chain =>
  JSON.parse(JSON.stringify({ seal, seal_sha256, head: entries[2].sha256, entries, ...changes }));

it('holds as it was told, and with a head or a kept digest that is not the last one', () => {
  expect(brokenLink(chainWith({}))).toBeNull();
  expect(brokenLink(chainWith({ head: entries[1].sha256 }), seal_sha256)).toBeNull();
  expect(brokenLink(chainWith({ head: seal_sha256, entries: [] }))).toBeNull();
});

it('breaks where something was changed, left out, or put in another order', () => {
  const [first, second, third] = entries;
  const changed = { ...second, entry: { ...second.entry, return: 0.5 } };
  const rewritten = linked(first.sha256, [changed.entry, third.entry]).map((one, i) => ({
    ...third,
    ...one,
    number: i + 2,
  }));
  const other = '0'.repeat(64);
  expect([
    brokenLink(chainWith({ seal: { ...seal, seed: '0011223344556678' } })),
    brokenLink(chainWith({ entries: [first, changed, third] })),
    brokenLink(chainWith({ entries: [first, third] })),
    brokenLink(chainWith({ entries: [second, first, third] })),
    brokenLink(chainWith({ entries: [first, second] })),
    brokenLink(chainWith({ entries: [first, ...rewritten] })),
    brokenLink(chainWith({}), other),
    brokenLink(chainWith({ entries: [first, ...rewritten], head: rewritten[1].sha256 }), third.sha256),
  ]).toEqual([
    'the seal is not that of its digest',
    'entry 2, of 2026-05-29, is not that of its digest and the digest before it',
    'entry 3, of 2026-06-01, is not that of its digest and the digest before it',
    'entry 2, of 2026-05-29, is not that of its digest and the digest before it',
    `the head ${third.sha256} is not in the chain, which ends with ${second.sha256}`,
    `the head ${third.sha256} is not in the chain, which ends with ${rewritten[1].sha256}`,
    `${other} is not in the chain`,
    `${third.sha256} is not in the chain`,
  ]);
});
