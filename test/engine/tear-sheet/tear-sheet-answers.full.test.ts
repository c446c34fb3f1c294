/** Compares tear sheets of runs on real bars with figures that another implementation of the same rules computed. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type BacktestSettings, runBacktest } from '../../../engine/backtest/backtest.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { type PortfolioMember, preparePortfolio, runPrepared } from '../../../engine/portfolio/backtest.ts';
import { EQUAL_WEIGHT } from '../../../engine/portfolio/benchmark.ts';
import { effectiveParameters, requireStrategy } from '../../../engine/strategies/catalogue.ts';
import { comparedValue, partOfBacktest, partOfPortfolio } from '../../../engine/tear-sheet/inputs.ts';
import { rounded, type TearSheet, tearSheetOf } from '../../../engine/tear-sheet/tear-sheet.ts';
import { tradeFigures } from '../../../engine/tear-sheet/trades.ts';
import { required } from '../../../engine/util/values.ts';
import { readMembers } from '../../support/real-market.ts';

const ANSWERS = fileURLToPath(new URL('../../../../shared/data/known-answers/tear-sheet.json.gz', import.meta.url));

interface Body {
  readonly symbol?: string;
  readonly symbols?: readonly string[];
  readonly strategy: string;
  readonly params: Record<string, number>;
  readonly start: string;
  readonly end: string;
  readonly execute_on: 'close' | 'next_open';
  readonly adjust: BacktestSettings['adjust'];
  readonly cost?: { readonly commission_rate: number; readonly min_commission: number; readonly slippage_bps: number };
  readonly allocation?: {
    readonly max_positions: number;
    readonly rank_by: { readonly field: string; readonly period: number };
    readonly rebalance: 'month';
  };
  readonly benchmark?: string;
  readonly factors?: readonly string[];
}

type Figure = number | string | null;
interface Figures {
  readonly [name: string]: Figure | Figures | readonly (Figure | Figures)[];
}

interface Case {
  readonly name: string;
  readonly body: Body;
  readonly capital: number;
  readonly expected: Figures;
  readonly bootstrap: (Figures & { readonly seed: string }) | null;
  readonly days: readonly string[];
  readonly returns: readonly number[];
  readonly benchmark_returns: readonly number[];
}

const cases: Case[] = existsSync(ANSWERS) ? JSON.parse(gunzipSync(readFileSync(ANSWERS)).toString()).cases : [];
if (cases.length === 0) process.stderr.write(`SKIPPED: the known answers of tear sheets are not at ${ANSWERS}\n`);

/** Where they keep every n-th row of a long table. */
interface Rows {
  readonly count: number;
  readonly rows: readonly ({ readonly ts: string } & Figures)[];
}

const isRows = (value: object): value is Rows => 'rows' in value;

/** Places at which ours differs from theirs. */
function differences(theirs: unknown, ours: unknown, place: string): string[] {
  if (typeof theirs === 'number' && typeof ours === 'number') {
    const isClose = Math.abs(theirs - ours) <= 1e-9 * Math.max(1, Math.abs(theirs));
    return isClose ? [] : [`${place}: ${theirs}, ours ${ours}`];
  }
  if (typeof theirs !== 'object' || theirs === null || typeof ours !== 'object' || ours === null)
    return theirs === ours ? [] : [`${place}: ${theirs}, ours ${ours}`];
  if (isRows(theirs)) {
    const rows = Object.values(ours);
    const count = differences(theirs.count, rows.length, `${place}.length`);
    const byDay = new Map(rows.map((row) => [row.ts, row]));
    return [...count, ...theirs.rows.flatMap((row) => differences(row, byDay.get(row.ts), `${place}.${row.ts}`))];
  }
  if (Array.isArray(theirs) && Array.isArray(ours) && theirs.length !== ours.length)
    return [`${place}: ${theirs.length} rows, ours ${ours.length}`];
  const named = new Map<string, unknown>(Object.entries(ours));
  return Object.entries(theirs).flatMap(([name, value]) => differences(value, named.get(name), `${place}.${name}`));
}

function settingsOf(
  { strategy, params, start, end, adjust, execute_on, cost }: Body,
  capital: number,
): BacktestSettings {
  const effective = effectiveParameters(requireStrategy(strategy), params);
  if ('refused' in effective) throw new Error(`${strategy} does not take ${JSON.stringify(params)}`);
  return {
    strategy,
    adjust,
    params: effective.values,
    timeRange: 'MAX',
    start: requireDay(start),
    end: requireDay(end),
    execution: {
      executeOn: execute_on,
      commissionRate: cost?.commission_rate ?? 0,
      minCommission: cost?.min_commission ?? 0,
      slippageBps: cost?.slippage_bps ?? 0,
      initialCapital: capital,
    },
  };
}

let members: ReadonlyMap<string, PortfolioMember> = new Map();
const memberOf = (symbol: string) => required(members.get(symbol), symbol);

/** Without `.US`, as they name instruments. */
function withTheirNames(sheet: TearSheet): TearSheet {
  return JSON.parse(JSON.stringify(sheet).replaceAll('.US"', '"'));
}

function partOf(body: Body, settings: BacktestSettings) {
  const { execution } = settings;
  if (body.symbol !== undefined) {
    const outcome = required(runBacktest(settings, memberOf(body.symbol)));
    return { ...partOfBacktest(outcome, `${body.symbol}.US`, execution), held: outcome.bars.close };
  }
  const { max_positions, rank_by, rebalance } = required(body.allocation);
  const portfolio = {
    ...settings,
    allocation: {
      rebalance,
      maxPositions: max_positions,
      sizing: 'equal' as const,
      volatilityPeriod: 63,
      rankBy: { ...rank_by, order: 'desc' as const },
      cashBufferPct: 0,
    },
  };
  const prepared = required(preparePortfolio(portfolio, required(body.symbols).map(memberOf), null));
  const run = runPrepared(prepared, portfolio, settings.params);
  return { ...partOfPortfolio(prepared, run, prepared.market, execution), held: prepared.benchmark };
}

function salesOf({ body, capital }: Case): TearSheet['trades'] {
  const figures = tradeFigures(partOf(body, settingsOf(body, capital)).trades, null);
  return JSON.parse(JSON.stringify(figures).replaceAll('.US"', '"'));
}

function sheetOf({ body, capital, bootstrap }: Case): TearSheet {
  const settings = settingsOf(body, capital);
  const { held, ...part } = partOf(body, settings);
  const factorOf = (symbol: string) => required(comparedValue(settings, part.days, memberOf(symbol)));
  const { benchmark = EQUAL_WEIGHT, factors = [] } = body;
  return tearSheetOf({
    ...part,
    benchmark: benchmark === EQUAL_WEIGHT ? held : factorOf(benchmark).value,
    factors: factors.map(factorOf),
    seed: bootstrap?.seed ?? '0000000000000000',
  });
}

(cases.length > 0 ? describe : describe.skip)('the known tear sheets', () => {
  beforeAll(() => {
    const symbols = cases.flatMap(({ body: { symbol, symbols = [], benchmark, factors = [] } }) => [
      ...symbols,
      ...factors,
      ...[symbol, benchmark].filter((one) => one !== undefined && one !== EQUAL_WEIGHT),
    ]);
    members = readMembers(new Set(symbols.filter((symbol) => symbol !== undefined)));
  });

  it.each(cases)('$name', (known) => {
    const sheet = withTheirNames(sheetOf(known));
    expect(sheet.series.map(({ ts }) => ts)).toEqual(known.days);
    expect(
      differences(
        known.returns,
        sheet.series.map(({ run }) => run),
        'returns',
      ),
    ).toEqual([]);
    expect(
      differences(
        known.benchmark_returns,
        sheet.series.map(({ benchmark }) => benchmark),
        'benchmark',
      ),
    ).toEqual([]);
    // They count the sales of portfolios, of which ours tells the positions.
    const trades = known.body.symbols === undefined ? sheet.trades : salesOf(known);
    expect(differences(known.expected, { ...sheet, trades }, 'sheet')).toEqual([]);
    expect(differences(known.bootstrap, sheet.chance.bootstrap, 'bootstrap')).toEqual([]);
  });

  it('have the decimals of the page', () => {
    const { returns, regression, chance, trades, series } = rounded(sheetOf(cases[0]));
    expect(returns.sharpe).toBe(-0.0002);
    expect(trades.expectancy).toBe(-993.98);
    expect(regression?.terms[2]).toEqual({ name: 'IWM.US', coefficient: -0.12455431, t: -2.0099, p: 0.044443 });
    expect(chance.bootstrap?.bands[0].p5).toBe(89492.47);
    expect(chance.bootstrap?.p_loss).toBe(0.627);
    expect(series.some(({ run }) => run !== Number(run.toFixed(8)))).toBe(true);
  });
});
