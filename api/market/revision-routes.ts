/** The origins of bars, and the revisions of market data. */
import { selectAdjustmentsOf } from '../../db/market/adjustments.ts';
import { type BarOrigin, selectBarOrigins, selectNewestBarDay } from '../../db/market/bar-origins.ts';
import { type Revision, selectBarRevisions, selectRevisions } from '../../db/market/revisions.ts';
import type { Pool } from '../../db/pool.ts';
import { ADJUSTMENT_KINDS, type Adjustment, effectiveEvents, SHARE_COUNT_KINDS } from '../../engine/market/adjust.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { splicedVenueBasisOn, VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import type { AccountCaller } from '../access/caller.ts';
import { type Route, routesWith } from '../call/route.ts';
import {
  dateField,
  instant,
  listSchema,
  momentFilter,
  pageQuery,
  queryInteger,
  symbolField,
  z,
} from '../http/input/fields.ts';
import { findInstrument, instrumentFields } from './directory.ts';
import { loadImpactSchema, readLoadImpacts } from './impact-view.ts';
import type { MarketView } from './market-view.ts';

const day = z.iso.date();

export const revisedBarSchema = z
  .object({ open: z.number(), high: z.number(), low: z.number(), close: z.number(), volume: z.number() })
  .meta({ id: 'RevisedBar', description: 'As traded' });
export const revisedEventSchema = z
  .object({ kind: z.enum(ADJUSTMENT_KINDS), ex_date: day, factor: z.number() })
  .meta({ id: 'RevisedEvent' });

const orNull = <S extends z.ZodType>(schema: S) => z.union([schema, z.null()]);

const change = { id: z.int(), symbol: z.string().nullable(), date: day, sync_job_id: z.int().nullable(), at: instant };
const revisionSchema = z
  .union([
    z.object({
      ...change,
      kind: z.literal('bar'),
      venue_mode: z.enum(VENUE_BASES),
      was: orNull(revisedBarSchema),
      is: orNull(revisedBarSchema),
    }),
    z.object({ ...change, kind: z.literal('event'), was: orNull(revisedEventSchema), is: orNull(revisedEventSchema) }),
  ])
  .meta({ id: 'Revision', description: 'A bar or an event that a load changed after it had been served' });

const sourceSchema = z
  .object({ name: z.string(), bytes: z.int(), sha256: z.string() })
  .meta({ id: 'SourceFile', description: 'As it was read' });
const explainedBarSchema = z
  .object({
    symbol: z.string(),
    name: z.string(),
    market: z.string(),
    currency: z.string(),
    date: day,
    rows: z.array(
      z.object({
        venue_mode: z.enum(VENUE_BASES),
        in_backtests: z.boolean().meta({ description: 'Whether backtests read this row' }),
        bar: revisedBarSchema,
        loaded_by: z
          .object({ sync_job_id: z.int(), at: instant, sources: z.array(sourceSchema) })
          .nullable()
          .meta({ description: 'The newest load that wrote or confirmed it; null: not recorded at that time' }),
        revisions: z.array(
          z.object({
            was: orNull(revisedBarSchema),
            is: orNull(revisedBarSchema),
            sync_job_id: z.int().nullable(),
            at: instant,
          }),
        ),
      }),
    ),
    events: z.array(revisedEventSchema).meta({ description: 'After the date; their factors adjust its prices' }),
    price_factor: z.object({ split: z.number(), total: z.number() }),
  })
  .meta({ id: 'ExplainedBar' });

interface Services {
  readonly pool: Pool;
  readonly market: MarketView;
}

/** Throws unless the caller's plan includes this; administrators need no plan. */
function assertMayExplain({ plan, account }: AccountCaller): void {
  if (plan !== 'pro' && plan !== 'enterprise' && !account.isAdmin) {
    throw new ServiceError('plan_capability', { plan, category: 'explain' });
  }
}

/** The bar that adjusted prices are relative to: the newest consolidated one, or the newest of the older history. */
async function anchorOf({ pool, market }: Services, instrumentId: number): Promise<Day | null> {
  const limit = market.distributableDay;
  const consolidated = await selectNewestBarDay(pool, instrumentId, 'consolidated', limit);
  return consolidated ?? selectNewestBarDay(pool, instrumentId, 'primary_session', limit);
}

const product = (events: readonly Adjustment[]) => events.reduce((factor, event) => factor * event.factor, 1);

async function explainBar(
  { services, caller }: { readonly services: Services; readonly caller: AccountCaller },
  symbol: string,
  day: Day,
): Promise<z.input<typeof explainedBarSchema>> {
  assertMayExplain(caller);
  const { pool, market } = services;
  const item = findInstrument(market.directory, symbol);
  const origins = day > market.distributableDay ? [] : await selectBarOrigins(pool, item.id, day);
  const anchor = await anchorOf(services, item.id);
  if (origins.length === 0 || anchor === null) throw new ServiceError('not_found');
  const known = (await selectAdjustmentsOf(pool, [item.id])).get(item.id) ?? [];
  const events = effectiveEvents(known, anchor, 'total').filter(({ exDay }) => exDay > day);
  const revisions = await selectBarRevisions(pool, item.id, day);
  const read = splicedVenueBasisOn(day);
  return {
    ...instrumentFields(item),
    date: formatDay(day),
    rows: origins.map((origin) => ({
      ...rowView(origin),
      in_backtests: origin.venueBasis === read,
      revisions: revisions
        .filter(({ venueBasis }) => venueBasis === origin.venueBasis)
        .map(({ was, became, syncJobId, at }) => ({
          was,
          is: became,
          sync_job_id: syncJobId,
          at: at.toISOString(),
        })),
    })),
    events: events.map(({ kind, exDay, factor }) => ({ kind, ex_date: formatDay(exDay), factor })),
    price_factor: {
      split: product(events.filter(({ kind }) => SHARE_COUNT_KINDS.includes(kind))),
      total: product(events),
    },
  };
}

function rowView({ venueBasis, bar, load }: BarOrigin) {
  const loadedBy = load && {
    sync_job_id: load.syncJobId,
    at: load.at.toISOString(),
    sources: load.sources.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
  };
  return { venue_mode: venueBasis, bar, loaded_by: loadedBy };
}

interface Services {
  readonly pool: Pool;
  readonly market: MarketView;
}

const defineRoute = routesWith<Services>();

const TAG = 'Evidence';

const revisionQuery = z.object({
  symbol: symbolField.optional().meta({ description: 'Only those of this symbol' }),
  load: queryInteger(1, Number.MAX_SAFE_INTEGER).optional().meta({ description: 'Only those of this load' }),
  since: momentFilter('from').optional().meta({ description: 'Recorded at or after; a date or an ISO time' }),
  ...pageQuery,
});

async function listRevisions(
  { pool, market }: Services,
  { symbol, load, since, page, size }: z.output<typeof revisionQuery>,
) {
  const instrumentId = symbol === undefined ? undefined : findInstrument(market.directory, symbol).id;
  const { total, items } = await selectRevisions(pool, { load, instrumentId, since }, { page, size });
  const symbols = new Map(market.directory.items.map((item) => [item.id, item.qualified]));
  const view = (revision: Revision) => revisionView(revision, symbols.get(revision.instrumentId) ?? null);
  const loads = [...new Set(items.flatMap(({ syncJobId }) => syncJobId ?? []))];
  return { total, page, size, items: items.map(view), loads: await readLoadImpacts(pool, loads) };
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
    dataSchema: listSchema(revisionSchema).extend({
      loads: z.array(loadImpactSchema).meta({ description: 'Of the items, with their impact on kept runs' }),
    }),
    errors: ['invalid_symbol', 'market_not_open', 'symbol_not_found', 'invalid_date'],
    handle: ({ query, services }) => listRevisions(services, query),
  }),
];
