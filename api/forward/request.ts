/** Whatever is to be sealed: a kept run, or a saved strategy on instruments. */
import { formatDay, requireDay } from '../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { momentsOf } from '../../engine/statistics/moments.ts';
import { found } from '../../engine/util/errors.ts';
import { type SealSpec, sealSpecSchema } from '../../jobs/contracts/forward.ts';
import { MAX_PORTFOLIO_SYMBOLS } from '../../jobs/contracts/portfolio.ts';
import { doublesOf } from '../../jobs/forward/chain.ts';
import { storedSelection } from '../../jobs/runs/statistics.ts';
import { keptSummary } from '../../jobs/runs/summary.ts';
import type { AccountCaller } from '../access/caller.ts';
import { assertPlanHas, PLANS } from '../access/plans.ts';
import { backtestSpecOf, flatBody, fromFlat } from '../backtests/request.ts';
import { idNumber, symbolField, text, z } from '../http/input/fields.ts';
import { refuse } from '../http/input/request-failure.ts';
import { portfolioBody } from '../portfolios/request.ts';
import { specOf } from '../portfolios/routes.ts';
import { ownResearchOf } from '../rules/resolve.ts';
import { ownKept } from '../runs/keep.ts';
import type { ScreenCall } from '../screener/services.ts';
import { ownRecord } from './records.ts';

export const sealBody = z.strictObject({
  run: z.union([
    z.strictObject({ kind: z.enum(['backtest', 'portfolio']), id: idNumber }).meta({
      description: 'A kept run whose range has no end, or ends with the newest session',
    }),
    z.strictObject({ forward: idNumber }).meta({ description: 'A forward record, sealed anew' }),
    z
      .strictObject({
        strategy: idNumber.meta({ description: 'A strategy of `/v1/my/strategies`' }),
        symbols: z.array(symbolField).min(1).max(MAX_PORTFOLIO_SYMBOLS),
        params: flatBody.shape.params,
      })
      .meta({ description: 'Run over the last five years, and sealed with that run' }),
  ]),
  name: text(1, 100).optional().meta({ description: 'Default: that of the run' }),
});
type SealBody = z.output<typeof sealBody>;

/** Several symbols are a portfolio. */
async function strategyRun(
  call: ScreenCall<AccountCaller>,
  { strategy: id, symbols, params }: Extract<SealBody['run'], { strategy: number }>,
): Promise<SealSpec['run']> {
  const asked = { strategy: 'rules', rules: { saved: id }, time_range: '5Y', params };
  if (symbols.length > 1) {
    const spec = await specOf(call, portfolioBody.parse({ ...asked, symbols }));
    return sealSpecSchema.shape.run.parse({ kind: 'portfolio', spec });
  }
  const request = fromFlat(flatBody.parse({ ...asked, symbol: symbols[0] }));
  const own = await ownResearchOf(call, request.rules, request);
  return { kind: 'backtest', spec: backtestSpecOf(request, call.services.market, own) };
}

/** Throws where the run is not kept any more, or its range has ended. */
async function keptRun(
  call: ScreenCall<AccountCaller>,
  kept: Extract<SealBody['run'], { id: number }>,
): Promise<Omit<SealSpec, 'max' | 'plan'>> {
  const { market } = call.services;
  const saved = await ownKept(call, kept);
  const { start_date, end_date } = keptSummary(saved.summary);
  const run = sealSpecSchema.shape.run.safeParse({ kind: kept.kind, spec: saved.spec });
  // Runs of early versions kept no specification.
  const { kind, spec } = found(run.success && !('compare' in run.data.spec) ? run.data : null);
  const { newestSession } = market;
  const { end } = found('compare' in spec ? null : spec);
  if (end !== null && newestSession !== null && end < newestSession)
    refuse(['body', 'run', 'id'], {
      code: 'range_ended',
      details: { end: end_date, newest: formatDay(newestSession) },
    });
  const now = { start: requireDay(start_date), end: null, asOf: market.distributableDay, dataAsOf: newestSession };
  const selection = storedSelection(saved);
  // A search on the same instrument has tried other parameters; of a run of its own only the account's history tells how they spread.
  const hurdle = selection?.hurdle ?? ((selection?.trials ?? 1) > 1 ? selection?.account?.hurdle : 0) ?? 0;
  return {
    run: sealSpecSchema.shape.run.parse({ kind, spec: { ...spec, ...now } }),
    name: saved.name ?? nameOf(spec),
    hurdle,
  };
}

/** A record once more, with what it is chosen by. */
async function recordAnew(
  call: ScreenCall<AccountCaller>,
  { forward: id }: Extract<SealBody['run'], { forward: number }>,
): Promise<Omit<SealSpec, 'max' | 'plan'>> {
  const { name, kind, spec, lowered, returns } = await ownRecord(call, id);
  const { distributableDay: asOf, newestSession: dataAsOf } = call.services.market;
  const run = sealSpecSchema.shape.run.parse({ kind, spec: { ...Object(spec), asOf, dataAsOf } });
  // The hurdle is kept as what it takes off the mean.
  const deviation = momentsOf(doublesOf(returns))?.stdev ?? 0;
  return { run, name, hurdle: deviation === 0 ? 0 : lowered / deviation };
}

function nameOf(spec: object): string {
  const {
    strategy = '',
    symbol,
    instruments = [],
  }: { strategy?: string; symbol?: string; instruments?: object[] } = spec;
  return [symbol ?? (instruments.length > 0 ? `${instruments.length} symbols` : ''), strategy]
    .filter(Boolean)
    .join(' · ');
}

/** Throws, with the place, for everything that can be known to be wrong before it is sealed. */
export async function sealSpecOf(call: ScreenCall<AccountCaller>, { run, name }: SealBody): Promise<SealSpec> {
  const { caller } = call;
  assertPlanHas(caller, 'forward_max');
  const limits = { max: PLANS[caller.plan].quotas.forward_max, plan: caller.plan };
  if (!('strategy' in run)) {
    const sealed = 'id' in run ? await keptRun(call, run) : await recordAnew(call, run);
    return { ...sealed, ...limits, name: name ?? sealed.name };
  }
  const asked = await strategyRun(call, run);
  const saved = 'saved' in asked.spec ? asked.spec.saved : undefined;
  const symbols = run.symbols.length > 1 ? `${run.symbols.length} symbols` : qualifiedSymbol(run.symbols[0]);
  return { run: asked, hurdle: 0, ...limits, name: name ?? `${symbols} · ${saved?.name ?? ''}` };
}
