/** COPY to the client: whole, cut anywhere, with notices in between, and broken off. */
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection, PoolClient } from 'pg';
import { CopyOut } from '../../db/copy-out.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let connection: PoolClient;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = await database.pool.connect();
});
afterAll(async () => {
  connection.release();
  await database.drop();
});

async function textOf(copy: CopyOut): Promise<string> {
  let text = '';
  for await (const pieces of copy) text += Buffer.concat(pieces).toString();
  return text;
}

const copied = (sql: string) => textOf(connection.query(new CopyOut(`copy (${sql}) to stdout`)));

/** A message of the server: its type, its length, and its content. */
function message(type: string, content = ''): Buffer {
  const bytes = Buffer.from(`${type}    ${content}`);
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}

describe('the data of a COPY', () => {
  it('comes whole, whatever the length of its rows, and leaves the connection to the next statement', async () => {
    const lengths = Array.from({ length: 300 }, (_, i) => (i * 7_919) % 70_001);
    const rows = lengths.map((length) => `${'x'.repeat(length)}\n`).join('');
    const sql = `select repeat('x', (i * 7919) % 70001) from generate_series(0, 299) i`;
    for (let round = 0; round < 3; round++) {
      expect(await copied(sql)).toBe(rows);
      expect((await connection.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    }
    expect(await copied('select 1 where false')).toBe('');
  });

  it('has no notices', async () => {
    await connection.query(
      `create function pg_temp.noted(i int) returns int language plpgsql as $$ begin raise notice 'row %', i; return i; end $$`,
    );
    expect(await copied('select pg_temp.noted(i) from generate_series(1, 3) i')).toBe('1\n2\n3\n');
  });

  it('ends with the error of the statement, after which the connection serves the next one', async () => {
    await expect(copied('select repeat(i::text, 100), 1 / (5000 - i) from generate_series(1, 9999) i')).rejects.toThrow(
      'division by zero',
    );
    await expect(copied('select nothing')).rejects.toThrow('nothing');
    expect((await connection.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('is the same wherever its bytes are cut; what was received is freed, and the driver gets what follows', async () => {
    const data = [message('H', 'format'), message('d', 'one'), message('N', 'note'), message('d', 'two'), message('d')];
    const after = [message('c'), message('C', 'COPY 2'), message('Z', 'I')];
    const bytes = Buffer.concat([...data, ...after]);
    for (let size = 1; size <= bytes.length; size++) {
      const stream = new PassThrough();
      let driven = '';
      const drive = (chunk: Buffer) => {
        driven += chunk.toString('latin1');
        if (driven.length === Buffer.concat(after).length) copy.handleReadyForQuery();
      };
      stream.on('data', drive);
      const copy = new CopyOut('copy nothing to stdout');
      copy.submit({ stream, query: () => {} } as unknown as Connection);
      const first = Uint8Array.from(bytes.subarray(0, size));
      stream.write(first);
      for (let at = size; at < bytes.length; at += size) stream.write(Buffer.from(bytes.subarray(at, at + size)));
      expect(await textOf(copy)).toBe('onetwo');
      expect(driven).toBe(Buffer.concat(after).toString('latin1'));
      expect(stream.listeners('data')).toEqual([drive]);
      expect(first).toHaveLength(0);
    }
  });
});
