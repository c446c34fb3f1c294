/** Serves `/openapi.json`. */
import type { Express } from 'express';
import { weakEtag } from '../call/response-cache.ts';
import { CacheableJson } from '../http/answer/reply.ts';
import { sendCacheable } from '../http/answer/respond.ts';
import type { Directory } from '../market/directory.ts';
import { type MarketOfExamples, textsOf } from '../market/example-symbols.ts';
import { ROUTES } from '../routes.ts';
import { buildOpenApi } from './openapi.ts';

/** The example of a search: the beginning of a ticker of the sample market. */
const SAMPLE_QUERY = 'acr';
const QUERY_LENGTH = 3;

/** The document with symbols of the market in its examples, but for those of answers, whose figures are the sample market's. */
function withSymbolsOf(market: MarketOfExamples, document: object): object {
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

const MAX_AGE_S = 300;

/** The document with the symbols of a market. */
function documentFor(market: MarketOfExamples, openApi: object): CacheableJson {
  const bytes = Buffer.from(JSON.stringify(withSymbolsOf(market, openApi)));
  return new CacheableJson(bytes, weakEtag(bytes), MAX_AGE_S);
}

export function mountDocs(app: Express, publicApiBase: string, market: MarketOfExamples): void {
  const description = buildOpenApi(ROUTES, publicApiBase);
  const documents = new WeakMap<Directory, CacheableJson>();
  const documentNow = () => {
    const { directory } = market;
    const document = documents.get(directory) ?? documentFor(market, description);
    documents.set(directory, document);
    return document;
  };
  app.get('/openapi.json', async (request, response) => {
    request.context.headers['Content-Language'] = 'en';
    await sendCacheable(request, response, documentNow());
  });
}
