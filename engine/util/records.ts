/** The keys of a record whose type allows no others. */
export function keysOf<K extends string>(record: Readonly<Record<K, unknown>>): K[] {
  // The type of `Object.keys` forgets which keys there are.
  return Object.keys(record) as K[];
}

/** A record with a value for each key. */
export function fromKeys<K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> {
  // The type of `Object.fromEntries` forgets which keys there are.
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>;
}
