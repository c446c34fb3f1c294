/** The comparisons of tear sheets: the fields of requests, and the instruments that they name. */
import { selectInstrumentsTraded } from '../../db/market/bars.ts';
import type { Day } from '../../engine/market/dates.ts';
import { rangeStart, type TimeRange } from '../../engine/market/time-range.ts';
import { EQUAL_WEIGHT } from '../../engine/portfolio/benchmark.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { type Comparison, MAX_FACTORS, type SpecInstrument } from '../../jobs/contracts/backtest.ts';
import { symbolField, z } from '../http/input/fields.ts';
import { RequestFailure, refuse, type ValidationProblem } from '../http/input/request-failure.ts';
import { type DirectoryItem, findInstrument } from '../market/directory.ts';
import type { MarketFacts } from '../market/market-view.ts';
import type { RunCall } from './services.ts';

const BUY_HOLD = 'buy_hold';
/** Benchmarks that are not an instrument: holding what the run may hold. */
export const OWN_BENCHMARKS = [BUY_HOLD, EQUAL_WEIGHT] as const;

const isOwn = (benchmark: string) => OWN_BENCHMARKS.some((one) => one === benchmark);

export const tearSheetField = z.boolean().default(false).meta({
  description: 'Whether to compute a tear sheet too. It changes nothing else in the result',
});
export const comparedBenchmarkField = z
  .union([z.enum(OWN_BENCHMARKS), symbolField])
  .optional()
  .meta({
    description:
      'What the tear sheet compares the run with: a symbol, `buy_hold` of the instrument (the default of a backtest), or ' +
      '`equal_weight` of all instruments. For one instrument both are the same',
  });
export const factorsField = z
  .array(symbolField)
  .max(MAX_FACTORS)
  .optional()
  .meta({ description: 'Symbols whose returns explain those of the run in the `regression` of the tear sheet' });

/** The fields of a request that has no other `benchmark`. */
export const comparisonFields = {
  tear_sheet: tearSheetField,
  benchmark: comparedBenchmarkField,
  factors: factorsField,
};

export const specInstrument = ({ id, qualified, instrument }: DirectoryItem): SpecInstrument => ({
  instrumentId: id,
  symbol: qualified,
  listedOn: instrument.listedOn,
  delistedOn: instrument.delistedOn,
  isEtf: instrument.assetType === 'etf',
});

/** The sessions that a run may cover. */
export interface ComparedRange {
  readonly timeRange: TimeRange;
  readonly start: Day | null;
  readonly end: Day | null;
}

export interface GivenComparison {
  readonly benchmark?: string;
  readonly factors?: readonly string[];
}

/** Whether a request asks for a tear sheet, and with which comparison. */
export interface AskedSheet {
  readonly hasTearSheet: boolean;
  readonly comparison: GivenComparison;
}

export function askedSheet(body: GivenComparison & { readonly tear_sheet: boolean }): AskedSheet {
  const { tear_sheet, benchmark, factors } = body;
  return { hasTearSheet: tear_sheet, comparison: { benchmark, factors } };
}

type Place = ValidationProblem['loc'];

/** The instrument of a symbol; an unknown one is refused with its place. */
function instrumentAt({ directory }: MarketFacts, symbol: string, loc: Place): SpecInstrument {
  try {
    return specInstrument(findInstrument(directory, symbol));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'symbol_not_found') throw error;
    const problem = { code: 'unknown_symbol', details: { symbol } } as const;
    throw new RequestFailure(error.code, [{ loc, type: error.code, problem }], { symbol });
  }
}

async function assertBarsAt(
  { services: { pool, market } }: RunCall,
  { instrumentId, symbol }: SpecInstrument,
  { start, end, timeRange }: ComparedRange,
  loc: Place,
): Promise<void> {
  const last = Math.min(end ?? market.distributableDay, market.newestSession ?? market.distributableDay);
  const first = start ?? rangeStart(timeRange, last);
  if ((await selectInstrumentsTraded(pool, [instrumentId], first, last)).length > 0) return;
  const problem = { code: 'no_bars', details: { symbol } } as const;
  throw new RequestFailure('no_bars_in_range', [{ loc, type: 'no_bars_in_range', problem }], { symbol });
}

/** A regression on equal returns has no solution. Names of one instrument may differ. */
function assertDistinct(factors: readonly SpecInstrument[], part: string): void {
  const at = factors.findIndex(({ instrumentId: id }, i) => factors.findIndex((one) => one.instrumentId === id) < i);
  if (at < 0) return;
  const problem = { code: 'repeated' } as const;
  throw new RequestFailure('invalid_request', [{ loc: [part, 'factors', at], type: 'repeated', problem }]);
}

/** The instruments of a comparison. Throws, with the place, for one that is unknown or has no bar in the range. */
export async function comparisonOf(
  call: RunCall,
  { benchmark, factors = [] }: GivenComparison,
  range: ComparedRange,
  part: 'body' | 'query',
): Promise<Comparison> {
  const { market } = call.services;
  if (factors.length > MAX_FACTORS) refuse([part, 'factors'], { code: 'list_too_long', details: { max: MAX_FACTORS } });
  const named = benchmark === undefined || isOwn(benchmark) ? [] : [benchmark];
  const at = [
    ...named.map((symbol) => ({ symbol, loc: [part, 'benchmark'] })),
    ...factors.map((symbol, i) => ({ symbol, loc: [part, 'factors', i] })),
  ];
  const instruments: SpecInstrument[] = [];
  for (const { symbol, loc } of at) {
    const instrument = instrumentAt(market, symbol, loc);
    await assertBarsAt(call, instrument, range, loc);
    instruments.push(instrument);
  }
  const [first = null] = named.length > 0 ? instruments : [];
  const compared = instruments.slice(named.length);
  assertDistinct(compared, part);
  return { benchmark: first, factors: compared };
}

/** The comparison of the tear sheet that a request asks for; undefined if it asks for none. */
export async function askedComparison(
  call: RunCall,
  { hasTearSheet, comparison }: AskedSheet,
  range: ComparedRange,
): Promise<Comparison | undefined> {
  if (hasTearSheet) return comparisonOf(call, comparison, range, 'body');
  for (const name of ['benchmark', 'factors'] as const)
    if (comparison[name] !== undefined) refuse(['body', name], { code: 'only_with', details: { name: 'tear_sheet' } });
  return undefined;
}
