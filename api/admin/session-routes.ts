/** Sessions and what became of each, step by step: `/api/admin/sessions`. */
import { SESSION_STEPS } from '../../db/queue/session-steps.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { queueOfStep } from '../../jobs/contracts/session-steps.ts';
import { CELL_STATES, readSessionGrid, type SessionRow } from '../../jobs/quality/session-grid.ts';
import { stepConsequences, takeStepAgain } from '../../jobs/worker/enqueue.ts';
import { audited, auditIntent } from '../call/audited.ts';
import type { Route } from '../call/route.ts';
import { assertDayRange, dateField, instant, listSchema, onePage, z } from '../http/input/fields.ts';
import { day } from '../market/schemas.ts';
import { queueName } from './queue-schemas.ts';
import { type AdminCall, defineRoute, type Services } from './services.ts';

const COMMON = { tag: 'Back office: market data', access: 'admin', limit: 'back_office' } as const;
const PATH = '/api/admin/sessions';
const DEFAULT_SESSIONS = 10;
const MAX_SESSIONS = 250;

const step = z.enum(SESSION_STEPS);
const sessionSchema = z
  .object({
    date: day,
    steps: z.array(
      z.object({
        step,
        state: z.enum(CELL_STATES),
        started_at: instant.nullable(),
        ended_at: instant.nullable(),
        rows: z.int().nullable().meta({ description: 'Bars; watches, deliveries, or runs that were hit' }),
        reason: z.string().nullable().meta({ description: 'Why it is not done' }),
        due_at: instant,
        late: z.boolean(),
        queue: queueName.nullable(),
        job_id: z.uuid().nullable(),
      }),
    ),
  })
  .meta({ id: 'SessionSteps' });

function sessionView({ day: date, cells }: SessionRow): z.input<typeof sessionSchema> {
  const steps = cells.map(({ startedAt, endedAt, jobId, dueAt, isLate, ...cell }) => ({
    ...cell,
    started_at: startedAt?.toISOString() ?? null,
    ended_at: endedAt?.toISOString() ?? null,
    due_at: new Date(dueAt).toISOString(),
    late: isLate,
    queue: queueOfStep(cell.step),
    job_id: jobId,
  }));
  return { date: formatDay(date), steps };
}

const runBody = z.strictObject({
  step,
  start: dateField.meta({ description: 'The session, or the first one' }),
  end: dateField.optional().meta({ description: 'The last session of a load or check; default: `start`' }),
  dry_run: z.boolean().default(false).meta({ description: 'Only tell the consequences' }),
});

const runSchema = z
  .object({
    step,
    sessions: z.int(),
    rows: z.int().nullable(),
    seconds: z.number().nullable().meta({ description: 'As long as the last ones took' }),
    requests: z.int().nullable().meta({ description: 'To a vendor' }),
    cost_usd: z.number().nullable(),
    kept_runs: z.int().meta({ description: 'Kept runs that have read these sessions' }),
    due: z.boolean().meta({ description: 'False: there is nothing to do' }),
    followers: z.array(step).meta({ description: 'Steps that follow by themselves' }),
    problem: z.string().nullable(),
    sync_job_id: z.int().nullable(),
    job_id: z.uuid().nullable().meta({ description: 'Null, as `sync_job_id`: nothing was queued' }),
  })
  .meta({ id: 'SessionStepRun' });

async function runStep(
  call: AdminCall,
  { step, start, end = start, dry_run: isDryRun }: z.output<typeof runBody>,
): Promise<z.input<typeof runSchema>> {
  const { services, context, caller } = call;
  const { pool, provider, now } = services;
  assertDayRange({ start, end });
  const wanted = { step, start, end };
  const { costUsd, keptRuns, isDue, followers, ...told } = await stepConsequences({ pool, provider, now }, wanted);
  const consequences = { step, ...told, cost_usd: costUsd, kept_runs: keptRuns, due: isDue, followers: [...followers] };
  if (isDryRun) return { ...consequences, sync_job_id: null, job_id: null };
  const operator = { actor: caller.account.userId, requestId: context.requestId, at: new Date(now()) };
  const days = { step, start: formatDay(start), end: formatDay(end) };
  const intent = auditIntent(call, { targetId: days.start, details: days });
  const { syncJobId, jobId } = await audited(call, intent, async (connection) => ({
    result: await takeStepAgain(connection, services, wanted, operator),
    entries: intent.entries,
  }));
  return { ...consequences, sync_job_id: syncJobId, job_id: jobId };
}

export const SESSION_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listSessionSteps',
    ...COMMON,
    method: 'get',
    path: PATH,
    summary: 'List the newest sessions with their steps: loads, check, snapshot, lake, signals, webhooks, impact',
    querySchema: z.object({
      size: z.coerce
        .number()
        .int()
        .min(1)
        .max(MAX_SESSIONS)
        .default(DEFAULT_SESSIONS)
        .meta({ description: 'How many sessions' }),
    }),
    dataSchema: listSchema(sessionSchema),
    errors: [],
    handle: async ({ query, services: { pool, now, deadlines } }) =>
      onePage((await readSessionGrid({ pool, now: now(), deadlines }, query.size)).map(sessionView)),
  }),
  defineRoute({
    operationId: 'runSessionStep',
    ...COMMON,
    method: 'post',
    takesIdempotencyKey: true,
    path: `${PATH}/run`,
    summary: 'Take a step of a session again, or of a range; `dry_run` tells the consequences and the cost',
    audit: { action: 'session.run', target: 'session' },
    bodySchema: runBody,
    bodyExample: { step: 'load_consolidated', start: '2026-05-29', dry_run: true },
    dataSchema: runSchema,
    errors: ['invalid_date', 'invalid_date_range', 'not_found', 'already_running'],
    handle: ({ body, ...call }) => runStep(call, body),
  }),
];
