/** Columns of the market's folder: their settings, and the check of their lines before a load. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { toError } from '../../engine/util/errors.ts';
import { COLUMN_NAME, type ColumnSettings, columnSettingsSchema, isRuleWord } from '../contracts/columns.ts';
import { FileAccount } from '../providers/file-account.ts';
import { readSettings } from '../providers/files/market-json.ts';
import { type ColumnFile, ProviderError } from '../providers/provider.ts';
import { FileCount } from './bounds.ts';
import { FileRefused, IsLabels, LineReader, type ReadingRules } from './line-reader.ts';
import { readColumnFile } from './read-file.ts';
import { assertLoadable, rulesOf } from './read-rows.ts';
import { SymbolBook } from './symbol-book.ts';

const FILE_SETTINGS = columnSettingsSchema.strict();

/** Its settings. Throws `FileRefused` where the file cannot be a column. */
export async function settingsOfFile({ name, disk, settings, reason }: ColumnFile): Promise<ColumnSettings> {
  if (reason !== null) throw new FileRefused(reason);
  if (!COLUMN_NAME.test(name) || isRuleWord(name)) throw new FileRefused(`${name} cannot be the name of a column`);
  try {
    await access(disk, constants.R_OK);
    return settings === null ? {} : ((await readSettings(settings, FILE_SETTINGS)) ?? {});
  } catch (error) {
    const { message } = toError(error);
    throw new FileRefused(error instanceof ProviderError ? message : `it cannot be read: ${message}`);
  }
}

/** Without a list, every ticker may be that of an instrument. */
class AnyTicker extends SymbolBook {
  override instrumentOf(): number {
    return 1;
  }
}

/** The account that a load would make of a file, or of its first `maxBytes`, if it knew every ticker. */
export async function checkColumnFile(file: ColumnFile, maxBytes: number): Promise<FileAccount> {
  const { disk, identity } = file;
  const enough = new AbortController();
  const report = async (share: number) => {
    if (share < 1 && share * identity.bytes >= maxBytes) enough.abort();
    enough.signal.throwIfAborted();
  };
  const once = async (rules: ReadingRules): Promise<FileAccount> => {
    const account = new FileAccount(identity);
    const book = new AnyTicker([], undefined);
    const reader = new LineReader(rules, { account, book, store: { add: () => false } }, []);
    try {
      await readColumnFile(disk, { account, reader, report, count: new FileCount(null), flush: async () => {} });
    } catch (error) {
      if (!enough.signal.aborted) throw error;
      account.tell('counts are of its first lines');
    }
    assertLoadable(account, book, undefined);
    return account;
  };
  try {
    const settings = await settingsOfFile(file);
    return await once(rulesOf(settings, null)).catch((error) => {
      if (!(error instanceof IsLabels)) throw error;
      return once(rulesOf({ ...settings, kind: 'label' }, null));
    });
  } catch (error) {
    return refusedAccount(file, error);
  }
}

/** The account of a file that was refused. Throws any other error. */
export function refusedAccount({ identity }: ColumnFile, error: unknown): FileAccount {
  if (!(error instanceof FileRefused)) throw error;
  const account = error.account ?? new FileAccount(identity);
  account.refuse(error.message);
  return account;
}
