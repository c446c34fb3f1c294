/** A rotation's result under the names of the API, with the notes that only rotations have. */
import { METRIC_NAMES } from '../../engine/backtest/metrics.ts';
import { formatDayCached } from '../../engine/market/dates.ts';
import { figure } from '../../engine/market/figures.ts';
import type { PortfolioMetrics } from '../../engine/portfolio/backtest.ts';
import { EQUAL_WEIGHT } from '../../engine/portfolio/benchmark.ts';
import { endedLines, spansVolumeBases, survivorshipGap } from '../../engine/rotation/notes.ts';
import type { Rebalance } from '../../engine/rotation/rotation.ts';
import { rotationRules } from '../../engine/rotation/rules.ts';
import { findFunction } from '../../engine/rules/functions/catalogue.ts';
import { argumentsOf, type Expression, isParameter, isText } from '../../engine/rules/syntax.ts';
import { keysOf } from '../../engine/util/values.ts';
import { countView, type RotationSpec } from '../contracts/rotation.ts';
import { partsOf, type ReportedPortfolio } from '../portfolio/report.ts';
import { type DetailsByCode, type NoteCode, survivorNotes } from '../runs/notes.ts';
import { money, percent } from '../runs/report.ts';
import type { RotationOutcome } from './run.ts';

const WEIGHT_DECIMALS = 6;

export interface RebalanceView {
  readonly ts: string;
  readonly eligible: number;
  readonly scored: number;
  readonly entered: readonly string[];
  readonly left: readonly string[];
  readonly turnover_pct: number | null;
  readonly weights: Readonly<Record<string, number>>;
  readonly filter: boolean;
}

/** A rotation as portfolios of strategies are reported. */
export function reportedRotation({ universe, panel, benchmark }: RotationOutcome): ReportedPortfolio {
  const instruments = panel.members.map(({ symbol, series }) => ({ symbol, range: { series } }));
  return { clock: universe.clock, benchmark, instruments };
}

/** The long parts of a result, as text. `survivors`: the same rotation on the members that are left; null: it was not asked for. */
export function rotationParts(spec: RotationSpec, outcome: RotationOutcome, survivors: RotationOutcome | null) {
  const { panel, run } = outcome;
  const reported = reportedRotation(outcome);
  const symbolOf = (member: number) => panel.members[member].symbol;
  const rebalances = run.rebalances.map((one) => rebalanceView(one, symbolOf));
  const parts = partsOf(spec, reported, run);
  const equity = survivors === null ? parts.equity : withSurvivors(parts.equity, outcome, survivors, spec);
  return { ...parts, equity, rebalances: JSON.stringify(rebalances) };
}

/** Equity with that of the survivors beside it. They keep their value at sessions on which none of them has a bar. */
function withSurvivors(
  equity: string,
  { universe: { clock } }: RotationOutcome,
  survivors: RotationOutcome,
  { execution: { initialCapital } }: RotationSpec,
): string {
  const points: object[] = JSON.parse(equity);
  let next = 0;
  let value = initialCapital;
  const valued = points.map((point, t) => {
    if (survivors.universe.clock[next] === clock[t]) value = survivors.run.equity[next++];
    return { ...point, survivors: money(value) };
  });
  return JSON.stringify(valued);
}

function rebalanceView(one: Rebalance, symbolOf: (member: number) => string): RebalanceView {
  const weights = [...one.weights].map(([member, weight]) => [symbolOf(member), figure(weight, WEIGHT_DECIMALS)]);
  return {
    ts: formatDayCached(one.day),
    eligible: one.eligible,
    scored: one.scored,
    entered: one.entered.map(symbolOf),
    left: one.left.map(symbolOf),
    turnover_pct: percent(one.turnoverPct),
    weights: Object.fromEntries(weights),
    filter: one.filter,
  };
}

/** Survivors less the run, for every metric that both have, by its name in the API. */
export function gapOf(run: PortfolioMetrics, survivors: PortfolioMetrics): Record<string, number | null> {
  const gap: Readonly<Record<keyof PortfolioMetrics, number | null>> = survivorshipGap({ ...survivors }, { ...run });
  const rounded = (value: number | null) => figure(value, WEIGHT_DECIMALS);
  return {
    ...Object.fromEntries(keysOf(METRIC_NAMES).map((key) => [METRIC_NAMES[key], rounded(gap[key])])),
    turnover_pct: rounded(gap.turnoverPct),
    avg_positions: rounded(gap.avgPositions),
  };
}

/** The schedule, ranking, and weights of a rotation, with all defaults, as they are requested. */
export function rotationView({ texts, every, offset, order, hold, keep, weights, exits }: RotationSpec) {
  const { method, lookback, covariance, bounds, fixed } = weights;
  return {
    every,
    offset,
    score: texts.score,
    order,
    hold: countView(hold),
    keep: keep === null ? undefined : countView(keep),
    weights: {
      method,
      lookback,
      covariance,
      max_weight: bounds.max,
      min_weight: bounds.min,
      fixed: fixed ?? undefined,
    },
    target_volatility_pct: weights.targetVolatilityPct ?? undefined,
    market_filter: texts.market_filter,
    exits: exits === null ? undefined : exitsView(exits, texts),
  };
}

function exitsView(
  { stopLossPct, takeProfitPct }: NonNullable<RotationSpec['exits']>,
  { stop, trail }: RotationSpec['texts'],
) {
  return { stop_loss_pct: stopLossPct, take_profit_pct: takeProfitPct, stop, trail };
}

export function benchmarkView({ benchmark }: RotationSpec): string {
  return benchmark?.symbol ?? EQUAL_WEIGHT;
}

export function rotationNotes(spec: RotationSpec, outcome: RotationOutcome): readonly NoteCode[] {
  const { universe, panel, run, values } = outcome;
  const { where, score } = rotationRules(spec.texts).expressions;
  const expressions = [where, score].filter((one) => one !== null);
  const notes = universeNotes(spec, universe, expressions);
  if (endedLines(panel, run).length > 0) notes.push('line_ended');
  if (run.rebalances.some(({ areWeightsDefined }) => !areWeightsDefined)) notes.push('weights_undefined');
  if (values.isFilterCarried) notes.push('filter_undefined');
  return notes;
}

/** Notes on rules that compare the members of a universe. */
export function universeNotes(
  { adjust }: Pick<RotationSpec, 'adjust'>,
  universe: RotationOutcome['universe'],
  expressions: readonly Expression[],
): NoteCode[] {
  const isUnpaid = adjust !== 'total' && universe.members.some((member) => isPaidWithin(member, universe.clock[0]));
  const notes: NoteCode[] = isUnpaid ? ['price_return'] : [];
  if (expressions.some(hasGroup)) notes.push('groups_as_of_today');
  if (expressions.some(usesVolume) && spansVolumeBases(universe)) notes.push('volume_basis_changes');
  return notes;
}

export function survivorsOf({ members, clock }: Pick<RotationOutcome['universe'], 'members' | 'clock'>): DetailsByCode {
  const all = members.map(({ instrument, isDelisted }) => ({
    isEtf: instrument.assetType === 'etf',
    hasEnded: isDelisted,
  }));
  return survivorNotes(all, clock[clock.length - 1] - clock[0]);
}

function isPaidWithin({ lastDividend, days }: RotationOutcome['universe']['members'][number], start: number): boolean {
  return lastDividend !== null && lastDividend > Math.max(start, days[0]);
}

function hasGroup(expression: Expression): boolean {
  if (typeof expression === 'number' || isParameter(expression) || isText(expression)) return false;
  const args = argumentsOf(expression);
  return (findFunction(expression[0])?.kind === 'across' && args.some(isText)) || args.some(hasGroup);
}

/** Whether a rule reads volumes. */
function usesVolume(expression: Expression): boolean {
  if (typeof expression === 'number' || isParameter(expression) || isText(expression)) return false;
  const [name] = expression;
  return name === 'volume' || name === 'dollar_volume' || argumentsOf(expression).some(usesVolume);
}
