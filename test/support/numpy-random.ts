/** NumPy's `RandomState`, to reproduce from their seed the series for which other packages publish known answers. */

const SIZE = 624;

/** Returns outputs of the Mersenne Twister MT19937, 32 bits each, seeded by one number (Matsumoto & Nishimura 1998). */
function mersenneTwister(seed: number): () => number {
  const state = new Uint32Array(SIZE);
  state[0] = seed;
  for (let i = 1; i < SIZE; i++) {
    const mixed = state[i - 1] ^ (state[i - 1] >>> 30);
    state[i] = Math.imul(1812433253, mixed) + i;
  }
  let at = SIZE;
  return () => {
    if (at === SIZE) {
      for (let i = 0; i < SIZE; i++) {
        const joined = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7fffffff);
        state[i] = state[(i + 397) % SIZE] ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
      }
      at = 0;
    }
    let y = state[at++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  };
}

/** `RandomState(seed).standard_normal()`: Marsaglia's polar method, the second of each pair first. */
export function standardNormal(seed: number): () => number {
  const next = mersenneTwister(seed);
  const uniform = () => ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;
  let spare: number | null = null;
  return () => {
    if (spare !== null) {
      const kept = spare;
      spare = null;
      return kept;
    }
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      spare = scale * x;
      return scale * y;
    }
  };
}
