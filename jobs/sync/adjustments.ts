/** Sync job `adjustments`: replaces all events with those of the provider. */
import { type AdjustmentRow, replaceAdjustments } from '../../db/market/adjustments.ts';
import { selectTickerSpans } from '../../db/market/instruments.ts';
import { type Queryable, transaction } from '../../db/pool.ts';
import { saveWatermark } from '../../db/queue/sync-jobs.ts';
import { insertRejectedRows, type RejectedRow } from '../../db/queue/sync-units.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { eventFault } from '../../engine/market/faults.ts';
import { TickerBook } from '../../engine/market/ticker-book.ts';
import { EventList } from '../providers/event-list.ts';
import { AccountBook } from '../providers/file-account.ts';
import { assertWhole, saveBook } from './file-accounts.ts';
import { instrumentsOf } from './forget.ts';
import { countByReason, type SyncContext, toRejectedRow } from './run.ts';

/** The loaded instruments by ticker and day. */
export async function loadTickerBook(db: Queryable): Promise<TickerBook> {
  return new TickerBook(await selectTickerSpans(db));
}

export async function syncAdjustments({ pool, provider, job, spec, signal, report, now }: SyncContext): Promise<void> {
  const tickers = await loadTickerBook(pool);
  const rejected: RejectedRow[] = [];
  const keepsAccounts = provider.keepsAccounts ?? false;
  const book = new AccountBook();
  const reject = (row: Parameters<typeof toRejectedRow>[0]) => rejected.push(toRejectedRow(row));
  if (spec.forget) await provider.filesWith?.(null);
  const list = new EventList(keepsAccounts, book, (source, content, reason) => {
    reject({ source, content, reason });
    book.reject(source, content, reason);
  });
  for await (const event of provider.adjustments(reject, book)) {
    signal.throwIfAborted();
    const { ticker, exDay, kind, factor, source } = event;
    const content = event.content ?? `${ticker},${formatDay(exDay)},${kind},${factor}`;
    const instrumentId = tickers.instrumentOn(ticker, exDay);
    const fault = instrumentId === null ? 'unknown_instrument' : eventFault(kind, factor);
    if (fault !== null || instrumentId === null) {
      reject({ source, content, reason: fault ?? 'unknown_instrument' });
      book.reject(source, content, fault ?? 'unknown_instrument');
    } else list.add({ instrumentId, exDay, kind, factor, source, content });
  }
  const events: AdjustmentRow[] = list.events();
  const forgotten = spec.forget ? instrumentsOf(tickers, spec.forget.tickers ?? []) : [];
  if (spec.forget) assertWhole(book.all());
  const written = await transaction(pool, async (connection) => {
    const origin = { syncJobId: job.id, at: new Date(now()) };
    const changed = await replaceAdjustments(connection, events, origin, keepsAccounts, forgotten);
    await insertRejectedRows(connection, job.id, null, rejected);
    await saveBook(connection, job.id, book);
    if (spec.through) await saveWatermark(connection, 'adjustments', spec.through);
    return changed;
  });
  await report({ progressPct: 100, rowsWritten: written, rowsRejected: countByReason(rejected) });
}
