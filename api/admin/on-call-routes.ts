/** The state of the installation for the person on call: `/api/admin/on-call`. */
import { remedyOf } from '../../jobs/health/check.ts';
import type { Route } from '../call/route.ts';
import type { z } from '../http/input/fields.ts';
import { type FoundProblem, type OnCallReport, onCallReport } from './on-call.ts';
import { onCallSchema, type problemSchema } from './on-call-schemas.ts';
import { defineRoute, type Services } from './services.ts';

function problemView({ check, problem, cause }: FoundProblem): z.input<typeof problemSchema> {
  const { queue, syncJobId, session, until, count, detail, isUnderWay, runbook } = problem;
  const { repair, command } = remedyOf(check, problem);
  return {
    kind: check.kind,
    caused_by: cause?.kind ?? null,
    queue: queue ?? null,
    sync_job_id: syncJobId ?? null,
    session: session ?? null,
    until: until ?? null,
    count: count ?? null,
    detail: detail ?? null,
    under_way: isUnderWay ?? false,
    repair,
    command,
    runbook: `ops/docs/RUNBOOK.md#${runbook ?? check.runbook}`,
  };
}

function reportView(report: OnCallReport, at: number) {
  return {
    generated_at: new Date(at).toISOString(),
    problems: report.problems.map(problemView),
    well_since: report.wellSince?.toISOString() ?? null,
    processes: { ...report.processes },
    loaded_to: report.loadedTo,
    published_to: report.publishedTo,
    sessions_behind: report.sessionsBehind,
    activity: report.activity.map(({ queue, ended }) => ({ queue, ended: [...ended] })),
  };
}

export const ON_CALL_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'getOnCallReport',
    tag: 'Back office: queue',
    access: 'admin',
    limit: 'back_office',
    method: 'get',
    path: '/api/admin/on-call',
    summary: 'What is wrong now, which processes run, and how far the data is loaded',
    dataSchema: onCallSchema,
    errors: [],
    handle: async ({ services }) => reportView(await onCallReport(services), services.now()),
  }),
];
