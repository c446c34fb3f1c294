/** Sweeps of all accounts: `/api/admin/sweeps`. */
import { type OperatedSweep, type Sweep, selectOpenSweeps, selectSweep } from '../../db/sweeps/sweeps.ts';
import { found } from '../../engine/util/errors.ts';
import { removeSweep, retrySweep } from '../../jobs/sweep/enqueue.ts';
import { audited, auditIntent } from '../call/audited.ts';
import type { Route } from '../call/route.ts';
import { studyView } from '../factors/view.ts';
import { deletedSchema, listSchema, onePage, type z } from '../http/input/fields.ts';
import { runPath } from '../runs/schemas.ts';
import { operatedSweepSchema, sweepSchema } from '../sweeps/schemas.ts';
import { pauseNotices, sweepView } from '../sweeps/view.ts';
import { type AdminCall, defineRoute, type Services } from './services.ts';

const SHOWN = 50;
const COMMON = { tag: 'Back office: queue', access: 'admin', limit: 'back_office' } as const;
const sweepPath = runPath('sweep_id');

async function operatedViews(
  call: AdminCall,
  sweeps: readonly OperatedSweep[],
): Promise<z.input<typeof operatedSweepSchema>[]> {
  const pauses = pauseNotices(call);
  return Promise.all(
    sweeps.map(async (sweep) => {
      const { kind, email, failedAttempts: failed_attempts } = sweep;
      return { ...(await anyView(call, sweep, pauses)), kind, email, failed_attempts };
    }),
  );
}

/** A factor study is shown as a sweep of its factors. */
async function anyView(call: AdminCall, sweep: Sweep, pauses = pauseNotices(call)) {
  if (sweep.kind === 'sweep') return sweepView(call, sweep, pauses);
  const { factors: strategies, ...view } = await studyView(call, sweep, pauses);
  return { ...view, strategies, screened_on: null };
}

/** Cancels and removes a sweep of any account. */
async function cancel(call: AdminCall, id: string): Promise<{ deleted: true }> {
  const { services, context } = call;
  const { userId } = found(await selectSweep(call.services.pool, id));
  const wanted = { userId, id, requestId: context.requestId, at: new Date(services.now()) };
  const intent = auditIntent(call);
  await audited(call, intent, async (connection) => {
    found(await removeSweep(connection, services.boss, wanted));
    return { result: undefined, entries: intent.entries };
  });
  return { deleted: true };
}

/** Resumes a failed sweep of any account. */
async function retry(call: AdminCall, id: string) {
  const { boss, now } = call.services;
  const sweep = found(await selectSweep(call.services.pool, id));
  const intent = auditIntent(call);
  await audited(call, intent, async (connection) => {
    await retrySweep(connection, boss, sweep, new Date(now()));
    return { result: undefined, entries: intent.entries };
  });
  return anyView(call, found(await selectSweep(call.services.pool, id)));
}

export const ADMIN_SWEEP_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listOpenSweeps',
    ...COMMON,
    method: 'get',
    path: '/api/admin/sweeps',
    summary: `List sweeps of all accounts that run, wait, or have failed, at most ${SHOWN}`,
    dataSchema: listSchema(operatedSweepSchema),
    errors: [],
    handle: async (call) => {
      const sweeps = await selectOpenSweeps(call.services.pool, SHOWN);
      return onePage(await operatedViews(call, sweeps));
    },
  }),
  defineRoute({
    operationId: 'cancelAnySweep',
    ...COMMON,
    method: 'delete',
    path: '/api/admin/sweeps/{sweep_id}',
    summary: 'Cancel and remove a sweep of any account',
    audit: { action: 'sweep.cancel', target: 'sweep', parameter: 'sweep_id' },
    pathSchema: sweepPath,
    dataSchema: deletedSchema,
    errors: ['not_found'],
    handle: ({ path, ...call }) => cancel(call, path.sweep_id),
  }),
  defineRoute({
    operationId: 'retryAnySweep',
    ...COMMON,
    method: 'post',
    takesIdempotencyKey: true,
    path: '/api/admin/sweeps/{sweep_id}/retry',
    summary: 'Resume a failed sweep of any account',
    audit: { action: 'sweep.retry', target: 'sweep', parameter: 'sweep_id' },
    pathSchema: sweepPath,
    dataSchema: sweepSchema,
    errors: ['not_found', 'wrong_state'],
    errorDetails: { wrong_state: { needed: 'failed', status: 'running' } },
    handle: ({ path, ...call }) => retry(call, path.sweep_id),
  }),
];
