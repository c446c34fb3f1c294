/** Files of bars as they are read, with the splits by which their prices are brought back to as traded. */
import type { Day } from '../../../engine/market/dates.ts';
import { AccountBook, FileAccount } from '../file-account.ts';
import { NO_DAY, ProviderError } from '../provider.ts';
import type { Split } from './as-traded.ts';
import { type BarFile, readBarFile } from './bar-file.ts';
import { readColumnEvents, readEventFile } from './event-files.ts';
import { hasEvents } from './folder-state.ts';
import { identityOf, type SurveyedFile } from './survey.ts';

/** Null: the folder has no list of events, or no prices are to be brought back. */
export async function listedSplits(files: readonly SurveyedFile[]): Promise<ReadonlyMap<string, Split[]> | null> {
  const isNeeded = files.some(({ facts }) => facts.format?.prices === 'split_adjusted');
  return isNeeded && hasEvents(files) ? readSplits(files) : null;
}

/** Splits of `adjustments.csv` and of other lists, by ticker. */
export async function readSplits(files: readonly SurveyedFile[]): Promise<ReadonlyMap<string, Split[]>> {
  const lists = files.filter(({ facts }) => facts.kind === 'events');
  const splits = new Map<string, Split[]>();
  for (const file of lists) {
    for await (const { ticker, kind, exDay, factor } of readEventFile(file, new AccountBook(), () => {})) {
      if (kind === 'cash_dividend' || kind === 'spin_off') continue;
      splits.set(ticker, [...(splits.get(ticker) ?? []), { exDay, factor }]);
    }
  }
  return splits;
}

/** `listed`: null where the folder has no list of events, so that those of the file count. */
export async function openBars(file: SurveyedFile, listed: ReadonlyMap<string, Split[]> | null): Promise<BarFile> {
  const { packing, format, onlyDay = null, days, reason } = file.facts;
  if (!format) throw new ProviderError(reason ?? 'it cannot be read', { isLocal: true });
  const opened = { ...file, packing, format, onlyDay, lastDay: days?.[1] ?? NO_DAY, splitsOf: null };
  if (format.prices !== 'split_adjusted') return opened;
  if (listed) return { ...opened, splitsOf: (ticker) => listed.get(ticker) ?? [] };
  if (format.splitsAt === -1) return opened;
  const own = new Map<string, Split[]>();
  for await (const { ticker, kind, exDay, factor } of readColumnEvents(file)) {
    if (kind !== 'cash_dividend') own.set(ticker, [...(own.get(ticker) ?? []), { exDay, factor }]);
  }
  return { ...opened, splitsOf: (ticker) => own.get(ticker) ?? [] };
}

/** The closes of a file, without an account. A file that cannot be read has none: its load tells it. */
export async function* readCloses(
  file: SurveyedFile,
  listed: ReadonlyMap<string, Split[]> | null,
  today: Day,
): AsyncGenerator<{ readonly ticker: string; readonly day: Day; readonly close: number }> {
  const account = new FileAccount(identityOf(file));
  try {
    for await (const batch of readBarFile(await openBars(file, listed), account, today)) {
      for (let i = 0; i < batch.count; i++) {
        const [ticker, day, close] = [batch.ticker[i], batch.day[i], batch.close[i]];
        if (day !== NO_DAY && close > 0) yield { ticker, day, close };
      }
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
  }
}
