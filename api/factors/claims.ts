/** Published claims beside ours: `/v1/claims`. */

import { selectNewestClaims } from '../../db/research/newest-claims.ts';
import { CLAIMS, type Claim, cellOf, columnsNeeded } from '../../engine/factors/claims/claims.ts';
import type { ComputedClaim, ComputedClaims, NewestClaims } from '../../engine/factors/claims/computed.ts';
import { wordsOf } from '../../engine/factors/claims/words.ts';
import { found } from '../../engine/util/errors.ts';
import type { UsedColumn } from '../../jobs/contracts/backtest.ts';
import type { ClaimsSpec } from '../../jobs/contracts/claims.ts';
import { missingColumns, readableClaimColumns, runnableClaims } from '../../jobs/factors/claim-columns.ts';
import { assertPlanHas } from '../access/plans.ts';
import type { z } from '../http/input/fields.ts';
import { refuse } from '../http/input/request-failure.ts';
import type { Locale } from '../http/language/locale.ts';
import type { MarketFacts } from '../market/market-view.ts';
import { membersOf } from '../portfolios/rotation.ts';
import { columnsNamed, readableColumns } from '../rules/own-columns.ts';
import { checkedExpression, namedInstruments } from '../rules/resolve.ts';
import type { Asked } from '../runs/routes.ts';
import type { DoneRun } from '../runs/state.ts';
import type { ScreenCall } from '../screener/services.ts';
import type { claimSchema, claimsBody, claimsResultSchema, claimsSchema } from './claim-schemas.ts';
import { rangeSpecOf } from './request.ts';

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

const columnsOf = ({ services, caller }: ScreenCall) =>
  readableClaimColumns(services.pool, caller.kind === 'guest' ? null : caller.account.userId);

export async function askedClaims(call: ScreenCall, body: z.output<typeof claimsBody>): Promise<Asked<Result>> {
  assertPlanHas(call.caller, 'factor_cells_max');
  const columns = await columnsOf(call);
  const codes = [...new Set(body.codes ?? runnableClaims(columns))];
  for (const [i, code] of codes.entries()) {
    const claim = CLAIMS.find((one) => one.code === code);
    const [name] = claim === undefined ? [code] : missingColumns(claim, columns);
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
  const range = rangeSpecOf({ ...body, adjust: 'total' }, market);
  const universe = membersOf(body.universe, market);
  const where = body.universe.where ?? null;
  const named = columns.length === 0 ? undefined : columns;
  return { ...range, universe, where, columns: named, codes: [...codes] };
}

function claimView(
  call: ScreenCall,
  claim: Claim,
  columns: readonly UsedColumn[],
  newest: NewestClaims | null,
): z.input<typeof claimSchema> {
  const { code, name, authors, year, journal, sample, definition, differs, expression, cuts, hold } = claim;
  const computed = newest?.items.find((item) => item.code === code);
  const missing = missingColumns(claim, columns);
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
  const newest = (await selectNewestClaims(call.services.pool))?.claims ?? null;
  const columns = await columnsOf(call);
  return {
    items: CLAIMS.map((claim) => claimView(call, claim, columns, newest)),
    universe: newest?.universe ?? null,
    overall: newest?.overall ?? null,
  };
}

export async function readClaim(call: ScreenCall, code: string): Promise<z.input<typeof claimSchema>> {
  const claim = found(CLAIMS.find((one) => one.code === code) ?? null);
  return claimView(call, claim, await columnsOf(call), (await selectNewestClaims(call.services.pool))?.claims ?? null);
}
