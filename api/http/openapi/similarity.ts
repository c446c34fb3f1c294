/** The order of parts in the interface description: similar ones stand close together, so that they compress better. */

interface Item {
  readonly name: string;
  readonly part: object;
  readonly traits: ReadonlySet<string>;
}

/** Parts that the next one may resemble: what stands further back is out of reach for compression. */
const REACH = 4;

/** Returns the parts as a chain: the next one is always the one most similar to one of the last few. */
export function bySimilarity(parts: Readonly<Record<string, object>>): Record<string, object> {
  const items = Object.entries(parts).map(([name, part]): Item => ({ name, part, traits: traitsOf(part) }));
  const [first, ...others] = items.sort((a, b) => (a.name < b.name ? -1 : 1));
  const chain = first ? [first] : [];
  const left = new Set(others);
  while (left.size > 0) {
    const next = mostSimilar(chain.slice(-REACH), left);
    chain.push(next);
    left.delete(next);
  }
  return Object.fromEntries(chain.map(({ name, part }) => [name, part]));
}

function mostSimilar(last: readonly Item[], items: Iterable<Item>): Item {
  const rated = [...items].map((item) => ({ item, likeness: Math.max(...last.map((one) => likeness(one, item))) }));
  return rated.reduce((best, one) => (one.likeness > best.likeness ? one : best)).item;
}

/** The share of common traits among all traits of both, 0 to 1. */
function likeness({ traits: a }: Item, { traits: b }: Item): number {
  let common = 0;
  for (const trait of b) if (a.has(trait)) common++;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}

/** Each member or element, as JSON, together with the one after it. */
function traitsOf(part: object): ReadonlySet<string> {
  const members = JSON.stringify(part).split(/(?=[,{])/);
  return new Set(members.slice(1).map((member, i) => members[i] + member));
}
