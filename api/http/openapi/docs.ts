/** Serves `/openapi.json` and `/docs`, a documentation page that requests nothing from another host. */
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

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Market data and backtesting: API</title>
<link rel="icon" href="/docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script type="module" src="/docs/start.js"></script>
</body>
</html>
`;

/**
 * The filter matches the tag, path, name, and summary of an operation; tags without a match disappear. Calls go to the
 * address of the page, which may differ from the public one. A credential is forgotten with the page, so that nothing is
 * stored that scripts can read.
 */
const START_SCRIPT = `const filterOperations = () => ({
  fn: {
    opsFilter: (tags, phrase) => {
      const words = phrase.toLowerCase().split(/\\s+/).filter(Boolean);
      const matches = (tag, operation) => {
        const { operationId, summary } = operation.get('operation').toJS();
        const text = [tag, operation.get('path'), operationId, summary].join(' ').toLowerCase();
        return words.every((word) => text.includes(word));
      };
      return tags
        .map((group, tag) => group.update('operations', (all) => all.filter((operation) => matches(tag, operation))))
        .filter((group) => group.get('operations').size > 0);
    },
  },
});

const description = await (await fetch('/openapi.json')).json();
SwaggerUIBundle({
  spec: { ...description, servers: [{ url: location.origin }] },
  dom_id: '#docs',
  plugins: [filterOperations],
  filter: true,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayOperationId: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

const SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

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
  app.use('/docs', (request, response, next) => {
    response.setHeader('Content-Security-Policy', SECURITY_POLICY);
    request.context.headers['Content-Language'] = 'en';
    setCommonHeaders(request, response).removeHeader('Cache-Control');
    next();
  });
  app.get('/docs', (_request, response) => void response.type('html').send(PAGE));
  app.get('/docs/start.js', (_request, response) => void response.type('js').send(START_SCRIPT));
  app.use('/docs/assets', serveStatic(ASSETS, { index: false, maxAge: '1h' }));
}
