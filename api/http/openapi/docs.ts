/** Serves `/openapi.json`, and the files of Swagger UI for the page that shows it. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { type Express, static as serveStatic } from 'express';
import { weakEtag } from '../../call/response-cache.ts';
import type { Directory } from '../../market/directory.ts';
import type { MarketOfExamples } from '../../market/example-symbols.ts';
import { ROUTES } from '../../routes.ts';
import { CacheableJson } from '../answer/reply.ts';
import { sendCacheable } from '../answer/respond.ts';
import { withSymbolsOf } from './market-examples.ts';
import { buildOpenApi } from './openapi.ts';

const MAX_AGE_S = 300;
const ASSETS = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

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
  app.use('/docs/assets', (request, response, next) => {
    request.context.headers['Content-Language'] = 'en';
    response.set(request.context.headers).removeHeader('Cache-Control');
    next();
  });
  app.use('/docs/assets', serveStatic(ASSETS, { index: false, maxAge: '1h' }));
}
