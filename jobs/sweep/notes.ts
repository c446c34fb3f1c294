/** Notes on the figures of a sweep. */
import { hasPayments } from '../../db/market/adjustments.ts';
import { selectSessionLedgers } from '../../db/market/session-ledgers.ts';
import type { Queryable } from '../../db/pool.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/splice.ts';
import { type NoteCode, noteCodesOf, survivorNotes } from '../backtest/notes.ts';
import type { SweepInstrument, SweepSpec } from '../contracts/sweep.ts';

/** First and last day of all bars of a sweep; null: it has none. */
export type SweepSpan = { readonly first: number; readonly last: number } | null;

export async function notesOfSweep(
  db: Queryable,
  spec: SweepSpec,
  instruments: readonly SweepInstrument[],
  span: SweepSpan,
): Promise<readonly NoteCode[]> {
  const isPointInTime = spec.screenedOn !== null && spec.start !== null && spec.screenedOn < spec.start;
  const survivors = survivorNotes(instruments, { asOf: spec.asOf, isPointInTime });
  if (span === null) return survivors;
  const { spliced } = await selectSessionLedgers(db);
  const missingSessions = spliced.missingBetween(spec.start ?? span.first, Math.min(spec.end ?? spec.asOf, spec.asOf));
  const notes = noteCodesOf(spec, span.first < CONSOLIDATED_FROM, { missingSessions, missingBarsShare: 0 });
  const ids = instruments.map(({ instrumentId }) => instrumentId);
  const isUnpaid = spec.adjust !== 'total' && (await hasPayments(db, ids, span.first, span.last));
  return [...notes, ...(isUnpaid ? (['price_return'] as const) : []), ...survivors];
}
