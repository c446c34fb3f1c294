/** Target weights on real bars, as known answers request them. */
import type { AdjustMode } from '../../engine/market/adjust.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { allocateSeries, copyBars, sliceByDay } from '../../engine/market/series.ts';
import { type PortfolioMember, preparePortfolio } from '../../engine/portfolio/backtest.ts';
import type { TargetPeriod } from '../../engine/portfolio/clock.ts';
import type { Flow } from '../../engine/portfolio/flows.ts';
import { NO_FIGURES, runTargets, type TargetAllocation, targetMetrics } from '../../engine/portfolio/targets.ts';
import { required } from '../../engine/util/values.ts';
import { readMembers } from './real-market.ts';

interface GivenAllocation {
  readonly targets: readonly { readonly symbol: string; readonly weight: number }[];
  readonly rebalance: TargetPeriod | { readonly band_pct: number };
  readonly flows?: readonly Flow[];
}

export interface TargetBody {
  readonly allocation: GivenAllocation;
  readonly start: string;
  readonly end: string;
  readonly adjust: AdjustMode;
  readonly execute_on: 'close' | 'next_open';
  readonly benchmark?: string;
  readonly cost?: { readonly commission_rate: number; readonly min_commission: number; readonly slippage_bps: number };
}

export const CAPITAL = 100_000;

function allocationOf({ targets, rebalance, flows = [] }: GivenAllocation): TargetAllocation {
  return {
    flows,
    targets: targets.map(({ symbol, weight }) => ({ symbol: `${symbol}.US`, weight })),
    rebalance: typeof rebalance === 'string' ? rebalance : { bandPct: rebalance.band_pct },
  };
}

/** Target weights of some symbols on real bars. */
export class RealTargets {
  private readonly members: Map<string, PortfolioMember>;

  constructor(bodies: readonly TargetBody[]) {
    const symbols = bodies.flatMap(({ allocation, benchmark = [] }) => [
      ...allocation.targets.map(({ symbol }) => symbol),
      ...[benchmark].flat(),
    ]);
    this.members = readMembers(new Set(['LH', ...symbols.filter((symbol) => symbol !== 'equal_weight')]));
    // For five weeks another instrument had the ticker.
    const lh = required(this.members.get('LH'));
    const [from, to] = [requireDay('2024-05-20'), requireDay('2024-06-26')];
    const before = sliceByDay(lh.series, lh.series.day[0], from - 1);
    const after = sliceByDay(lh.series, to + 1, lh.asOf);
    const series = allocateSeries(before.length + after.length);
    copyBars(before, series, 0);
    copyBars(after, series, before.length);
    this.members.set('LH', { ...lh, series, lifetime: { listedOn: null, delistedOn: null } });
  }

  run({ allocation: given, start, end, adjust, execute_on, benchmark = 'equal_weight', cost }: TargetBody) {
    const memberOf = (symbol: string) => required(this.members.get(symbol), symbol);
    const allocation = allocationOf(given);
    const execution = {
      executeOn: execute_on,
      commissionRate: cost?.commission_rate ?? 0,
      minCommission: cost?.min_commission ?? 0,
      slippageBps: cost?.slippage_bps ?? 0,
      initialCapital: CAPITAL,
    };
    const prepared = required(
      preparePortfolio(
        {
          adjust,
          execution,
          start: requireDay(start),
          end: requireDay(end),
          timeRange: 'MAX',
          allocation: NO_FIGURES,
        },
        given.targets.map(({ symbol }) => memberOf(symbol)),
        benchmark === 'equal_weight' ? null : memberOf(benchmark),
      ),
    );
    const run = runTargets(prepared, allocation, execution);
    return { prepared, run, metrics: targetMetrics(prepared, run, CAPITAL) };
  }
}
