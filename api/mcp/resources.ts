/** Resources for assistants: instruments, kept runs, their receipts, and the documentation. */
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { type Data, isData, pick } from './data.ts';
import { SECTIONS } from './docs.ts';
import { fitted } from './fit.ts';
import { OperationFailure, type ToolContext } from './operations.ts';
import { findResult, isKept, shownResult } from './runs.ts';
import { fence, fencedText } from './untrusted.ts';

const RECEIPTS: Readonly<Record<string, readonly [operationId: string, idName: string]>> = {
  backtest: ['getReceipt', 'backtest_id'],
  portfolio: ['getPortfolioReceipt', 'portfolio_id'],
  outcomes: ['getOutcomesReceipt', 'outcomes_id'],
};
const MAX_LISTED = 20;
const DOCS_TTL_MS = 3_600_000;
const JSON_TYPE = { mimeType: 'application/json' } as const;

type Variables = Readonly<Record<string, string | string[]>>;

/** Serves a template whose variables lead to data. Null: there is no such thing. */
function served(
  server: McpServer,
  { name, uri, description, list }: { name: string; uri: string; description: string; list?: () => Promise<Listed[]> },
  read: (variables: Record<string, string>) => Promise<Data | null>,
): void {
  const listed = list && (async () => ({ resources: await list() }));
  const template = new ResourceTemplate(uri, { list: listed });
  server.registerResource(name, template, { description, ...JSON_TYPE }, async (address, variables: Variables) => {
    const found = await orMissing(address, () => read(decoded(variables)));
    return { contents: [{ uri: address.href, ...JSON_TYPE, text: fencedText(Object(fence(fitted(found)))) }] };
  });
}

interface Listed {
  readonly uri: string;
  readonly name: string;
}

const decoded = (variables: Variables) =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, decodeURIComponent(String(value))]));

/** Throws the protocol's error for what is not there, whatever the caller may not see. */
async function orMissing<T>({ href }: URL, read: () => Promise<T | null>): Promise<T> {
  const found = await read().catch((error: unknown) => {
    if (error instanceof OperationFailure && error.body.code < 500) return null;
    throw error;
  });
  if (found === null) throw new ResourceNotFoundError(href);
  return found;
}

async function keptRuns({ call }: ToolContext): Promise<Listed[]> {
  const page: Data = await call('listBacktests', { query: { page_size: MAX_LISTED } }).catch(() => ({}));
  const items = Array.isArray(page.items) ? page.items.filter(isData) : [];
  return items.map(({ kind, id }) => ({ uri: `market://runs/${kind}/${id}`, name: `${kind} ${id}` }));
}

export function registerResources(server: McpServer, context: ToolContext): void {
  const { call } = context;
  const instrument = {
    name: 'instrument',
    uri: 'market://instruments/{symbol}',
    description: 'Facts and the newest quote',
  };
  served(server, instrument, async ({ symbol }) => ({
    ...(await call('getStaticInfo', { path: { symbol } })),
    quote: pick(await call('getQuote', { path: { symbol } }), 'last', 'change_pct', 'volume', 'as_of'),
  }));
  const run = {
    name: 'run',
    uri: 'market://runs/{kind}/{id}',
    description: 'A kept run',
    list: () => keptRuns(context),
  };
  served(server, run, async ({ kind, id }) => {
    if (!isKept(kind)) return null;
    const found = await findResult(kind, id, context, 0);
    return 'result' in found ? shownResult(kind, id, found.result, context) : found.state;
  });
  const receipt = { name: 'receipt', uri: 'market://receipts/{kind}/{id}', description: 'Digests of a kept run' };
  served(server, receipt, async ({ kind, id }) => {
    if (!Object.hasOwn(RECEIPTS, kind)) return null;
    const [operationId, idName] = RECEIPTS[kind];
    return call(operationId, { path: { [idName]: id } });
  });
  registerDocs(server);
}

function registerDocs(server: McpServer): void {
  const uriOf = (section: string) => `docs://${section.split('/').map(encodeURIComponent).join('/')}`;
  const resources = [...SECTIONS.keys()].map((section) => ({ uri: uriOf(section), name: section }));
  const template = new ResourceTemplate('docs://{page}/{heading}', { list: () => ({ resources }) });
  const config = {
    description: 'The documentation, a section each',
    mimeType: 'text/markdown',
    cacheHint: { ttlMs: DOCS_TTL_MS, cacheScope: 'public' },
  } as const;
  server.registerResource('docs', template, config, ({ href }, variables: Variables) => {
    const { page, heading } = decoded(variables);
    const text = SECTIONS.get(`${page}/${heading}`);
    if (text === undefined) throw new ResourceNotFoundError(href);
    return { contents: [{ uri: href, mimeType: 'text/markdown', text }] };
  });
}
