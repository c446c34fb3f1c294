/** The job that computes published claims in our months. */
import { CLAIMS, type Claim } from '../../engine/factors/claims/claims.ts';
import type { ComputedClaim, ComputedClaims } from '../../engine/factors/claims/computed.ts';
import { computeClaim } from '../../engine/factors/claims/rows.ts';
import { type ClaimMarket, gradeOf, reasonsFor } from '../../engine/factors/claims/why.ts';
import { type FormationPanel, microcapShare } from '../../engine/factors/cohort.ts';
import { studyFactors } from '../../engine/factors/study.ts';
import { civilDate } from '../../engine/market/dates.ts';
import { spansVolumeBases } from '../../engine/rotation/notes.ts';
import { realityCheckOf } from '../../engine/statistics/reality-check.ts';
import { MIN_RETURNS } from '../../engine/statistics/skill.ts';
import { monthName } from '../../engine/tear-sheet/periods.ts';
import { required } from '../../engine/util/values.ts';
import { type ClaimsSpec, claimsSpecSchema, SHARES_COLUMN } from '../contracts/claims.ts';
import type { FactorSpec } from '../contracts/factors.ts';
import type { JobContext } from '../contracts/job-context.ts';
import type { Universe } from '../rotation/universe.ts';
import { finishUncached, type RunContext, runFrame } from '../runs/frame.ts';
import { openStudy } from './chunk.ts';

type ClaimsContext = RunContext & Pick<JobContext, 'signal' | 'rotationBars'>;

const ONE_SIDED_95 = 1.645;
/** Draws of StepM, which is the same for everybody. */
const SEED = 'c1a1350000000001';

export function runClaimsJob(context: ClaimsContext, { runId }: { readonly runId: string }): Promise<void> {
  return runFrame(context, runId, async (run) => {
    const spec = claimsSpecSchema.parse(JSON.parse(run.spec));
    await finishUncached(context, shortened(await computeClaims(context, spec)));
    return null;
  });
}

/** With figures of 12 significant digits. */
export function shortened<T extends object>(claims: T): T {
  const text = JSON.stringify(claims, (_, value) =>
    typeof value === 'number' ? Number(value.toPrecision(12)) : value,
  );
  return JSON.parse(text);
}

/** Each claim as a factor of a study without horizons, whose portfolios are formed by the claim's own rule. */
function studyOf(spec: ClaimsSpec, claims: readonly Claim[]): FactorSpec {
  const { codes: _codes, ...range } = spec;
  const hasShares = spec.columns?.some(({ name }) => name === SHARES_COLUMN) ?? false;
  return {
    ...range,
    factors: claims.map(({ code, expression }) => ({ name: code, value: expression })),
    horizons: [],
    quantiles: 2,
    every: 'month',
    delay: 0,
    neutral: 'market',
    portfolio: {
      weights: 'equal',
      breakpoints: 'all',
      cuts: 2,
      hold: 1,
      micro: true,
      cap: hasShares ? SHARES_COLUMN : null,
    },
  };
}

export async function computeClaims(
  context: Pick<JobContext, 'pool' | 'signal' | 'rotationBars'>,
  spec: ClaimsSpec,
): Promise<ComputedClaims> {
  const claims = spec.codes.map((code) =>
    required(
      CLAIMS.find((claim) => claim.code === code),
      code,
    ),
  );
  const study = studyOf(spec, claims);
  const { universe, sessions, others, programs, formations } = await openStudy(context, study, study.factors);
  const plan = { horizons: [], quantiles: 2, formations };
  const visited = () => context.signal.throwIfAborted();
  const market = universe.market();
  const { formed } = await studyFactors(market, universe, sessions, programs, plan, others, visited);
  const instruments = universe.members.length;
  if (formed === null) {
    const overall = { tested: 0, above: 0, superior: null };
    return { items: [], universe: { instruments, first: null, last: null }, overall };
  }
  const { panel, values } = formed;
  const facts = marketOf(universe, panel);
  const items = claims.map((claim, i): ComputedClaim => {
    visited();
    const result = computeClaim(claim, panel, values[i]);
    const why = reasonsFor(
      claim,
      result.series.map(({ month }) => month),
      facts,
    );
    return { code: claim.code, ...result, why, grade: gradeOf(why) };
  });
  const months = Array.from(panel.days.subarray(1), monthName);
  return {
    items,
    universe: { instruments, first: months[0] ?? null, last: months.at(-1) ?? null },
    overall: overallOf(items),
  };
}

function marketOf(universe: Universe, panel: FormationPanel): ClaimMarket {
  const { members, clock } = universe;
  const last = clock[clock.length - 1];
  const ended = members.filter(({ isDelisted, days }) => isDelisted && days[1] < last);
  const { names, share } = microcapShare(panel);
  return {
    names,
    microShare: share,
    ended: ended.length,
    endedWithReturn: ended.filter(({ instrument }) => instrument.delistingReturnPct !== null).length,
    memberYears: members.length * (civilDate(last).year - civilDate(clock[0]).year + 1) || 1,
    isStocksOnly: members.every(({ instrument }) => instrument.assetType === 'stock'),
    spansVolumeBases: spansVolumeBases(universe),
    firstMonth: panel.days.length > 1 ? monthName(panel.days[1]) : '',
  };
}

function overallOf(items: readonly ComputedClaim[]): ComputedClaims['overall'] {
  const tests = items.flatMap(({ rows: [first] }) => (first?.t_nw == null ? [] : [first.t_nw]));
  const judged = items.filter(({ series }) => series.length >= MIN_RETURNS);
  const byMonth = judged.map(({ series }) => new Map(series.map(({ month, ls }) => [month, ls])));
  const common = [...(byMonth[0]?.keys() ?? [])].filter((month) => byMonth.every((months) => months.has(month)));
  const columns = byMonth.map((months) => Float64Array.from(common, (month) => months.get(month) ?? 0));
  const checked =
    columns.length === 0 ? null : realityCheckOf(columns, columns[0], new Float64Array(common.length), SEED);
  return {
    tested: tests.length,
    above: tests.filter((t) => t > ONE_SIDED_95).length,
    superior: checked?.superior.map((column) => judged[column].code) ?? null,
  };
}
