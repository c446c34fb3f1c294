/** Published claims beside ours: `/v1/claims`. */

import type { Pool } from '../../db/pool.ts';
import { CLAIMS, type Claim, cellOf, columnsNeeded } from '../../engine/factors/claims/claims.ts';
import { wordsOf } from '../../engine/factors/claims/words.ts';
import { found } from '../../engine/util/errors.ts';
import type { UsedColumn } from '../../jobs/contracts/backtest.ts';
import { type ClaimsSpec, SHARES_COLUMN } from '../../jobs/contracts/claims.ts';
import type { ComputedClaim, ComputedClaims } from '../../jobs/factors/claims.ts';
import { usableColumns } from '../../jobs/runs/own-columns.ts';
import { assertPlanHas } from '../access/plans.ts';
import { checkedSpecOf, runFields } from '../backtests/request.ts';
import type { z } from '../http/input/fields.ts';
import { refuse } from '../http/input/request-failure.ts';
import type { Locale } from '../http/language/locale.ts';
import type { MarketFacts } from '../market/market-view.ts';
import { membersOf } from '../portfolios/rotation.ts';
import { columnsNamed, readableColumns } from '../rules/own-columns.ts';
import { checkedExpression, namedInstruments } from '../rules/resolve.ts';
import type { Asked } from '../runs/routes.ts';
import { serviceRun } from '../runs/service-run.ts';
import type { DoneRun } from '../runs/state.ts';
import type { ScreenCall } from '../screener/services.ts';
import { type claimSchema, claimsBody, type claimsResultSchema, type claimsSchema } from './claim-schemas.ts';

const AT_WHERE = ['body', 'universe', 'where'];

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
    const claim = CLAIMS.find((one) => one.code === code);
    const [name] = claim === undefined ? [code] : missingOf(claim, columns);
    if (name !== undefined) refuse(['body', 'codes', i], { code: 'no_column', details: { name } });
  }
  const { where } = body.universe;
  const all = await readableColumns(call, [where]);
  const rule = where === undefined ? null : checkedExpression(where, 'condition', AT_WHERE, 'peers', all);
  const named = columnsNamed(all, rule?.columnNames ?? new Set()) ?? [];
  const more = named.filter(({ name }) => !columns.some((column) => column.name === name));
  const others = namedInstruments(rule?.tickers ?? [], call.services.market.directory);
  const spec = { ...claimsSpecOf(call.services.market, body, codes, [...columns, ...more]), others };
  return { kind: 'claims', spec, show: (run) => claimsResult(call, run) };
}

/** A condition of the universe must be checked already. */
export function claimsSpecOf(
  market: MarketFacts,
  body: z.output<typeof claimsBody>,
  codes: readonly string[],
  columns: UsedColumn[],
): ClaimsSpec {
  const { timeRange, asOf, dataAsOf, start, end } = checkedSpecOf(runFields({ ...body, adjust: 'total' }), market);
  const universe = membersOf(body.universe, market);
  const where = body.universe.where ?? null;
  const named = columns.length === 0 ? undefined : columns;
  return { timeRange, start, end, asOf, dataAsOf, adjust: 'total', universe, where, columns: named, codes: [...codes] };
}

/** The claims of all stocks of this market. Each load has them computed once more, by the first reader after it. */
class NewestClaims {
  private version: string | null = null;
  /** Null until they are computed; then those of the load before, until those of the newest one are there. */
  private claims: ComputedClaims | null = null;

  /** Does not wait for them. */
  read(call: ScreenCall): ComputedClaims | null {
    const { newestSession, version } = call.services.market;
    if (newestSession !== null && this.version !== version) void this.compute(call, version);
    return this.claims;
  }

  private async compute(call: ScreenCall, version: string): Promise<void> {
    this.version = version;
    const computed = await computeNewest(call, version).catch(() => null);
    if (this.version !== version) return;
    // The next reader asks again.
    if (computed === null) this.version = null;
    else this.claims = computed;
  }
}

const NEWEST = new WeakMap<ScreenCall['services']['market'], NewestClaims>();

async function computeNewest(call: ScreenCall, version: string): Promise<ComputedClaims | null> {
  const columns = await readableClaimColumns(call.services.pool, null);
  const body = claimsBody.parse({ time_range: 'MAX' });
  const spec = claimsSpecOf(call.services.market, body, runnableClaims(columns), columns);
  const run = await serviceRun(call.services, call.context, `claims ${version}`, { kind: 'claims', spec });
  return run && JSON.parse(run.result.summary);
}

function newestOf(call: ScreenCall): ComputedClaims | null {
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
  const newest = newestOf(call);
  const columns = await columnsOf(call);
  return {
    items: CLAIMS.map((claim) => claimView(call, claim, columns, newest)),
    universe: newest?.universe ?? null,
    overall: newest?.overall ?? null,
  };
}

export async function readClaim(call: ScreenCall, code: string): Promise<z.input<typeof claimSchema>> {
  const claim = found(CLAIMS.find((one) => one.code === code) ?? null);
  return claimView(call, claim, await columnsOf(call), newestOf(call));
}
