/** The calendar of loaded sessions, and the release of sessions that are held back: `/api/admin/data/calendar`. */
import { selectRevisingLoads } from '../../db/market/revisions.ts';
import { releaseSession } from '../../db/market/session-checks.ts';
import { selectImpacts } from '../../db/runs/impacts.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { found } from '../../engine/util/errors.ts';
import { type CalendarDay, readCalendar, SESSION_STATUSES } from '../../jobs/quality/calendar.ts';
import { CHECKED_VENUE_BASIS } from '../../jobs/quality/check-sessions.ts';
import { audited, auditIntent } from '../call/audited.ts';
import type { Route } from '../call/route.ts';
import { assertDayRange, dateField, instant, listSchema, onePage, pageQuery, z } from '../http/input/fields.ts';
import { impactSchema, impactView, loadImpactSchema, readLoadImpacts } from '../market/impact-view.ts';
import { day } from '../market/schemas.ts';
import { defineRoute, type Services } from './services.ts';

const entrySchema = z.object({
  venue_mode: z.enum(VENUE_BASES),
  status: z.enum(SESSION_STATUSES),
  expected: z.int().nullable().meta({ description: 'The rows of the previous loaded session' }),
  loaded: z.int(),
  rejected: z.int(),
  missing: z.int(),
  problems: z.array(z.string()).meta({ description: 'Why the session is or was held back from the screener' }),
  released_by: z.string().nullable(),
  loaded_at: instant.nullable(),
});
const calendarSchema = listSchema(z.object({ date: day, early_close: z.boolean(), venue_modes: z.array(entrySchema) }));

const COMMON = { tag: 'Back office: market data', access: 'admin', limit: 'back_office' } as const;
const sessionPath = z.object({ date: dateField.meta({ example: '2026-06-02' }) });
const DEFAULT_DAYS = 30;
const MAX_DAYS = 3_700;

function dayView({ day: session, isEarlyClose, entries }: CalendarDay) {
  return {
    date: formatDay(session),
    early_close: isEarlyClose,
    venue_modes: entries.map(({ venueBasis, releasedBy, loadedAt, problems, ...entry }) => ({
      venue_mode: venueBasis,
      ...entry,
      problems: [...problems],
      released_by: releasedBy,
      loaded_at: loadedAt?.toISOString() ?? null,
    })),
  };
}

export const CALENDAR_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'getDataCalendar',
    ...COMMON,
    method: 'get',
    path: '/api/admin/data/calendar',
    summary: 'List sessions with expected, loaded, rejected, and missing rows per venue basis',
    description: `Without dates, the last ${DEFAULT_DAYS} days. At most ten years.`,
    querySchema: z.object({
      start: dateField.optional().meta({ description: 'First day' }),
      end: dateField.optional().meta({ description: 'Last day; default: today in New York' }),
      venue_mode: z.enum(VENUE_BASES).optional().meta({ description: 'Only this venue basis' }),
    }),
    dataSchema: calendarSchema,
    errors: ['invalid_date', 'invalid_date_range'],
    handle: async ({ query, services: { pool, market } }) => {
      const end = query.end ?? market.today;
      const start = query.start ?? end - DEFAULT_DAYS;
      assertDayRange({ start, end });
      const days = await readCalendar(pool, Math.max(start, end - MAX_DAYS), end, query.venue_mode);
      return onePage(days.map(dayView));
    },
  }),
  defineRoute({
    operationId: 'getSessionImpact',
    ...COMMON,
    method: 'get',
    path: '/api/admin/data/calendar/{date}/impact',
    summary: 'Get the impact of the loads that revised a session, before owners are told when it is released',
    pathSchema: sessionPath,
    querySchema: z.object(pageQuery),
    dataSchema: listSchema(impactSchema)
      .extend({ loads: z.array(loadImpactSchema) })
      .meta({ id: 'SessionImpactList' }),
    errors: ['invalid_date'],
    handle: async ({ path, query: { page, size }, services: { pool } }) => {
      const loads = await selectRevisingLoads(pool, CHECKED_VENUE_BASIS, path.date);
      const { total, items } = await selectImpacts(pool, { loads }, { page, size });
      return {
        total,
        page,
        size,
        items: items.map((one) => impactView(one, true)),
        loads: await readLoadImpacts(pool, loads),
      };
    },
  }),
  defineRoute({
    operationId: 'releaseSession',
    ...COMMON,
    method: 'post',
    takesIdempotencyKey: true,
    path: '/api/admin/data/calendar/{date}/release',
    summary: 'Release a session that is held back from the screener',
    audit: { action: 'session.release', target: 'session', parameter: 'date' },
    pathSchema: sessionPath,
    dataSchema: z.object({ released: z.literal(true) }),
    errors: ['invalid_date', 'not_found'],
    handle: async ({ path, ...call }) => {
      const { userId } = call.caller.account;
      const intent = auditIntent(call);
      await audited(call, intent, async (connection) => {
        found(await releaseSession(connection, CHECKED_VENUE_BASIS, path.date, userId));
        return { result: undefined, entries: intent.entries };
      });
      return { released: true } as const;
    },
  }),
];
