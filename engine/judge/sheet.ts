/** The tear sheet of a record of returns: what needs positions is null. */
import { excessOf, type Nights } from '../backtest/rates.ts';
import { formatDayCached } from '../market/dates.ts';
import type { SkillFigures } from '../statistics/skill.ts';
import { type BenchmarkFigures, benchmarkFigures } from '../tear-sheet/benchmark.ts';
import { type ChanceFigures, chanceFigures, type ResampledPaths } from '../tear-sheet/chance.ts';
import { withoutNoise } from '../tear-sheet/figures.ts';
import type { DayPeriods } from '../tear-sheet/periods.ts';
import { type ReturnFigures, returnFigures } from '../tear-sheet/returns.ts';
import type { Sentence, SentenceKey } from '../tear-sheet/sentence.ts';
import { type CurveFigures, curveFigures } from '../tear-sheet/time.ts';
import { verdictOfReturns } from '../tear-sheet/verdict.ts';
import { PERIODS_PER_YEAR } from './frequency.ts';
import type { Stream } from './streams.ts';

/** The money that the curve of a record begins with. */
export const RECORD_CAPITAL = 100_000;

interface SeriesRow {
  readonly ts: string;
  readonly run: number;
  readonly benchmark: number | null;
  readonly risk_free?: number;
}

interface WithoutPositions {
  readonly exposure_pct: null;
  readonly avg_positions: null;
  readonly turnover_pct: null;
  readonly costs: null;
  readonly concentration: null;
}

export interface RecordSheet {
  /** Returns. */
  readonly sessions: number;
  readonly start_date: string;
  readonly end_date: string;
  /** Null, like `time`, where only figures are wanted. */
  readonly series: readonly SeriesRow[] | null;
  readonly returns: ReturnFigures;
  /** Null without a benchmark. */
  readonly benchmark: BenchmarkFigures | null;
  readonly regression: null;
  readonly interest: null;
  readonly time: (CurveFigures & WithoutPositions) | null;
  readonly trades: null;
  readonly chance: ChanceFigures;
  readonly verdict: { readonly sentences: readonly Sentence[] };
}

export interface SheetOptions {
  readonly stream: Stream;
  /** Returns of what was held; null: there is no benchmark. */
  readonly held: Float64Array | null;
  readonly riskFree: Nights | null;
  readonly skill: SkillFigures | null;
  /** 16 hex digits; null: nothing is resampled. */
  readonly seed: string | null;
  readonly paths?: ResampledPaths | undefined;
  /** The weeks and months of its days. */
  readonly periods: DayPeriods;
  /** Whether it was chosen among others. */
  readonly isChosen: boolean;
  /** Whether the series and what it is in time are wanted. */
  readonly hasSeries: boolean;
}

const NO_POSITIONS: WithoutPositions = {
  exposure_pct: null,
  avg_positions: null,
  turnover_pct: null,
  costs: null,
  concentration: null,
};
const NO_CHANCE: ChanceFigures = { bootstrap: null, trade_order: null, random_entries: null, random_sets: null };
/** Sentences that count sessions, and those that count the weeks or months of a record. */
const OF_PERIODS: Readonly<Partial<Record<SentenceKey, SentenceKey>>> = {
  skill_short: 'skill_short_periods',
  more_sessions: 'more_periods',
};

/** Returns without noise. A loop over indices: there may be many streams. */
function quietOf(returns: Float64Array): Float64Array {
  const quiet = new Float64Array(returns.length);
  for (let t = 0; t < returns.length; t++) quiet[t] = withoutNoise(returns[t]);
  return quiet;
}

/** The curve of the returns, with the capital as its first point. */
function curveOf(returns: Float64Array): Float64Array {
  const equity = new Float64Array(returns.length + 1).fill(RECORD_CAPITAL);
  for (let t = 0; t < returns.length; t++) equity[t + 1] = equity[t] * (1 + returns[t]);
  return equity;
}

/** No figure is rounded. */
export function recordSheet({
  stream,
  held,
  riskFree,
  skill,
  seed,
  paths,
  periods,
  isChosen,
  hasSeries,
}: SheetOptions): RecordSheet {
  const { days, frequency } = stream;
  const perYear = PERIODS_PER_YEAR[frequency];
  const returns = quietOf(stream.returns);
  const compared = held && quietOf(held);
  const lessRiskFree = (values: Float64Array) => (riskFree === null ? values : quietOf(excessOf(values, riskFree)));
  const excess = { returns: lessRiskFree(returns), benchmark: compared && lessRiskFree(compared) };
  const beside = compared && excess.benchmark && { returns: excess.returns, benchmark: excess.benchmark };
  const equity = seed === null && !hasSeries ? new Float64Array() : curveOf(returns);
  const drawn = { days, returns, equity, money: equity, trades: [], single: null, paths };
  const sections = {
    sessions: days.length,
    returns: returnFigures(days, returns, excess.returns, perYear, periods),
    benchmark: beside && compared && benchmarkFigures(days, returns, compared, beside, perYear, periods),
    chance: seed === null ? NO_CHANCE : chanceFigures({ ...drawn, seed }),
  };
  const sentences = verdictOfReturns({ ...sections, skill }, isChosen);
  return {
    ...sections,
    start_date: formatDayCached(days[0]),
    end_date: formatDayCached(days[days.length - 1]),
    series: hasSeries ? seriesOf(stream, { returns, compared, riskFree }) : null,
    regression: null,
    interest: null,
    time: hasSeries
      ? { ...curveFigures({ days, returns, benchmark: compared, excess, equity, perYear }), ...NO_POSITIONS }
      : null,
    trades: null,
    verdict: {
      sentences: sentences.map(({ key, figures }) => ({
        key: frequency === 'day' ? key : (OF_PERIODS[key] ?? key),
        figures,
      })),
    },
  };
}

function seriesOf(
  { days }: Stream,
  {
    returns,
    compared,
    riskFree,
  }: { readonly returns: Float64Array; readonly compared: Float64Array | null; readonly riskFree: Nights | null },
): SeriesRow[] {
  return Array.from(days, (day, t) => {
    const row = { ts: formatDayCached(day), run: returns[t], benchmark: compared?.[t] ?? null };
    return riskFree === null ? row : { ...row, risk_free: riskFree.returns[t] };
  });
}
