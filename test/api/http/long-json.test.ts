/** Long arrays in pieces: cut off after a row, with distributed lengths, and read in batches of rows. */
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { arrayOf, firstRows, objectWith, rowsOf, sharesOf } from '../../../api/http/answer/long-json.ts';
import { JsonStream, JsonText } from '../../../api/http/answer/reply.ts';
import { partCsv } from '../../../api/runs/export.ts';

const ROWS = Array.from({ length: 20 }, (_, seq) => ({ seq, symbol: seq % 3 ? 'A' : '\u00c9t\u00e9', nested: {} }));
const WHOLE = Buffer.from(JSON.stringify(ROWS));

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('the first rows of an array', () => {
  it('are those that are complete within a number of bytes, for any division into pieces', async () => {
    for (const size of [1, 7, 50, 10_000]) {
      for (let max = 0; max < WHOLE.length; max += 13) {
        const cut = await text(firstRows(inPieces(WHOLE, size), max));
        const rows = JSON.parse(cut);
        expect(rows).toEqual(ROWS.slice(0, rows.length));
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(Math.max(2, max + 1));
        if (rows.length < ROWS.length) {
          const next = Buffer.byteLength(JSON.stringify(ROWS.slice(0, rows.length + 1)));
          expect(next).toBeGreaterThan(max - 1);
        }
      }
    }
  });

  it('are all rows if they fit', async () => {
    expect(await text(firstRows(inPieces(WHOLE, 9), WHOLE.length))).toBe(String(WHOLE));
  });
});

it('rows are read in batches', async () => {
  for (const size of [1, 33, 10_000]) {
    const read = [];
    for await (const rows of rowsOf(inPieces(WHOLE, size))) read.push(...rows);
    expect(read).toEqual(ROWS);
  }
  const none = [];
  for await (const rows of rowsOf(inPieces(Buffer.from('[]'), 1))) none.push(...rows);
  expect(none).toEqual([]);
});

it('short parts get all of their bytes, and long ones share the rest', () => {
  expect(sharesOf([100, 10, 100], 110)).toEqual([50, 10, 50]);
  expect(sharesOf([3, 10], 100)).toEqual([3, 10]);
  expect(sharesOf([], 100)).toEqual([]);
});

it('an object with a long member is made while it is sent, and can be sent again', async () => {
  const long = new JsonStream({ [Symbol.asyncIterator]: () => inPieces(WHOLE, 11) }, 'rows');
  const object = objectWith({}, [
    ['short', new JsonText('1')],
    ['rows', long],
    ['last', new JsonText('2')],
  ]);
  if (!(object instanceof JsonStream)) throw new Error('it is no stream');
  for (let i = 0; i < 2; i++) expect(JSON.parse(await text(object.pieces))).toEqual({ short: 1, rows: ROWS, last: 2 });
  expect(objectWith({ a: 1 }, [['b', new JsonText('2')]])).toEqual(new JsonText('{"a":1,"b":2}'));
});

it('an array of objects with long members is made while it is sent', async () => {
  const long = (tag: string | null) => new JsonStream({ [Symbol.asyncIterator]: () => inPieces(WHOLE, 11) }, tag);
  const array = arrayOf([new JsonText('1'), objectWith({ a: 1 }, [['rows', long('rows')]]), new JsonText('{}')]);
  if (!(array instanceof JsonStream)) throw new Error('it is no stream');
  for (let i = 0; i < 2; i++) expect(JSON.parse(await text(array.pieces))).toEqual([1, { a: 1, rows: ROWS }, {}]);
  expect(array.tag).not.toBeNull();
  expect(arrayOf([long(null)])).toMatchObject({ tag: null });
  expect(arrayOf([new JsonText('1'), new JsonText('"b"')])).toEqual(new JsonText('[1,"b"]'));
});

it('a file has the same lines, for any division of the array into pieces', async () => {
  const positions = Buffer.from(
    JSON.stringify(ROWS.map(({ seq }) => ({ ts: `=${seq}`, count: seq, invested_pct: null }))),
  );
  const files = [1, 40, 10_000].map((size) =>
    text(partCsv(['ts', 'count', 'invested_pct'], inPieces(positions, size), 'en')),
  );
  const [file, ...others] = await Promise.all(files);
  expect(new Set(others)).toEqual(new Set([file]));
  expect(file.split('\r\n')).toHaveLength(ROWS.length + 1);
  expect(file).toContain('\r\n"\'=19",19,');
});
