/** Several portfolios of target weights that one job runs. */
import { partsIn, type ResultPart, type StoredResult } from '../../db/runs/run-results.ts';
import type { RunFailure, StartedRun } from '../../db/runs/runs.ts';
import { insertTrials } from '../../db/runs/trials.ts';
import { PORTFOLIO_PARTS } from '../contracts/portfolio.ts';
import type { ComparedSpec } from '../contracts/targets.ts';
import type { KeptContext } from '../runs/finish.ts';
import { finishUncached } from '../runs/frame.ts';
import { ledgers } from '../runs/history.ts';
import { selectionIn } from '../runs/measured-kind.ts';
import { computeResult } from '../runs/result.ts';
import type { ComparedSummary } from './summary.ts';
import { TARGETS } from './targets.ts';

/** Runs all of them and ends the run, or returns why one fails. */
export async function runCompared(
  context: KeptContext,
  { compare }: ComparedSpec,
  { userId, dataVersion }: StartedRun,
): Promise<RunFailure | null> {
  const { pool, now } = context;
  const ledger = await ledgers.get(pool, dataVersion);
  const runs: ComparedSummary['runs'][number][] = [];
  const results: StoredResult[] = [];
  for (const { name, spec } of compare) {
    const data = await TARGETS.read(context, spec, dataVersion);
    if ('failure' in data) return data.failure;
    const result = await computeResult(pool, TARGETS, spec, data, ledger, { dataVersion, at: new Date(now()) });
    if ('failure' in result) return result.failure;
    const { selection, trials } = await selectionIn(pool, userId, TARGETS, spec, result);
    if (trials !== null) await insertTrials(pool, trials);
    runs.push({ name, selection, summary: JSON.parse(result.summary), lengths: result.lengths });
    results.push(result);
  }
  await finishUncached(context, { runs }, partsOfAll(results));
  return null;
}

function partsOfAll(results: readonly StoredResult[]): Partial<Record<ResultPart, Buffer>> {
  const each = results.map(partsIn);
  const joined = PORTFOLIO_PARTS.filter((part) => each.every((parts) => parts.has(part))).map((part) => {
    const texts = each.flatMap((parts, i) => [Buffer.from(i === 0 ? '[' : ','), parts.get(part) ?? Buffer.from('')]);
    return [part, Buffer.concat([...texts, Buffer.from(']')])];
  });
  return Object.fromEntries(joined);
}
