/** The archive of what an account has kept, as a stream: parts are read and compressed one by one while it is consumed. */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import yazl from 'yazl';
import { type AccountPart, readAccountPart, selectKeptIdsOf } from '../../db/accounts/account-data.ts';
import { selectInstruments } from '../../db/market/instruments.ts';
import type { Connection } from '../../db/pool.ts';
import { selectColumns } from '../../db/research/own-columns.ts';
import { toError } from '../../engine/util/errors.ts';
import { backtestPrefix, sweepResultKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { columnCsv } from '../columns/rows-csv.ts';
import type { Report } from './csv-lines.ts';

/** A file of the archive. */
interface Member {
  readonly name: string;
  readonly content: Readable;
}

type ReadStorage = Pick<ObjectStorage, 'get' | 'list'>;

export interface AccountSource {
  /** In a transaction that reads one snapshot. */
  readonly connection: Connection;
  readonly storage: ReadStorage;
  readonly userId: number;
  /** The time of the files. */
  readonly at: Date;
  readonly report: Report;
}

/** Parts of one row. */
const SINGLE: readonly AccountPart[] = ['account'];
/** In `runs.json` each run is without its long parts, which are files of their own. */
const PARTS: readonly AccountPart[] = [
  ...SINGLE,
  'api-keys',
  'assistant-grants',
  'login-sessions',
  'strategies',
  'strategy-versions',
  'watches',
  'signals',
  'drawings',
  'forward-records',
  'forward-entries',
  'columns',
  'webhooks',
  'sweeps',
  'runs',
];

/** Bytes of the archive. `count` learns of each file that is added. */
export async function* accountArchive(source: AccountSource, count: () => void): AsyncGenerator<Buffer> {
  const zip = new yazl.ZipFile();
  const output = Readable.from(zip.outputStream);
  const added = addMembers(zip, source, count, output);
  added.catch((error) => output.destroy(toError(error)));
  yield* output;
  await added;
}

/** A member is opened when the one before it has been read. */
async function addMembers(
  zip: yazl.ZipFile,
  source: AccountSource,
  count: () => void,
  output: Readable,
): Promise<void> {
  for await (const { name, content } of membersOf(source)) {
    const abandon = () => content.destroy();
    output.once('close', abandon);
    zip.addReadStream(content, name, { mtime: source.at });
    await finished(content);
    output.off('close', abandon);
    count();
  }
  zip.end();
}

async function* membersOf({ connection, storage, userId, report }: AccountSource): AsyncGenerator<Member> {
  for (const part of PARTS) {
    const rows = readAccountPart(connection, part, userId);
    yield { name: `${part}.json`, content: Readable.from(jsonOf(rows, SINGLE.includes(part))) };
  }
  const { runs, sweeps } = await selectKeptIdsOf(connection, userId);
  for (const [n, id] of runs.entries()) {
    yield* longParts(storage, backtestPrefix(userId, id), `runs/${id}/`);
    await report((n + 1) / (runs.length + sweeps.length));
  }
  for (const [n, id] of sweeps.entries()) {
    const content = await storage.get(sweepResultKey(userId, id));
    if (content) yield { name: `sweeps/${id}/result.json`, content };
    await report((runs.length + n + 1) / (runs.length + sweeps.length));
  }
  yield* columnFiles(connection, userId);
}

/** The rows of the newest version of each column of the account. */
async function* columnFiles(connection: Connection, userId: number): AsyncGenerator<Member> {
  const own = (await selectColumns(connection, userId)).filter(({ accountId }) => accountId === userId);
  if (own.length === 0) return;
  const symbols = new Map((await selectInstruments(connection)).map(({ id, symbol }) => [id, symbol]));
  for (const column of own) {
    yield { name: `columns/${column.name}.csv`, content: Readable.from(columnCsv(connection, column, symbols)) };
  }
}

/** The long parts of a kept run as they are stored; none of one that was deleted meanwhile. */
async function* longParts(storage: ReadStorage, prefix: string, folder: string): AsyncGenerator<Member> {
  const keys = (await Array.fromAsync(storage.list(prefix))).map(({ key }) => key);
  for (const key of keys) {
    const name = key.slice(prefix.length);
    // Those in folders are of the table of the run, which has the same rows.
    if (name.includes('/')) continue;
    const content = await storage.get(key);
    if (content) yield { name: `${folder}${name}`, content };
  }
}

/** Rows as an array, or the only one as an object. */
async function* jsonOf(rows: AsyncIterable<object>, isSingle: boolean): AsyncGenerator<string> {
  let between = isSingle ? '' : '[';
  for await (const row of rows) {
    yield `${between}${JSON.stringify(row)}`;
    between = ',\n';
  }
  if (!isSingle) yield between === '[' ? '[]\n' : ']\n';
}
