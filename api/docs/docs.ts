/** Serves `/openapi.json`. */
import type { Express } from 'express';
import { weakEtag } from '../call/response-cache.ts';
import { CacheableJson } from '../http/answer/reply.ts';
import { sendCacheable } from '../http/answer/respond.ts';
import type { Directory } from '../market/directory.ts';
import type { MarketOfExamples } from '../market/example-symbols.ts';
import { ROUTES } from '../routes.ts';
import { withSymbolsOf } from './market-examples.ts';
import { buildOpenApi } from './openapi.ts';

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
