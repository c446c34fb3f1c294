/** A record with a value for each key. */
export function recordOf<K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> {
  // The type of `Object.fromEntries` forgets which keys there are.
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>;
}
