/** Signals from comparisons of columns, bar by bar. A comparison with an undefined figure is false. */

/** a > b */
export function above(a: Float64Array, b: Float64Array): Uint8Array {
  const out = new Uint8Array(a.length);
  for (let t = 0; t < out.length; t++) out[t] = a[t] > b[t] ? 1 : 0;
  return out;
}

/** a ≥ b */
export function atLeast(a: Float64Array, b: Float64Array): Uint8Array {
  const out = new Uint8Array(a.length);
  for (let t = 0; t < out.length; t++) out[t] = a[t] >= b[t] ? 1 : 0;
  return out;
}

/** a > level */
export function aboveLevel(a: Float64Array, level: number): Uint8Array {
  const out = new Uint8Array(a.length);
  for (let t = 0; t < out.length; t++) out[t] = a[t] > level ? 1 : 0;
  return out;
}

/** a < level */
export function belowLevel(a: Float64Array, level: number): Uint8Array {
  const out = new Uint8Array(a.length);
  for (let t = 0; t < out.length; t++) out[t] = a[t] < level ? 1 : 0;
  return out;
}

/** a > b at t, and a ≤ b at t-1 */
export function crossesAbove(a: Float64Array, b: Float64Array): Uint8Array {
  const out = new Uint8Array(a.length);
  for (let t = 1; t < out.length; t++) out[t] = a[t] > b[t] && a[t - 1] <= b[t - 1] ? 1 : 0;
  return out;
}

/** price > middle + multiple × width */
export function aboveBand(
  price: Float64Array,
  middle: Float64Array,
  width: Float64Array,
  multiple: number,
): Uint8Array {
  const out = new Uint8Array(price.length);
  for (let t = 0; t < out.length; t++) out[t] = price[t] > middle[t] + multiple * width[t] ? 1 : 0;
  return out;
}

/** price < middle - multiple × width */
export function belowBand(
  price: Float64Array,
  middle: Float64Array,
  width: Float64Array,
  multiple: number,
): Uint8Array {
  const out = new Uint8Array(price.length);
  for (let t = 0; t < out.length; t++) out[t] = price[t] < middle[t] - multiple * width[t] ? 1 : 0;
  return out;
}

/** Both at once. */
export function both(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((value, t) => value & b[t]);
}
