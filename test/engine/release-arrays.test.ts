/** Tests that arrays are freed at once, and parts of larger ones are not. */
import { describe, expect, it } from '@jest/globals';
import { releasePiece } from '../../engine/release-arrays.ts';

describe('a piece of a stream', () => {
  it('is freed when it is a buffer of its own', () => {
    const piece = new Uint8Array(8);
    releasePiece(piece);
    expect(piece).toHaveLength(0);
  });

  it('stays when others may read from the same buffer', () => {
    const whole = new Uint8Array([1, 2, 3, 4]);
    releasePiece(whole.subarray(1, 3));
    expect([...whole]).toEqual([1, 2, 3, 4]);
  });
});
