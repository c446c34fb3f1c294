/** Examples of the interface description for a market other than the sample market, which they were written for. */
import { type MarketOfExamples, textsOf } from '../../market/example-symbols.ts';

/** The example of a search: the beginning of a ticker of the sample market. */
const SAMPLE_QUERY = 'acr';
const QUERY_LENGTH = 3;

/** The document with symbols of the market in its examples, but for those of answers, whose figures are the sample market's. */
export function withSymbolsOf(market: MarketOfExamples, document: object): object {
  const textOf = textsOf(market);
  const query = textOf('ACRX').slice(0, QUERY_LENGTH).toLowerCase();
  return mapMembers(document, (path, value) => {
    const isExample = path.includes('example') && !path.includes('responses');
    if (!isExample || typeof value !== 'string') return value;
    return value === SAMPLE_QUERY ? query : textOf(value);
  });
}

type Change = (path: readonly string[], value: unknown) => unknown;

function mapMembers(value: object, change: Change, path: readonly string[] = []): object {
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, one]) => [name, mapValue(one, change, [...path, name])]));
}

function mapValue(value: unknown, change: Change, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => mapValue(one, change, path));
  return typeof value === 'object' && value !== null ? mapMembers(value, change, path) : change(path, value);
}
