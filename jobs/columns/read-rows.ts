/** Reads the file of a column: its lines into a store of rows, by the rules of the column. */
import { join } from 'node:path';
import { selectTickerSpans } from '../../db/market/instruments.ts';
import type { Pool } from '../../db/pool.ts';
import type { OwnColumn } from '../../db/research/own-columns.ts';
import type { Day } from '../../engine/market/dates.ts';
import { keysOf } from '../../engine/util/values.ts';
import type { ColumnQuota, ColumnSettings } from '../contracts/columns.ts';
import { FileAccount, type FileIdentity } from '../providers/file-account.ts';
import { FileCount } from './bounds.ts';
import { type FormRows, formOf } from './forms.ts';
import { FileRefused, IsLabels, LineReader, type ReadingRules } from './line-reader.ts';
import { readColumnFile } from './read-file.ts';
import { RowStore } from './row-store.ts';
import { SymbolBook } from './symbol-book.ts';

/** The rules of a file: those of the column that it is appended to, or of its settings. */
export function rulesOf(settings: ColumnSettings, base: OwnColumn | null): ReadingRules {
  const { kind, market = false, lag, about = 'value', day_means: dayMeans = 'after_close', form = 'rows' } = settings;
  if (market && form !== 'rows') throw new FileRefused('a column of the market has no intervals and no lists of names');
  if (form !== 'rows' && kind === 'label') throw new FileRefused('membership is a number: 1');
  if (kind === 'label' && (settings.dimension ?? 'none') !== 'none') throw new FileRefused('labels have no dimension');
  const rules = { kind: form === 'rows' ? (kind ?? null) : 'number', isMarket: market, about, dayMeans, form } as const;
  if (base === null) return { ...rules, lag: lag ?? (form === 'rows' ? 1 : 0) };
  const fixed = {
    kind: base.kind,
    market: base.isMarket,
    lag: base.lag,
    dimension: base.dimension,
    about: base.about,
    day_means: base.dayMeans,
    unit: base.unit,
    stale_after: base.staleAfter,
  };
  for (const name of keysOf(fixed)) {
    const given = settings[name];
    if (given === undefined || given === fixed[name]) continue;
    throw new FileRefused(
      `${name} of the column is ${fixed[name] ?? 'none'}, and rows are appended; mode=replace changes it`,
    );
  }
  return {
    ...rules,
    kind: base.kind,
    isMarket: base.isMarket,
    lag: base.lag,
    about: base.about,
    dayMeans: base.dayMeans,
  };
}

/** The rows of a file, before they are written. */
export interface ReadRows {
  readonly rules: ReadingRules;
  readonly kind: 'number' | 'label';
  readonly layout: string;
  readonly account: FileAccount;
  readonly book: SymbolBook;
  readonly store: RowStore;
  readonly labels: readonly string[];
  readonly form: FormRows;
  /** The day of the first list of names; null: the file has none. */
  readonly firstList: Day | null;
}

interface FileToRead {
  readonly path: string;
  /** As its account has it. */
  readonly identity?: FileIdentity;
  readonly settings: ColumnSettings;
  readonly rules: ReadingRules;
  /** Null: no limits. */
  readonly quota: ColumnQuota | null;
  /** Those of the column that it is appended to. */
  readonly labels: readonly string[];
  /** For rows that do not fit into memory. */
  readonly folder: string;
  /** Called often, with the share of the file that has been read. */
  readonly report: (share: number) => Promise<void>;
}

/** Throws `FileRefused` when the file cannot be loaded. The caller closes the store. */
export async function readRows(
  pool: Pool,
  { path, identity = identityAt(path), settings, rules, quota, labels, folder, report }: FileToRead,
): Promise<ReadRows> {
  const spans = await selectTickerSpans(pool);
  const once = async (given: ReadingRules): Promise<ReadRows> => {
    // An interval says when its instrument had the ticker.
    const symbols = settings.symbols ?? (given.form === 'intervals' ? 'as_of_date' : undefined);
    const account = new FileAccount(identity);
    const book = new SymbolBook(spans, symbols);
    const store = new RowStore(join(folder, given.kind ?? 'rows'));
    const reader = new LineReader(given, { account, book, store }, labels);
    try {
      const layout = await readColumnFile(path, {
        account,
        reader,
        report,
        count: new FileCount(quota && { name: 'column_rows_max', max: quota.rows }),
        flush: () => store.flush(),
      });
      const kind = given.kind ?? 'number';
      const form = formOf(given.form, given.lag, reader.snapshots);
      const firstList = reader.snapshots.size === 0 ? null : Math.min(...reader.snapshots);
      assertLoadable(account, book, symbols);
      return { rules: given, kind, layout, account, book, store, labels: [...reader.labels.keys()], form, firstList };
    } catch (error) {
      await store.close();
      throw error;
    }
  };
  try {
    return await once(rules);
  } catch (error) {
    if (!(error instanceof IsLabels)) throw error;
    return once(rulesOf({ ...settings, kind: 'label' }, null));
  }
}

function identityAt(path: string): FileIdentity {
  return { path, layout: null, bytes: 0, modifiedMs: 0, firstLine: null, told: [] };
}

/** Rejected lines that a refusal shows. */
const SHOWN = 3;

export function assertLoadable(account: FileAccount, book: SymbolBook, symbols: ColumnSettings['symbols']): void {
  if (account.isTooMalformed) {
    const shown = account.rejectedLines
      .slice(0, SHOWN)
      .map(({ line, reason, text }) => `line ${line} (${reason}): ${text}`);
    const { malformed, dataLines } = account;
    throw new FileRefused(`${malformed} of ${dataLines} lines cannot be read: ${shown.join('; ')}`, account);
  }
  const { count, symbols: tickers } = book.ambiguousTickers;
  if (count > 0 && symbols === undefined) {
    throw new FileRefused(
      `symbols=as_of_date or symbols=current must say whose ${tickers.join(', ')} are: another instrument has the ticker now`,
      account,
    );
  }
  if (account.loaded === 0)
    throw new FileRefused(`no line of ${account.dataLines} has a value of a known instrument`, account);
}
