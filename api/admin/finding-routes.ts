/** Doubts about loaded bars and events: `/api/admin/data/findings`. */
import { decideFinding, type FindingRecord, selectFindings } from '../../db/market/findings.ts';
import { TABLES } from '../../db/schema/tables.ts';
import { ADJUSTMENT_KINDS } from '../../engine/market/adjust.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { eventFault } from '../../engine/market/faults.ts';
import { FINDING_KINDS } from '../../engine/market/findings.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { audited, auditIntent, entriesWith } from '../call/audited.ts';
import type { Route } from '../call/route.ts';
import { dateField, idField, instant, listSchema, pageQuery, symbolField, z } from '../http/input/fields.ts';
import type { Problem } from '../http/input/problems.ts';
import { findInstrument } from '../market/directory.ts';
import { day } from '../market/schemas.ts';
import { type AdminCall, defineRoute, type Services } from './services.ts';

const COMMON = { tag: 'Back office: market data', access: 'admin', limit: 'back_office' } as const;
const PATH = '/api/admin/data/findings';
const STATUSES = TABLES.data_findings.status.values;

const eventSchema = z.object({ kind: z.enum(ADJUSTMENT_KINDS), ex_date: day, factor: z.number() });

const findingSchema = z
  .object({
    id: z.int(),
    symbol: z.string(),
    kind: z.enum(FINDING_KINDS),
    date: day.meta({ description: 'Ex-date, day of the jump, or first session without a bar' }),
    details: z.record(z.string(), z.union([z.string(), z.number()])).meta({
      description:
        '`event`, `factor` (of a jump: of the split that it looks like), `move_pct` from the close before, ' +
        '`adjusted_move_pct`; of a hole `sessions` and the next day with a bar, `until`',
    }),
    status: z.enum(STATUSES),
    event: eventSchema.nullable().meta({ description: 'Written instead' }),
    found_at: instant,
    decided_at: instant.nullable(),
    decided_by: z.string().nullable(),
    bars: z
      .array(
        z.object({
          date: day,
          open: z.number(),
          high: z.number(),
          low: z.number(),
          close: z.number(),
          volume: z.number(),
        }),
      )
      .meta({ description: 'Five before the date, five from it on, as traded' }),
  })
  .meta({ id: 'DataFinding' });

function findingView({ symbol, day: date, foundAt, decidedAt, decidedBy, bars, details, ...finding }: FindingRecord) {
  return {
    ...finding,
    symbol: qualifiedSymbol(symbol),
    date,
    details: { ...details },
    found_at: foundAt.toISOString(),
    decided_at: decidedAt?.toISOString() ?? null,
    decided_by: decidedBy,
    bars: [...bars],
  };
}

const ACTIONS = { confirm: 'confirmed', ignore: 'ignored', mend: 'mended' } as const;

const decisionBody = z
  .strictObject({
    action: z.enum(['confirm', 'ignore', 'mend']),
    event: z
      .strictObject({ kind: z.enum(ADJUSTMENT_KINDS), ex_date: dateField, factor: z.number() })
      .optional()
      .meta({ description: 'Of `mend`: the right event; absent: there was none' }),
  })
  .superRefine(({ action, event }, context) => {
    const refuse = (path: string[], problem: Problem) =>
      context.addIssue({ code: 'custom', path, params: { problem } });
    if (event === undefined) return;
    if (action !== 'mend') refuse(['event'], { code: 'only_for', details: { kind: 'mend' } });
    const fault = eventFault(event.kind, event.factor);
    if (fault !== null) refuse(['event', 'factor'], { code: 'bad_event', details: { fault } });
  });

async function decide(call: AdminCall, id: number, { action, event }: z.output<typeof decisionBody>) {
  const written = event ? { ...event, ex_date: formatDay(event.ex_date) } : null;
  const intent = auditIntent(call, { details: { action, event: written } });
  const one = { page: 1, size: 1 };
  return audited(call, intent, async (connection) => {
    const finding = found((await selectFindings(connection, { id }, one)).items[0] ?? null);
    const isMendable = finding.kind === 'contradicted' || (finding.kind === 'split_suspected' && event !== undefined);
    // A mended one can only be mended otherwise: the event that it replaced is no longer there.
    if (action === 'mend' ? !isMendable : finding.status === 'mended') {
      const status = action === 'mend' ? finding.kind : finding.status;
      throw new ServiceError('wrong_state', { needed: 'contradicted, split_suspected + event', status });
    }
    const { caller, services } = call;
    const decision = { status: ACTIONS[action], event: written };
    await decideFinding(connection, id, decision, caller.account.userId, new Date(services.now()));
    const [decided] = (await selectFindings(connection, { id }, one)).items;
    const { symbol, kind, day: date } = finding;
    return { result: findingView(decided), entries: entriesWith(intent, { details: { symbol, kind, date } }) };
  });
}

export const FINDING_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listDataFindings',
    ...COMMON,
    method: 'get',
    path: PATH,
    summary: 'List doubts about loaded bars and events, newest days first',
    description:
      '`contradicted`: prices move more after an event than before. `split_suspected`: a jump like a split. `hole`: 60 sessions ' +
      'without a bar. Told in `data_suspect` unless ignored.',
    querySchema: z.object({
      kind: z.enum(FINDING_KINDS).optional().meta({ description: 'Only this kind' }),
      status: z.enum(STATUSES).optional().meta({ description: 'Only this status' }),
      symbol: symbolField.optional(),
      ...pageQuery,
    }),
    dataSchema: listSchema(findingSchema),
    errors: ['invalid_symbol', 'market_not_open', 'symbol_not_found'],
    handle: async ({ query: { kind, status, symbol, page, size }, services: { pool, market } }) => {
      const instrumentId = symbol === undefined ? undefined : findInstrument(market.directory, symbol).id;
      const { total, items } = await selectFindings(pool, { kind, status, instrumentId }, { page, size });
      return { total, page, size, items: items.map(findingView) };
    },
  }),
  defineRoute({
    operationId: 'updateDataFinding',
    ...COMMON,
    method: 'patch',
    path: `${PATH}/{id}`,
    summary: 'Confirm or ignore a doubt, or write the right event',
    description: 'A mended event replaces that of the provider from now on.',
    audit: { action: 'finding.decide', target: 'finding', parameter: 'id' },
    pathSchema: z.object({ id: idField }),
    bodySchema: decisionBody,
    bodyExample: { action: 'ignore' },
    dataSchema: findingSchema,
    errors: ['not_found', 'wrong_state', 'invalid_date'],
    errorDetails: { wrong_state: { needed: 'contradicted, split_suspected + event', status: 'hole' } },
    handle: ({ path, body, ...call }) => decide(call, path.id, body),
  }),
];
