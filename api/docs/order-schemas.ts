/** The order of schemas in the interface description: gzip finds a repetition only within the last 32 KiB. */

/** Characters within which a repetition is found, less those of the schema itself. */
const WINDOW = 30_000;
/** Pairs of words that a schema must have to count as similar by their share alone. */
const FEW_PAIRS = 20;

interface Entry {
  readonly name: string;
  readonly length: number;
  /** Its pairs of words that follow each other, as numbers. */
  readonly pairs: readonly number[];
}

/** The schemas in an order in which each has the largest share of its words in common with those shortly before it. */
export function bySimilarity<Schema>(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const numbers = new Map<string, number>();
  const left = new Set(Object.entries(schemas).map(([name, schema]) => entryOf(name, schema, numbers)));
  const seen = new Int32Array(numbers.size);
  const recent: Entry[] = [];
  const ordered: [string, Schema][] = [];
  let length = 0;
  const count = (entry: Entry, change: number) => {
    length += change * entry.length;
    for (const pair of entry.pairs) seen[pair] += change;
  };
  while (left.size > 0) {
    const next = mostSimilar(left, seen);
    left.delete(next);
    ordered.push([next.name, schemas[next.name]]);
    recent.push(next);
    count(next, 1);
    while (length > WINDOW) {
      const gone = recent.shift();
      if (gone === undefined) break;
      count(gone, -1);
    }
  }
  return Object.fromEntries(ordered);
}

function entryOf(name: string, schema: unknown, numbers: Map<string, number>): Entry {
  const text = JSON.stringify(schema);
  const words = text.match(/\w+/g) ?? [];
  const pairs = new Set<number>();
  for (let i = 1; i < words.length; i++) {
    const pair = `${words[i - 1]} ${words[i]}`;
    const number = numbers.get(pair) ?? numbers.size;
    numbers.set(pair, number);
    pairs.add(number);
  }
  return { name, length: text.length, pairs: [...pairs] };
}

function mostSimilar(entries: Iterable<Entry>, seen: Int32Array): Entry {
  let best: { readonly entry: Entry; readonly score: number } | null = null;
  for (const entry of entries) {
    const shared = entry.pairs.reduce((sum, pair) => sum + (seen[pair] > 0 ? 1 : 0), 0);
    const score = shared / (entry.pairs.length + FEW_PAIRS);
    if (best === null || score > best.score) best = { entry, score };
  }
  if (best === null) throw new Error('there is no entry');
  return best.entry;
}
