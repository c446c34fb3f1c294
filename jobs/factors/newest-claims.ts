/** The job of published claims as everybody sees them: those of all stocks through the last month whose sessions are all loaded. */
import { replaceNewestClaims } from '../../db/research/newest-claims.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { formatDay } from '../../engine/market/dates.ts';
import type { ClaimsSpec } from '../contracts/claims.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { runnableClaims } from './claim-columns.ts';
import { computeClaims, shortened } from './claims.ts';
import { dueClaims } from './due-claims.ts';

export async function computeNewestClaims(
  context: Pick<JobContext, 'pool' | 'signal' | 'rotationBars' | 'now' | 'log'>,
): Promise<void> {
  const { pool, now, log } = context;
  const wanted = await dueClaims(pool, now());
  if (wanted === null) return;
  const { end, columns, state } = wanted;
  const spec: ClaimsSpec = {
    timeRange: 'MAX',
    start: null,
    end,
    asOf: newestDistributableDay(now()),
    dataAsOf: end,
    adjust: 'total',
    universe: { assetTypes: ['stock'], instruments: null, skipped: null },
    where: null,
    columns: columns.length === 0 ? undefined : columns,
    codes: runnableClaims(columns),
  };
  const { items, ...rest } = await computeClaims(context, spec);
  const claims = shortened({ ...rest, items: items.map(({ series: _series, ...item }) => item) });
  await replaceNewestClaims(pool, { made_of: state, computed_at: new Date(now()), claims });
  log.debug({ claims: items.length, through: formatDay(end) }, 'published claims computed');
}
