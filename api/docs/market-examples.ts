/** Examples of the interface description for a market other than the sample market, which they were written for. */
import { type MarketOfExamples, textsOf } from '../market/example-symbols.ts';

/** The example of a search: the beginning of a ticker of the sample market. */
const SAMPLE_QUERY = 'acr';
const QUERY_LENGTH = 3;

/** The document with symbols of the market in its examples, but for those of answers, whose figures are the sample market's. */
export function withSymbolsOf(market: MarketOfExamples, document: object): object {
  const textOf = textsOf(market);
  const query = textOf('ACRX').slice(0, QUERY_LENGTH).toLowerCase();
  return withExamples(document, (text) => (text === SAMPLE_QUERY ? query : textOf(text)));
}

function withExamples(part: object, change: (text: string) => string): object {
  return mapMembers(part, (name, value) => {
    if (name === 'example') return withTexts(value, change);
    return name === 'responses' || !isObject(value) ? value : withExamples(value, change);
  });
}

function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  return isObject(value) ? mapMembers(value, (_, one) => withTexts(one, change)) : value;
}

function mapMembers(part: object, change: (name: string, value: unknown) => unknown): object {
  if (Array.isArray(part)) return part.map((one) => change('', one));
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, change(name, one)]));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
