/** The columns of the known answers, loaded from each form of file, and their values at the sessions of the answers. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import Papa from 'papaparse';
import { selectTickerSpans } from '../../../db/market/instruments.ts';
import {
  type OwnColumn,
  selectColumnRows,
  selectColumnVersion,
  WHOLE_MARKET,
} from '../../../db/research/own-columns.ts';
import { sessionsAfter } from '../../../engine/market/calendar.ts';
import { type Day, requireDay } from '../../../engine/market/dates.ts';
import type { ColumnRows } from '../../../engine/market/own-columns.ts';
import { TickerBook } from '../../../engine/market/ticker-book.ts';
import { required } from '../../../engine/util/values.ts';
import { loadColumn } from '../../../jobs/columns/load.ts';
import type { ColumnSettings } from '../../../jobs/contracts/columns.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { readKnownAnswers } from '../../support/known-answers.ts';
import { createMarketFolder, runSyncJob } from '../../support/market-folder.ts';

interface GivenColumn extends ColumnSettings {
  readonly header: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

interface Answers {
  readonly columns: Readonly<Record<string, GivenColumn>>;
  readonly left_out: Readonly<Record<string, number>>;
  readonly values: readonly [
    column: string,
    n: number | null,
    symbol: string | null,
    session: string,
    value: number | null,
  ][];
}

const answers = readKnownAnswers<unknown, Answers>('columns.json');
const SYMBOLS = fileURLToPath(new URL('../../../../shared/data/market/symbols.csv', import.meta.url));
const NOW = Date.UTC(2026, 5, 1, 16);

const NO_ANSWERS: Answers = { columns: { none: { header: [], rows: [] } }, left_out: {}, values: [] };

answers.describe('the columns of the known answers', () => {
  const { columns, left_out, values } = answers.content ?? NO_ANSWERS;
  const folder = mkdtempSync(join(tmpdir(), 'known-columns-'));
  let database: TestDatabase;
  let book: TickerBook;
  beforeAll(async () => {
    database = await createTestDatabase();
    const market = createMarketFolder({ 'symbols.csv': readFileSync(SYMBOLS, 'utf8') });
    await runSyncJob(database.pool, market.provider(), 'symbols');
    market.remove();
    book = new TickerBook(await selectTickerSpans(database.pool));
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  async function load(name: string) {
    const { header, rows, ...settings } = columns[name];
    const path = join(folder, `${name}.csv`);
    writeFileSync(path, Papa.unparse([[...header], ...rows.map((row) => [...row])]));
    const context = { pool: database.pool, workFolder: folder, now: () => NOW, report: async () => {} };
    const result = await loadColumn(context, { accountId: null, name, settings, quota: null }, path);
    return { ...result, column: required(await selectColumnVersion(database.pool, result.columnId, result.version)) };
  }

  /** The value at the close of a session, found by reading every row. */
  function valueAt({ about, staleAfter }: OwnColumn, rows: ColumnRows | undefined, session: Day, n: number | null) {
    let best = -1;
    for (let i = 0; rows && i < rows.date.length; i++) {
      if (rows.seen[i] > session || (about === 'value' && rows.date[i] > session)) continue;
      const isNewer = (a: number, b: number) =>
        about === 'later'
          ? compareKnown(rows, a, b) >= 0
          : rows.date[a] > rows.date[b] || (rows.date[a] === rows.date[b] && compareKnown(rows, a, b) >= 0);
      if (best === -1 || isNewer(i, best)) best = i;
    }
    if (!rows || best === -1 || Number.isNaN(rows.value[best])) return null;
    const limit = n ?? staleAfter;
    return limit !== null && sessionsAfter(rows.date[best], session) > limit ? null : rows.value[best];
  }

  function compareKnown({ knownDay, knownSecond }: ColumnRows, a: number, b: number): number {
    const at = (i: number) => knownDay[i] * 86_400 + (knownSecond[i] === -1 ? 86_399 : knownSecond[i]);
    return at(a) - at(b);
  }

  for (const name of Object.keys(columns)) {
    it(`load ${name} with every line accounted for, and give its values`, async () => {
      const { account, column } = await load(name);
      expect(account).toMatchObject({
        rejected: 0,
        left_out: left_out[name],
        lines: columns[name].rows.length + 1,
        repeated: 0,
      });
      expect(account.loaded).toBe(columns[name].rows.length - left_out[name]);
      const wanted = values.filter(([of]) => of === name);
      const byId = required(
        (await selectColumnRows(database.pool, [{ columnId: column.id, ...column }], null)).get(column.id),
      );
      const found = wanted.map(([of, n, symbol, session]) => {
        const day = requireDay(session);
        const id =
          symbol === null
            ? WHOLE_MARKET
            : required(book.instrumentOn(symbol, day) ?? required(book.spans(symbol)[0]).instrumentId);
        return [of, n, symbol, session, valueAt(column, byId.get(id), day, n)];
      });
      expect(found.filter((one, i) => JSON.stringify(one) !== JSON.stringify(wanted[i])).slice(0, 10)).toEqual([]);
    });
  }
});
