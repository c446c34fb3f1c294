/** Published claims beside ours: `/v1/claims`. */

import type { Pool } from '../../db/pool.ts';
import { CLAIMS, type Claim, cellOf, columnsNeeded } from '../../engine/factors/claims/claims.ts';
import { WHY_CODES } from '../../engine/factors/claims/why.ts';
import { wordsOf } from '../../engine/factors/claims/words.ts';
import { monthName } from '../../engine/tear-sheet/periods.ts';
import { found } from '../../engine/util/errors.ts';
import { required } from '../../engine/util/values.ts';
import type { UsedColumn } from '../../jobs/contracts/backtest.ts';
import { type ClaimsSpec, SHARES_COLUMN } from '../../jobs/contracts/claims.ts';
import type { ComputedClaim, ComputedClaims } from '../../jobs/factors/claims.ts';
import { usableColumns } from '../../jobs/runs/own-columns.ts';
import { assertPlanHas } from '../access/plans.ts';
import { checkedSpecOf, flatBody, runFields } from '../backtests/request.ts';
import { z } from '../http/input/fields.ts';
import { refuse } from '../http/input/request-failure.ts';
import type { Locale } from '../http/language/locale.ts';
import type { MarketFacts } from '../market/market-view.ts';
import { membersOf } from '../portfolios/rotation.ts';
import { universeField } from '../portfolios/rotation-fields.ts';
import type { Asked } from '../runs/routes.ts';
import { figure } from '../runs/schemas.ts';
import { serviceRun } from '../runs/service-run.ts';
import type { DoneRun } from '../runs/state.ts';
import type { ScreenCall } from '../screener/services.ts';
import { longShortMonthSchema } from './schemas.ts';

const CODES = CLAIMS.map(({ code }) => code);
const { time_range, start, end } = flatBody.shape;
const { where: _where, ...universe } = universeField.shape;

export const claimsBody = z.strictObject({
  codes: z
    .array(z.enum(CODES))
    .min(1)
    .max(CODES.length)
    .meta({ description: 'Default: all that can be run' })
    .optional(),
  universe: z.strictObject(universe).default({ all: true, asset_type: 'stock' }),
  time_range,
  start,
  end,
});

const percentPair = z.array(figure).readonly().nullable();
const rowSchema = z
  .object({
    weights: z.string(),
    breakpoints: z.string(),
    micro: z.boolean().meta({ description: 'Whether microcaps take part' }),
    months: z.int(),
    mean_pct: figure.meta({ description: 'A month' }),
    t_nw: figure,
    interval_pct: percentPair.meta({ description: '90 %' }),
    turnover: figure,
    break_even_bps: figure,
    undefined: z.int().meta({ description: 'Formations without two sides of ten names' }),
    periods: z
      .array(
        z.object({ period: z.string(), months: z.int(), mean_pct: figure, t_nw: figure, interval_pct: percentPair }),
      )
      .readonly(),
  })
  .meta({ id: 'ClaimRow' });

const computedFields = {
  rows: z.array(rowSchema),
  words: z.string().nullable().meta({ description: 'Of the first row' }),
  word: z.string().nullable(),
  expected_pct: figure.meta({ description: '0.42 × published: what is left after publication' }),
  power: figure.meta({ description: 'Of 100 histories this long, how many would show what is expected' }),
};
const whyField = z.array(
  z
    .object({ code: z.enum(WHY_CODES), names: z.number().optional(), published: z.string().optional() })
    .meta({ id: 'ClaimReason' }),
);
const gradeField = z.enum(['A', 'B', 'C']);

export const claimSchema = z
  .object({
    code: z.string(),
    name: z.string(),
    authors: z.string(),
    year: z.int(),
    journal: z.string(),
    sample: z.object({ start: z.int(), end: z.int() }),
    published: z.object({ monthly_pct: figure, t: figure, cell: z.string() }),
    definition: z.string(),
    differs: z.string().nullable(),
    expression: z.string().meta({ description: 'Its sign is that of the claim' }),
    cuts: z.union([z.int(), z.array(z.number()), z.string()]),
    hold: z.int(),
    needs: z.array(z.string()).meta({ description: 'Own columns' }),
    runnable: z.boolean(),
    missing: z.array(z.string()),
    grade: gradeField.nullable(),
    why: whyField.nullable(),
    newest: z
      .object(computedFields)
      .nullable()
      .meta({ description: 'In the months of this market; null: not computed' }),
  })
  .meta({ id: 'Claim' });

const overallSchema = z
  .object({
    tested: z.int(),
    above: z.int().meta({ description: 'Whose t is above 1.645; of 100 by chance, 5 are' }),
    superior: z.array(z.string()).readonly().nullable().meta({ description: 'Above 0 in all tests together (StepM)' }),
  })
  .nullable();
const marketSchema = z.object({ instruments: z.int(), first: z.string().nullable(), last: z.string().nullable() });

export const claimsSchema = z
  .object({ items: z.array(claimSchema), universe: marketSchema.nullable(), overall: overallSchema })
  .meta({ id: 'Claims' });

export const claimsResultSchema = z
  .object({
    items: z.array(
      z.object({
        code: z.string(),
        ...computedFields,
        grade: gradeField,
        why: whyField,
        series: z.array(longShortMonthSchema),
      }),
    ),
    universe: marketSchema,
    overall: overallSchema,
  })
  .meta({ id: 'ClaimsResult' });

type Result = z.input<typeof claimsResultSchema>;

function computedView({ rows, judgement }: Pick<ComputedClaim, 'rows' | 'judgement'>, locale: Locale) {
  return {
    rows: [...rows],
    words: wordsOf(judgement)?.[locale] ?? null,
    word: judgement.word,
    expected_pct: judgement.expectedPct,
    power: judgement.power,
  };
}

export function claimsResult(call: Pick<ScreenCall, 'context'>, run: DoneRun): Result {
  const { items, ...rest }: ComputedClaims = JSON.parse(run.result.summary);
  const { locale } = call.context;
  return {
    ...rest,
    items: items.map(({ code, grade, why, series, ...computed }) => ({
      code,
      ...computedView(computed, locale),
      grade,
      why: [...why],
      series: [...series],
    })),
  };
}

/** Own columns of an account, or everyone's, of those that claims may read. */
export async function readableClaimColumns(pool: Pool, userId: number | null): Promise<UsedColumn[]> {
  const isWanted = (name: string) =>
    name === SHARES_COLUMN || CLAIMS.some((claim) => columnsNeeded(claim).includes(name));
  const columns = await usableColumns(pool, userId);
  return columns.filter(({ name, kind, isMarket }) => isWanted(name) && kind === 'number' && !isMarket);
}

const columnsOf = ({ services, caller }: ScreenCall) =>
  readableClaimColumns(services.pool, caller.kind === 'guest' ? null : caller.account.userId);

const missingOf = (claim: Claim, columns: readonly UsedColumn[]) =>
  columnsNeeded(claim).filter((needed) => !columns.some(({ name }) => name === needed));

/** Codes of those whose columns are there. */
export function runnableClaims(columns: readonly UsedColumn[]): string[] {
  return CLAIMS.filter((claim) => missingOf(claim, columns).length === 0).map(({ code }) => code);
}

export async function askedClaims(call: ScreenCall, body: z.output<typeof claimsBody>): Promise<Asked<Result>> {
  assertPlanHas(call.caller, 'factor_cells_max');
  const columns = await columnsOf(call);
  const codes = [...new Set(body.codes ?? runnableClaims(columns))];
  for (const [i, code] of codes.entries()) {
    const [name] = missingOf(
      required(
        CLAIMS.find((claim) => claim.code === code),
        code,
      ),
      columns,
    );
    if (name !== undefined) refuse(['body', 'codes', i], { code: 'no_column', details: { name } });
  }
  const spec = claimsSpecOf(call.services.market, body, codes, columns);
  return { kind: 'claims', spec, show: (run) => claimsResult(call, run) };
}

export function claimsSpecOf(
  market: MarketFacts,
  body: z.output<typeof claimsBody>,
  codes: readonly string[],
  columns: UsedColumn[],
): ClaimsSpec {
  const { timeRange, asOf, dataAsOf, start, end } = checkedSpecOf(runFields({ ...body, adjust: 'total' }), market);
  const universe = membersOf({ ...body.universe, where: undefined }, market);
  const named = columns.length === 0 ? undefined : columns;
  return { timeRange, start, end, asOf, dataAsOf, adjust: 'total', universe, columns: named, codes: [...codes] };
}

/** The claims of all stocks of this market, computed once after the last load of each month. */
class NewestClaims {
  private kept: { readonly month: string; readonly claims: Promise<ComputedClaims | null> } | null = null;

  read(call: ScreenCall): Promise<ComputedClaims | null> {
    const { newestSession } = call.services.market;
    if (newestSession === null) return Promise.resolve(null);
    const month = monthName(newestSession);
    if (this.kept?.month === month) return this.kept.claims;
    const kept = { month, claims: computeNewest(call, month) };
    this.kept = kept;
    // The next reader tries again.
    const forget = () => {
      if (this.kept === kept) this.kept = null;
    };
    kept.claims.then((claims) => claims === null && forget(), forget);
    return kept.claims;
  }
}

const NEWEST = new WeakMap<ScreenCall['services']['market'], NewestClaims>();

async function computeNewest(call: ScreenCall, month: string): Promise<ComputedClaims | null> {
  const columns = await readableClaimColumns(call.services.pool, null);
  const body = claimsBody.parse({ time_range: 'MAX' });
  const spec = claimsSpecOf(call.services.market, body, runnableClaims(columns), columns);
  const run = await serviceRun(call.services, call.context, `claims ${month}`, { kind: 'claims', spec });
  return run && JSON.parse(run.result.summary);
}

async function newestOf(call: ScreenCall): Promise<ComputedClaims | null> {
  const { market } = call.services;
  const newest = NEWEST.get(market) ?? new NewestClaims();
  NEWEST.set(market, newest);
  return newest.read(call);
}

function claimView(
  call: ScreenCall,
  claim: Claim,
  columns: readonly UsedColumn[],
  newest: ComputedClaims | null,
): z.input<typeof claimSchema> {
  const { code, name, authors, year, journal, sample, definition, differs, expression, cuts, hold } = claim;
  const computed = newest?.items.find((item) => item.code === code);
  const missing = missingOf(claim, columns);
  return {
    code,
    name,
    authors,
    year,
    journal,
    sample,
    published: { monthly_pct: claim.publishedPct, t: claim.publishedT, cell: cellOf(claim) },
    definition,
    differs,
    expression,
    cuts: typeof cuts === 'object' ? [...cuts] : cuts,
    hold,
    needs: columnsNeeded(claim),
    runnable: missing.length === 0,
    missing,
    grade: computed?.grade ?? null,
    why: computed ? [...computed.why] : null,
    newest: computed ? computedView(computed, call.context.locale) : null,
  };
}

export async function listClaims(call: ScreenCall): Promise<z.input<typeof claimsSchema>> {
  const [newest, columns] = await Promise.all([newestOf(call), columnsOf(call)]);
  return {
    items: CLAIMS.map((claim) => claimView(call, claim, columns, newest)),
    universe: newest?.universe ?? null,
    overall: newest?.overall ?? null,
  };
}

export async function readClaim(call: ScreenCall, code: string): Promise<z.input<typeof claimSchema>> {
  const claim = found(CLAIMS.find((one) => one.code === code) ?? null);
  const [newest, columns] = await Promise.all([newestOf(call), columnsOf(call)]);
  return claimView(call, claim, columns, newest);
}
