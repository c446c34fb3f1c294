/** Evidence on kept runs: receipts, verification, and the search for look-ahead. */
import type { KeptKind } from '../../db/runs/kept-runs.ts';
import { found } from '../../engine/util/errors.ts';
import type { Route } from '../call/route.ts';
import { JsonText } from '../http/answer/reply.ts';
import type { z } from '../http/input/fields.ts';
import { lookAheadSchema, receiptSchema, verificationSchema } from './evidence-schemas.ts';
import { keptPath, ownKept } from './keep.ts';
import { OF_ACCOUNT, startsWith, stateRoute } from './routes.ts';
import { stateOf } from './schemas.ts';
import { defineRoute, type Services } from './services.ts';
import type { DoneRun } from './state.ts';
import { storedSummary } from './view.ts';

const TAG = 'Evidence';

/** The operation of a route, and what only this kind has to say of it. */
interface Offered {
  readonly operationId: string;
  readonly description?: string;
}

/** The evidence that a kind offers. */
export interface EvidenceOffer {
  readonly receipt?: Offered;
  readonly verify?: Offered;
  readonly lookAhead?: Offered;
}

const { awaited } = startsWith<Services>();

const resultOf = ({ result }: DoneRun) => new JsonText(result.summary);

/** Runs a job on a kept run. */
function jobRoute(
  kept: KeptKind,
  kind: 'verify' | 'look_ahead',
  route: Offered & { readonly path: string; readonly summary: string; readonly dataSchema: z.ZodType },
): Route<Services> {
  const { pathSchema, keptOf } = keptPath(kept);
  return awaited({
    ...route,
    tag: TAG,
    access: 'member',
    limit: 'backtest',
    pathSchema,
    errors: ['not_found'],
    read: async ({ path, ...call }) => {
      const { id: backtestId } = await ownKept(call, keptOf(path));
      return { kind, spec: { backtestId }, show: resultOf };
    },
  });
}

function receiptRoute(kind: KeptKind, receipt: Offered): Route<Services> {
  const { path, name, pathSchema, keptOf } = keptPath(kind);
  return defineRoute({
    ...receipt,
    method: 'get',
    path: `${path}/receipt.json`,
    tag: TAG,
    summary: `Get the receipt of a kept ${name}`,
    access: 'member',
    limit: 'account',
    pathSchema,
    dataSchema: receiptSchema,
    errors: ['not_found'],
    handle: async ({ path, ...call }) => found(storedSummary(await ownKept(call, keptOf(path))).receipt),
  });
}

/** The routes of one kind of kept run. */
export function evidenceRoutes(
  kind: KeptKind,
  { receipt, verify, lookAhead }: EvidenceOffer,
): readonly Route<Services>[] {
  const { path: onePath, name } = keptPath(kind);
  const verification = {
    path: `${onePath}/verify`,
    summary: `Compute a kept ${name} again and explain every difference`,
    dataSchema: verificationSchema,
  };
  const check = {
    path: `${onePath}/look-ahead`,
    summary: `Check a kept ${name} for look-ahead`,
    dataSchema: lookAheadSchema,
  };
  return [
    ...(receipt ? [receiptRoute(kind, receipt)] : []),
    ...(verify ? [jobRoute(kind, 'verify', { ...verify, ...verification })] : []),
    ...(lookAhead ? [jobRoute(kind, 'look_ahead', { ...lookAhead, ...check })] : []),
  ];
}

export const EVIDENCE_STATES: readonly Route<Services>[] = [
  stateRoute('verify', TAG, {
    operationId: 'getVerificationJob',
    summary: 'Get the state of a queued verification',
    description: OF_ACCOUNT,
    dataSchema: stateOf(verificationSchema),
    show: (_call, run) => resultOf(run),
  }),
  stateRoute('look_ahead', TAG, {
    operationId: 'getLookAheadJob',
    summary: 'Get the state of a queued check for look-ahead',
    description: OF_ACCOUNT,
    dataSchema: stateOf(lookAheadSchema),
    show: (_call, run) => resultOf(run),
  }),
];
