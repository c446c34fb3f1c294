/** The job that seals a run: from here on it goes on, and nobody can change what it said. */
import { lockUser } from '../../db/accounts/users.ts';
import { transaction } from '../../db/pool.ts';
import { countLiveRecords, insertForwardRecord } from '../../db/research/forward.ts';
import type { RunFailure, StartedRun } from '../../db/runs/runs.ts';
import { insertDeliveries } from '../../db/webhooks/webhooks.ts';
import { bandsOf } from '../../engine/forward/bands.ts';
import type { Seal, SealedFigures } from '../../engine/forward/record.ts';
import { formatDay, newYorkDay } from '../../engine/market/dates.ts';
import { momentsOf, returnsOf } from '../../engine/statistics/moments.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { RunSpec } from '../contracts/backtest.ts';
import { type SealSpec, sealSpecSchema } from '../contracts/forward.ts';
import { withMeasured } from '../evidence/kinds.ts';
import { finishUncached, type RunContext, runFrame } from '../runs/frame.ts';
import { ledgers } from '../runs/history.ts';
import type { MeasuredKind, ReadContext, RunOutcome } from '../runs/kind.ts';
import { seedOf, specDigest } from '../runs/receipt.ts';
import { resultOf } from '../runs/result.ts';
import type { ReportedStatistics } from '../runs/statistics.ts';
import { bytesOf, linkDigest, predictionOf } from './chain.ts';

type SealContext = RunContext & ReadContext;

export function runSealJob(context: SealContext, { runId }: { readonly runId: string }): Promise<void> {
  return runFrame(context, runId, async (run) => {
    const asked = sealSpecSchema.parse(JSON.parse(run.spec));
    return withMeasured(asked.run, (kind) => seal(context, kind, asked, run));
  });
}

async function seal<Spec extends RunSpec, Data extends object, Outcome extends RunOutcome>(
  context: SealContext,
  kind: MeasuredKind<Spec, Data, Outcome>,
  { name, run: { kind: keptAs, spec: given }, hurdle, max, plan }: SealSpec,
  { userId, dataVersion }: StartedRun,
): Promise<RunFailure | null> {
  const { pool, now } = context;
  if (userId === null) return { code: 'not_found', details: {} };
  const asked = kind.spec.parse(given);
  const ledger = await ledgers.get(pool, dataVersion);
  const data = await kind.read(context, asked, dataVersion);
  if ('failure' in data) return data.failure;
  const outcome = await kind.compute(asked, data, ledger);
  if ('failure' in outcome) return outcome.failure;
  const report = kind.report(asked, data, outcome, ledger);
  // A range that counts back from its end would begin later with each session.
  const spec = { ...asked, start: report.days[0], end: null };
  const at = new Date(now());
  const { summary } = resultOf(kind, spec, outcome, report, { dataVersion, at });
  const returns = returnsOf(report.equity, spec.execution.initialCapital);
  const market = report.market.returns;
  const canonical = kind.canonical(spec);
  const spec_sha256 = specDigest(canonical);
  const seed = seedOf(spec_sha256);
  const sealed = { returns, market, seed };
  const lowered = hurdle * (momentsOf(returns)?.stdev ?? 0);
  const bands = bandsOf(sealed);
  const form: Seal = {
    kind: 'seal',
    spec: canonical,
    spec_sha256,
    engine_version: ENGINE_VERSION,
    data_version: dataVersion,
    columns: (spec.columns ?? []).map(({ name, version }) => ({ name, version })),
    sealed_at: at.toISOString(),
    seed,
    prediction: predictionOf(bands),
  };
  const record = {
    userId,
    name,
    kind: keptAs,
    spec: { ...spec, tearSheet: undefined },
    seal: form,
    sealSha256: linkDigest('', form),
    sealedAt: at,
    sealedDay: formatDay(newYorkDay(at.getTime())),
    days: Buffer.from(Int32Array.from(report.days).buffer),
    returns: bytesOf(returns),
    market: bytesOf(market),
    bands,
    loweredBands: lowered > 0 ? bandsOf(sealed, lowered) : null,
    lowered,
    sealed: figuresOf(summary),
  };
  const stored = await transaction(pool, async (connection): Promise<number | RunFailure> => {
    await lockUser(connection, userId);
    const count = await countLiveRecords(connection, userId);
    if (count >= max) return { code: 'quota_exceeded', details: { plan, quota: 'forward_max', max, count: count + 1 } };
    const id = await insertForwardRecord(connection, record);
    const told = { id, name, sha256: record.sealSha256 };
    await insertDeliveries(connection, { userId, event: 'forward.sealed', at, data: told });
    return id;
  });
  if (typeof stored === 'object') return stored;
  await finishUncached(context, { id: stored });
  return null;
}

function figuresOf(summary: string): SealedFigures {
  const result: Omit<SealedFigures, 'appraisal' | 'skill_shown'> & { readonly statistics?: ReportedStatistics | null } =
    JSON.parse(summary);
  const { start_date, end_date, total_pnl_pct, sharpe, max_drawdown_pct, statistics } = result;
  const { appraisal = null, shown = null } = statistics?.skill ?? {};
  return { start_date, end_date, total_pnl_pct, sharpe, max_drawdown_pct, appraisal, skill_shown: shown };
}
