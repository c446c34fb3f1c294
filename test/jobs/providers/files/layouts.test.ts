/** The same market in every layout: the same bars after loading, whatever dirt is among the lines. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { tableFromJSON, tableToIPC } from 'apache-arrow';
import fc from 'fast-check';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { inventBars, LAYOUT_WRITERS, type WrittenBar } from '../../../support/file-layouts.ts';
import { emptyMarket, loadFolder } from '../../../support/folder-load.ts';
import { createMarketFolder, type MarketFolder } from '../../../support/market-folder.ts';
import { zipOf } from '../../../support/zip.ts';

const SYMBOLS = ['XAA', 'XBB', 'BRK.B'];
const BARS = inventBars(SYMBOLS);
const LIST = `symbol\n${SYMBOLS.join('\n')}\n`;

let database: TestDatabase;
let folder: MarketFolder;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await emptyMarket(database.pool);
  folder = createMarketFolder();
});
afterEach(() => folder.remove());

async function loadedBars(): Promise<WrittenBar[]> {
  const { rows } = await database.pool.query(
    `select ticker as symbol, day as date, open, high, low, close, volume from daily_bars join instruments i on i.id = instrument_id
     order by array_position($1::text[], ticker), day`,
    [SYMBOLS],
  );
  return rows;
}

const prices = async () =>
  new Set((await database.pool.query('select distinct prices from instruments')).rows.map((row) => row.prices));

describe.each(
  LAYOUT_WRITERS.map((writer) => ({
    ...writer,
    title: `${writer.layout}, ${writer.prices}, ${writer.headerLines} header lines${writer.isWide ? ', side by side' : ''}`,
  })),
)('files of $title', ({ layout, files, prices: expected, headerLines, isWide }) => {
  it('give the bars that were written, and the mark of their prices', async () => {
    const written = files(BARS);
    if (layout === 'own') folder.write('symbols.csv', LIST);
    for (const { name, lines } of written) folder.write(name, `${lines.join('\n')}\n`);
    const { bars, files: accounts } = await loadFolder(database.pool, folder.provider());
    expect(bars).toMatchObject({ status: 'ok', rows_rejected: 0 });
    expect(await loadedBars()).toEqual(BARS);
    expect(await prices()).toEqual(new Set([expected]));
    for (const { name, lines } of written) {
      expect(accounts.get(name)).toMatchObject({
        layout,
        header: isWide ? 1 : headerLines,
        loaded: isWide ? BARS.length : lines.length - headerLines,
        told: layout === 'own' ? [] : [expect.stringMatching(/^no list has .*: names and types are not known$/)],
      });
    }
  });
});

/** Kinds of dirt: each makes something of a line. */
const DIRT: readonly ((line: string) => string)[] = [
  (line) => line.replace(/[,;]/, '$&"'),
  (line) => `${line},,x;;`,
  (line) => line.slice(0, line.length >> 1),
  () => '',
  () => '   ',
  (line) => `${line}\n${line}`,
  (line) => line.replace(/\d+([.,]\d+)?(?=[,;]|$)/, '-5'),
  (line) => line.replace(/\d/g, 'z'),
  () => '\u0000\u0001\u0002',
  (line) => `${line}\r`,
];

describe('dirt among the lines of files of every layout', () => {
  it('leaves every line accounted for, and every clean line loaded', async () => {
    const lineOf = fc.record({ at: fc.nat(), kind: fc.nat(DIRT.length - 1) });
    const runs = Number(process.env.DIRT_RUNS ?? 25);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(LAYOUT_WRITERS.length - 1),
        fc.array(lineOf, { minLength: 1, maxLength: 9 }),
        async (which, dirt) => {
          await emptyMarket(database.pool);
          folder.remove();
          folder = createMarketFolder({ 'symbols.csv': LIST });
          const { files, headerLines, isWide } = LAYOUT_WRITERS[which];
          // A file with ten malformed rows is refused.
          const few = isWide ? dirt.slice(0, 9 / SYMBOLS.length) : dirt;
          let clean = 0;
          for (const { name, lines } of files(BARS)) {
            const dirty = [...lines];
            for (const { at, kind } of few) {
              const i = headerLines + (at % (lines.length - headerLines));
              dirty[i] = DIRT[kind](lines[i]);
            }
            clean += dirty.filter((line, i) => i >= headerLines && line === lines[i]).length;
            folder.write(name, `${dirty.join('\n')}\n`);
          }
          // Throws unless every line is accounted for.
          await loadFolder(database.pool, folder.provider());
          const loaded = await loadedBars();
          const right = new Set(BARS.map((bar) => JSON.stringify(bar)));
          expect(loaded.length).toBeGreaterThanOrEqual(clean);
          expect(loaded.filter((bar) => right.has(JSON.stringify(bar))).length).toBeGreaterThanOrEqual(clean);
        },
      ),
      { numRuns: runs },
    );
  });
});

/** Names and types of columns as programs write them: days as days, volumes as 64-bit integers. */
function parquetOf(bars: readonly WrittenBar[]): Buffer {
  const column = (name: keyof WrittenBar) => bars.map((bar) => bar[name]);
  const figures = (['open', 'high', 'low', 'close'] as const).map((name) => ({
    name,
    data: column(name),
    type: 'DOUBLE' as const,
  }));
  const columnData: ColumnSource[] = [
    { name: 'Symbol', data: column('symbol'), type: 'STRING' },
    { name: 'Date', data: bars.map(({ date }) => new Date(date)), type: 'TIMESTAMP' },
    ...figures,
    { name: 'Volume', data: bars.map(({ volume }) => BigInt(volume)), type: 'INT64' },
  ];
  return Buffer.from(parquetWriteBuffer({ columnData }));
}

describe('packed files', () => {
  const own = LAYOUT_WRITERS[0].files(BARS)[0];
  const text = `${own.lines.join('\n')}\n`;
  it.each([
    ['gzip', `${own.name}.gz`, () => gzipSync(text)],
    ['zstd', `${own.name}.zst`, () => zstdCompressSync(text)],
    ['UTF-16', own.name, () => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['Parquet', 'market.parquet', () => parquetOf(BARS)],
    ['Arrow', 'market.arrow', () => tableToIPC(tableFromJSON(BARS.map((bar) => ({ ...bar }))), 'file')],
    ['a zip archive', 'market.zip', () => zipOf({ [own.name]: text, '__MACOSX/._own.csv': 'nothing' })],
  ])('are read: %s', async (_what, name, content) => {
    folder.write('symbols.csv', LIST);
    folder.write('market.json', '{"prices": "as_traded"}');
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), await content());
    await loadFolder(database.pool, folder.provider());
    expect(await loadedBars()).toEqual(BARS);
  });
});
