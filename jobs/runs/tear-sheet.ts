/** Makes the tear sheet of a run from the run and the histories that it is compared with. */
import type { Queryable } from '../../db/pool.ts';
import type { RunFailure } from '../../db/runs/runs.ts';
import { type Compared, comparedValue, type RunPart } from '../../engine/tear-sheet/inputs.ts';
import { rounded, type TearSheet, tearSheetOf } from '../../engine/tear-sheet/tear-sheet.ts';
import type { BacktestSpec, Comparison } from '../contracts/backtest.ts';
import { readMembers } from './history.ts';

/** The instruments of a comparison with their histories. */
export interface ReadComparison {
  readonly benchmark: Compared | null;
  readonly factors: readonly Compared[];
}

export async function readComparison(
  db: Queryable,
  { benchmark, factors }: Comparison,
  { asOf }: Pick<BacktestSpec, 'asOf'>,
): Promise<ReadComparison> {
  const [read = null] = benchmark ? await readMembers(db, [benchmark], asOf) : [];
  return { benchmark: read, factors: await readMembers(db, factors, asOf) };
}

export type MadeSheet = { readonly sheet: TearSheet } | { readonly failure: RunFailure };

/** `held`: the value of what the run itself names as its benchmark. */
export function sheetOf(
  part: RunPart,
  held: Float64Array,
  spec: Pick<BacktestSpec, 'end' | 'adjust'>,
  { benchmark, factors }: ReadComparison,
  seed: string,
): MadeSheet {
  const valueFor = (compared: Compared) => comparedValue(spec, part.days, compared);
  const missing = [...(benchmark ? [benchmark] : []), ...factors].find((compared) => valueFor(compared) === null);
  if (missing) return { failure: { code: 'no_bars_in_range', details: { symbol: missing.symbol } } };
  const sheet = tearSheetOf({
    ...part,
    benchmark: (benchmark && valueFor(benchmark)?.value) ?? held,
    factors: factors.flatMap((factor) => valueFor(factor) ?? []),
    seed,
  });
  return { sheet: rounded(sheet) };
}
