/** Serves `/openapi.json`, and the files of Swagger UI for the page that shows it. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { type Express, static as serveStatic } from 'express';
import { madeInThread } from '../../made-in-thread.ts';
import type { Directory } from '../../market/directory.ts';
import type { MarketView } from '../../market/market-view.ts';
import { compressToKeep, type Encoding } from '../answer/compression.ts';
import { type Compress, type KeptBody, keptBody, sendKept, setCommonHeaders } from '../answer/respond.ts';
import { withSymbolsOf } from './market-examples.ts';

const MAX_AGE_S = 300;
const ASSETS = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

interface Document {
  readonly body: KeptBody;
  readonly compress: Compress;
}

/** The document with the symbols of a market. Each encoding of it is made once. */
function openDocument(directory: Directory, openApi: object): Document {
  const encodings = new Map<Encoding, Promise<Buffer>>();
  return {
    body: keptBody(JSON.stringify(withSymbolsOf(directory, openApi))),
    compress: (bytes, encoding) => {
      const made = encodings.get(encoding) ?? compressToKeep(bytes, encoding);
      encodings.set(encoding, made);
      return made;
    },
  };
}

/** The description, made when it is first asked for. */
function openDescription(publicApiBase: string): () => Promise<object> {
  const file = new URL('./description-thread.ts', import.meta.url);
  let made: Promise<object> | undefined;
  return () => {
    made ??= madeInThread<object>(file, { publicApiBase }).catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

export function mountDocs(app: Express, publicApiBase: string, market: Pick<MarketView, 'directory'>): void {
  const description = openDescription(publicApiBase);
  const documents = new WeakMap<Directory, Document>();
  const documentOf = async (directory: Directory) => {
    const openApi = await description();
    const document = documents.get(directory) ?? openDocument(directory, openApi);
    documents.set(directory, document);
    return document;
  };
  app.get('/openapi.json', async (request, response) => {
    request.context.headers['Content-Language'] = 'en';
    const { body, compress } = await documentOf(market.directory);
    return sendKept(request, response, body, MAX_AGE_S, compress);
  });
  app.use('/docs/assets', (request, response, next) => {
    request.context.headers['Content-Language'] = 'en';
    setCommonHeaders(request, response).removeHeader('Cache-Control');
    next();
  });
  app.use('/docs/assets', serveStatic(ASSETS, { index: false, maxAge: '1h' }));
}
