/** Tear sheets of kept runs: their queue, and how they are stored. */
import { z } from 'zod';
import { BACKTEST_QUEUE, type Comparison, comparisonSchema } from './backtest.ts';
import type { QueueContract } from './queue-contract.ts';

export const TEAR_SHEET_QUEUE = { ...BACKTEST_QUEUE, name: 'tear_sheet' } as const satisfies QueueContract;

export const tearSheetSpecSchema = z.object({ backtestId: z.int(), comparison: comparisonSchema });

/** The name of its object of a kept run. */
export const TEAR_SHEET = 'tear-sheet';

/** The comparison of a kept run unless another is asked for. */
export const OWN_COMPARISON: Comparison = { benchmark: null, factors: [] };

/** The object: a line with what the run is compared with, and the sheet. */
export function keptTearSheet(comparison: Comparison, sheet: string): string {
  return `${comparisonLine(comparison)}\n${sheet}`;
}

/** Equal for comparisons with the same instruments. */
function comparisonLine({ benchmark, factors }: Comparison): string {
  return JSON.stringify([benchmark?.symbol ?? null, ...factors.map(({ symbol }) => symbol)]);
}

/** The sheet of an object; null if it compares the run with something else than `wanted`. Null there: with anything. */
export function readKeptTearSheet(object: string, wanted: Comparison | null): string | null {
  const end = object.indexOf('\n');
  const isWanted = wanted === null || object.slice(0, end) === comparisonLine(wanted);
  return isWanted ? object.slice(end + 1) : null;
}

const VERDICT = ',"verdict":';

/** A sheet in two: its verdict, which has texts to come, is its last member. */
export function splitVerdict(sheet: string): { readonly figures: string; readonly verdict: string } {
  const at = sheet.lastIndexOf(VERDICT);
  return { figures: sheet.slice(0, at), verdict: sheet.slice(at + VERDICT.length, -1) };
}

export function joinVerdict(figures: string, verdict: object): string {
  return `${figures}${VERDICT}${JSON.stringify(verdict)}}`;
}
