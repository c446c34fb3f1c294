/** The origins of bars, and the revisions of market data. */
import { type Revision, selectRevisions } from '../../db/market/revisions.ts';
import type { Pool } from '../../db/pool.ts';
import { type Route, routesWith } from '../call/route.ts';
import { dateField, listSchema, momentFilter, pageQuery, symbolField, z } from '../http/input/fields.ts';
import { explainBar } from './bar-origin.ts';
import { findInstrument } from './directory.ts';
import type { MarketView } from './market-view.ts';
import { explainedBarSchema, revisionSchema } from './revision-schemas.ts';

interface Services {
  readonly pool: Pool;
  readonly market: MarketView;
}

const defineRoute = routesWith<Services>();

const TAG = 'Evidence';

const revisionQuery = z.object({
  symbol: symbolField.optional().meta({ description: 'Only those of this symbol' }),
  since: momentFilter('from').optional().meta({ description: 'Recorded at or after; a date or an ISO time' }),
  ...pageQuery,
});

async function listRevisions(
  { pool, market }: Services,
  { symbol, since, page, size }: z.output<typeof revisionQuery>,
) {
  const instrumentId = symbol === undefined ? undefined : findInstrument(market.directory, symbol).id;
  const { total, items } = await selectRevisions(pool, { instrumentId, since }, { page, size });
  const symbols = new Map(market.directory.items.map((item) => [item.id, item.qualified]));
  const view = (revision: Revision) => revisionView(revision, symbols.get(revision.instrumentId) ?? null);
  return { total, page, size, items: items.map(view) };
}

function revisionView(revision: Revision, symbol: string | null): z.input<typeof revisionSchema> {
  const { id, day: date, syncJobId: sync_job_id } = revision;
  const change = { id, symbol, date, sync_job_id, at: revision.at.toISOString() };
  return 'eventKey' in revision
    ? { ...change, kind: 'event', was: revision.was, is: revision.became }
    : { ...change, kind: 'bar', venue_mode: revision.venueBasis, was: revision.was, is: revision.became };
}

export const REVISION_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'getBarOrigin',
    method: 'get',
    path: '/v1/static/{symbol}/bars/{date}',
    tag: TAG,
    summary: 'Get the origin of a bar',
    description:
      'Its rows as traded, the loads and files that they come from, and the events that adjust them. Plans pro and enterprise.',
    access: 'member',
    limit: 'static',
    pathSchema: z.object({
      symbol: symbolField.meta({ example: 'ACRX.US' }),
      date: dateField.meta({ example: '2025-06-05' }),
    }),
    dataSchema: explainedBarSchema,
    errors: ['invalid_symbol', 'market_not_open', 'symbol_not_found', 'invalid_date', 'not_found', 'plan_capability'],
    errorDetails: { plan_capability: { plan: 'free', category: 'explain' } },
    handle: ({ path, ...call }) => explainBar(call, path.symbol, path.date),
  }),
  defineRoute({
    operationId: 'listRevisions',
    method: 'get',
    path: '/v1/revisions',
    tag: TAG,
    summary: 'List bars and events that loads changed after they had been served, newest first',
    access: 'member',
    limit: 'account',
    querySchema: revisionQuery,
    dataSchema: listSchema(revisionSchema),
    errors: ['invalid_symbol', 'market_not_open', 'symbol_not_found', 'invalid_date'],
    handle: ({ query, services }) => listRevisions(services, query),
  }),
];
