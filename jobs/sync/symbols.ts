/** Sync job `symbols`: updates the instruments by the provider's list. */
import { selectInstrumentKeys, updateInstrumentKey, upsertInstruments } from '../../db/market/instrument-list.ts';
import type { InstrumentFacts } from '../../db/market/instruments.ts';
import { type Connection, transaction } from '../../db/pool.ts';
import { saveWatermark } from '../../db/queue/sync-jobs.ts';
import { insertRejectedRows, type RejectedRow } from '../../db/queue/sync-units.ts';
import { type Day, newYorkDay } from '../../engine/market/dates.ts';
import { isTicker, servedSymbols } from '../../engine/market/symbols.ts';
import { AccountBook } from '../providers/file-account.ts';
import type { ProvidedInstrument } from '../providers/provider.ts';
import { syncColumns } from './columns.ts';
import { saveBook } from './file-accounts.ts';
import { countByReason, type SyncContext, toRejectedRow } from './run.ts';

export async function syncSymbols(context: SyncContext): Promise<void> {
  const { pool, provider, job, spec, signal, report, now } = context;
  const rejected: RejectedRow[] = [];
  const provided = new Map<string, ProvidedInstrument>();
  const reject = (row: Parameters<typeof toRejectedRow>[0]) => rejected.push(toRejectedRow(row));
  const book = new AccountBook();
  const onProgress = (share: number) =>
    report({ progressPct: Math.min(99, 100 * share), rowsWritten: 0, rowsRejected: {} });
  for await (const instrument of provider.instruments(reject, book, onProgress)) {
    signal.throwIfAborted();
    const { source, ticker } = instrument;
    if (!isTicker(ticker)) {
      reject({ source, content: ticker, reason: 'unsupported_symbol' });
      book.reject(source, instrument.content ?? ticker, 'unsupported_symbol');
    } else provided.set(instrument.key, instrument);
  }
  const instruments = [...provided.values()];
  const written = await transaction(pool, async (connection) => {
    const changed = await upsertProvidedInstruments(connection, instruments, newYorkDay(now()));
    await insertRejectedRows(connection, job.id, null, rejected);
    await saveBook(connection, job.id, book);
    if (spec.through) await saveWatermark(connection, 'symbols', spec.through);
    return changed;
  });
  const rowsRejected = countByReason(rejected);
  await syncColumns(context, (share) =>
    report({ progressPct: Math.min(99, 100 * share), rowsWritten: written, rowsRejected }),
  );
  const count = instruments.length;
  await report({
    progressPct: 100,
    symbolsTotal: count,
    symbolsDone: count,
    rowsWritten: written,
    rowsRejected,
  });
}

/** Writes the instruments that have changed, with the symbols under which they are served, and returns their number. `on`: the day of the change. */
export async function upsertProvidedInstruments(
  connection: Connection,
  instruments: readonly ProvidedInstrument[],
  on: Day,
): Promise<number> {
  await adoptChangedKeys(connection, instruments);
  const symbols = servedSymbols(instruments);
  const facts: InstrumentFacts[] = instruments.map((instrument) => ({
    ...instrument,
    providerKey: instrument.key,
    symbol: symbols.get(instrument.key) ?? instrument.ticker,
  }));
  return upsertInstruments(connection, facts, on);
}

/**
 * A provider without stable ids may list an instrument under a new key when it corrects a listing day. If exactly one known instrument
 * of a ticker has disappeared and exactly one new one has appeared, they are the same. Delisted instruments do not count, because
 * another one may have their ticker.
 */
async function adoptChangedKeys(connection: Connection, instruments: readonly ProvidedInstrument[]): Promise<void> {
  const listed = new Set(instruments.map((instrument) => instrument.key));
  const known = await selectInstrumentKeys(connection);
  const knownKeys = new Set(known.map(({ key }) => key));
  const vanished = Map.groupBy(
    known.filter(({ key, isDelisted }) => !isDelisted && !listed.has(key)),
    ({ ticker }) => ticker,
  );
  if (vanished.size === 0) return;
  const appeared = Map.groupBy(
    instruments.filter(({ key }) => !knownKeys.has(key)),
    ({ ticker }) => ticker,
  );
  for (const [ticker, fresh] of appeared) {
    const gone = vanished.get(ticker);
    if (fresh.length === 1 && gone?.length === 1) await updateInstrumentKey(connection, gone[0].id, fresh[0].key);
  }
}
