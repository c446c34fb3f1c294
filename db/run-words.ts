/** Conditions from the words with which an account searches what it keeps. */

export type RunWord =
  /** A text within its name, a tag, a symbol, or the strategy, in any case. */
  | { readonly in: 'any' | 'strategy' | 'tag'; readonly text: string }
  /** A total return above or below a number of percent. */
  | { readonly in: 'return'; readonly isAbove: boolean; readonly pct: number }
  /** The beginning of its kind, or of the day of its creation (UTC): `2026-05`. */
  | { readonly in: 'kind' | 'created'; readonly text: string }
  /** Not a condition: the highest total return first. */
  | { readonly in: 'best' };

/** The expressions of a table that a word is looked for in; none: no row has such a word. */
export type WordPlaces = Readonly<Record<Exclude<RunWord['in'], 'best'>, readonly string[]>>;

export const CREATED_DAY = "to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')";

export function conditionOf(word: RunWord, placesOf: WordPlaces): [sql: string, bindings: (string | number)[]] {
  if (word.in === 'best') return ['true', []];
  const places = placesOf[word.in];
  if (places.length === 0) return ['false', []];
  const [operator, value] = testOf(word);
  return [`(${places.map((place) => `${place} ${operator} ?`).join(' or ')})`, places.map(() => value)];
}

function testOf(word: Exclude<RunWord, { in: 'best' }>): [operator: string, value: string | number] {
  if (word.in === 'return') return [word.isAbove ? '>' : '<', word.pct];
  const start = word.in === 'kind' || word.in === 'created' ? '' : '%';
  return ['ilike', `${start}${word.text.replaceAll(/[\\%_]/g, '\\$&')}%`];
}
