/** Sync job `adjustments`: replaces all events with those of the provider. */
import { type AdjustmentRow, replaceAdjustments } from '../../db/market/adjustments.ts';
import { selectTickerSpans } from '../../db/market/instruments.ts';
import { type Queryable, transaction } from '../../db/pool.ts';
import { saveWatermark } from '../../db/queue/sync-jobs.ts';
import { insertRejectedRows, type RejectedRow } from '../../db/queue/sync-units.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { TickerBook } from '../../engine/market/ticker-book.ts';
import { countByReason, type SyncContext, toRejectedRow } from './run.ts';

/** The loaded instruments by ticker and day. */
export async function loadTickerBook(db: Queryable): Promise<TickerBook> {
  return new TickerBook(await selectTickerSpans(db));
}

/** Factors of one event. A handful beyond them would make adjusted prices overflow. */
const FACTORS = { min: 1e-6, max: 1e6 } as const;

export async function syncAdjustments({ pool, provider, job, spec, signal, report, now }: SyncContext): Promise<void> {
  const tickers = await loadTickerBook(pool);
  const rejected: RejectedRow[] = [];
  const events: AdjustmentRow[] = [];
  const seen = new Map<string, number>();
  const reject = (row: Parameters<typeof toRejectedRow>[0]) => rejected.push(toRejectedRow(row));
  for await (const { ticker, exDay, kind, factor, source } of provider.adjustments(reject)) {
    signal.throwIfAborted();
    const content = `${ticker},${formatDay(exDay)},${kind},${factor}`;
    const instrumentId = tickers.instrumentOn(ticker, exDay);
    if (instrumentId === null) {
      reject({ source, content, reason: 'unknown_instrument' });
      continue;
    }
    if (!(factor >= FACTORS.min && factor <= FACTORS.max)) {
      reject({ source, content, reason: 'implausible_factor' });
      continue;
    }
    // Two events of one kind on one day are separate: a regular and a special dividend, for example.
    const sameDay = `${instrumentId} ${kind} ${exDay}`;
    const n = (seen.get(sameDay) ?? 0) + 1;
    seen.set(sameDay, n);
    events.push({ instrumentId, eventKey: `${kind}@${formatDay(exDay)}#${n}`, exDay, kind, factor });
  }
  const written = await transaction(pool, async (connection) => {
    const changed = await replaceAdjustments(connection, events, { syncJobId: job.id, at: new Date(now()) });
    await insertRejectedRows(connection, job.id, null, rejected);
    if (spec.through) await saveWatermark(connection, 'adjustments', spec.through);
    return changed;
  });
  await report({ progressPct: 100, rowsWritten: written, rowsRejected: countByReason(rejected) });
}
