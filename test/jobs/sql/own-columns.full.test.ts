/** `my_columns` in SQL: the rows of the caller and of everyone, for the queries that name it, each in a real process. */
import { mkdtempSync, readdirSync, readlinkSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { required } from '../../../engine/util/values.ts';
import { SQL_LIMITS } from '../../../jobs/contracts/sql.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { cacheLake } from '../../../jobs/sql/lake-cache.ts';
import { openColumns } from '../../../jobs/sql/own-columns.ts';
import { runQuery } from '../../../jobs/sql/run-query.ts';
import { endSpare } from '../../../jobs/sql/spare.ts';
import { currentLake } from '../../../jobs/tables/lake-at.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addAdmin, addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import type { TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { removeTree } from '../../support/folders.ts';
import { testJobContext } from '../../support/job-context.ts';
import { runNow } from '../../support/run-jobs.ts';
import { createWrittenDatabase } from '../../support/written-market.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const provider = new SampleProvider({ symbols: 50, now: () => NOW });
const directory = mkdtempSync(join(tmpdir(), 'market-sql-columns-'));
const work = join(directory, 'work');
const storage = openStorage({ folder: join(directory, 'objects') });
/** Nobody ends or pauses a query. */
const freely = { signal: new AbortController().signal, isPaused: () => false };
const COLUMNS = ['name', 'owner', 'symbol', 'date', 'known_at', 'seen', 'value', 'label', 'version', 'added_in'];
/** It runs until it is ended. */
const ENDLESS = 'select count(*) from my_columns, bars a, bars b, bars c where a.close + b.close + c.close < 0';

let database: TestDatabase;
let api: TestApi;
let ada: Person;
let bob: Person;
let eve: Person;
let folder: string;

const context = () => testJobContext({ pool: database.pool, storage, now: () => NOW, workFolder: work });

beforeAll(async () => {
  database = await createWrittenDatabase(provider, join(directory, 'objects'), [NOW]);
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
  [ada, bob, eve] = await Promise.all(['pro', 'pro', 'pro'].map(() => addPerson(api, undefined, { plan: 'pro' })));
  folder = await cacheLake(context(), required(await currentLake(context())));
  const admin = await addAdmin(api);
  await write('sector', SECTORS, '?lag=0');
  await write('score', SCORES);
  await write('score', 'symbol,date,known_at,value\nACRX,2024-05-01,2024-05-02T17:30:00,7.5\n', '?mode=append');
  await write('sector', 'symbol,date,value\nACRX,2024-01-02,Rail\n', '?lag=0', bob);
  const common = '?lag=0&source=Made&license=None';
  await write('sector', 'symbol,date,value\nACRX,2024-01-02,Common\n', common, admin, '/api/admin/columns');
  await write('vix', 'date,value\n2024-01-02,13.2\n', `${common}&market=true`, admin, '/api/admin/columns');
});
afterAll(async () => {
  endSpare();
  await api.close();
  await database.drop();
  removeTree(directory);
});

const SECTORS = `symbol,date,known_at,value
ACRX,2024-01-02,,Tech
LUMA,2024-01-02,2024-03-01T09:00:00,Energy
ACRX,2024-06-03,2024-07-01,Money
ACRX,2024-08-01,2024-08-05,
`;
const SCORES = `symbol,date,known_at,value
ACRX,2024-02-01,2024-02-15,1.5
ACRX,2024-03-01,2024-04-01T18:00:00,-2
LUMA,2024-02-01,,
`;

async function write(name: string, file: string, query = '', person = ada, path = '/v1/my/columns'): Promise<void> {
  const headers = path === '/v1/my/columns' ? person.program : person.console;
  const given = { storage, workFolder: work };
  const { body } = await runNow(api, given, { path: `${path}/${name}${query}`, file, headers });
  expect([name, body.data.status]).toEqual([name, 'done']);
}

/** The state of the job of a query. */
async function stateOf(body: object, { program: headers } = ada) {
  return (await runNow(api, { storage, workFolder: work }, { path: '/v1/sql', body, headers })).body.data;
}

async function rowsOf(query: string, person = ada, more: object = {}): Promise<unknown[][]> {
  const { result, error } = await stateOf({ query, limit: 10_000, ...more }, person);
  expect([query, error]).toEqual([query, null]);
  return result.rows;
}

interface ServedRow {
  readonly symbol: string;
  readonly date: string;
  readonly known_at: string;
  readonly seen: string;
  readonly value: string | number | null;
}

async function served(column: string, symbol: string): Promise<ServedRow[]> {
  const { body }: Response = await api.get(`/v1/my/columns/${column}/rows?symbol=${symbol}`, ada.program);
  return body.data.items;
}

describe('the rows of an account', () => {
  it('are those of the newest version of each column, as the API serves them', async () => {
    for (const [column, version] of [
      ['sector', 1],
      ['score', 2],
    ] as const) {
      const rows = (await Promise.all(['ACRX', 'LUMA'].map((symbol) => served(column, symbol)))).flat();
      expect(rows.length).toBeGreaterThan(3);
      const text = (value: ServedRow['value']) => (typeof value === 'string' ? value : null);
      const number = (value: ServedRow['value']) => (typeof value === 'number' ? value : null);
      const expected = rows.map(({ symbol, date, known_at, seen, value }) => {
        return [
          column,
          'account',
          symbol,
          date,
          known_at,
          seen,
          number(value),
          text(value),
          version,
          value === 7.5 ? 2 : 1,
        ];
      });
      expect(await rowsOf(`from my_columns where name = '${column}' order by symbol, date, seen`)).toEqual(expected);
    }
    const values = `select value, label from my_columns where name in ('score', 'sector') and symbol = 'ACRX.US'
      order by name, date`;
    expect(await rowsOf(values)).toEqual([
      [1.5, null],
      [-2, null],
      [7.5, null],
      [null, 'Tech'],
      [null, 'Money'],
      [null, null],
    ]);
  });

  it('join the bars as of the session that sees them first', async () => {
    const found = await rowsOf(`
      select b.date, c.value from bars b
      asof join (from my_columns where name = 'score') c on b.symbol = c.symbol and b.date >= c.seen
      where b.symbol = 'ACRX.US' and b.venue_mode = 'primary_session' order by b.date`);
    const days = await rowsOf(
      `select date from bars where symbol = 'ACRX.US' and venue_mode = 'primary_session' order by date`,
    );
    const rows = await served('score', 'ACRX');
    const expected = days.flatMap(([day]) => {
      const newest = rows.filter(({ seen }) => seen <= String(day)).at(-1);
      return newest === undefined ? [] : [[day, newest.value]];
    });
    expect(new Set(expected.map(([, value]) => value))).toEqual(new Set([1.5, -2, 7.5]));
    expect(found).toEqual(expected);
    // Known after the close of the day, so seen at the next one.
    const change = found.findIndex(([, value]) => value === 7.5);
    expect(found[change]).toEqual(['2024-05-03', 7.5]);
  });

  it('are described and listed as the other views are', async () => {
    const types = [
      'VARCHAR',
      'VARCHAR',
      'VARCHAR',
      'DATE',
      'VARCHAR',
      'DATE',
      'DOUBLE',
      'VARCHAR',
      'INTEGER',
      'INTEGER',
    ];
    const described = (await rowsOf('describe my_columns')).map(([name, type]) => [name, type]);
    expect(described).toEqual(COLUMNS.map((name, i) => [name, types[i]]));
    const listed = (await rowsOf(`pragma table_info('my_columns')`)).map(([, name, type]) => [name, type]);
    expect(listed).toEqual(described);
    expect(await rowsOf('show tables')).toContainEqual(['my_columns']);
    expect((await rowsOf('explain analyze select count(*) from my_columns')).length).toBe(1);
  });
});

describe('the rows of others', () => {
  const query = 'select name, owner, symbol, label, value from my_columns order by all';
  const rail = ['sector', 'account', 'ACRX.US', 'Rail', null];
  const vix = ['vix', 'everyone', null, null, 13.2];

  it('are of no other account, also where names, queries, and keys of calls are equal', async () => {
    const all = (person: Person) => rowsOf(query, person);
    const [own, other, none] = [await all(ada), await all(bob), await all(eve)];
    expect(own).toHaveLength(9);
    expect(own.at(-1)).toEqual(vix);
    expect(own.filter(([, owner]) => owner === 'everyone')).toEqual([vix]);
    expect(other).toEqual([rail, vix]);
    expect(none).toEqual([['sector', 'everyone', 'ACRX.US', 'Common', null], vix]);
    const key = { 'idempotency-key': 'columns' };
    for (const [person, rows] of [
      [ada, own],
      [bob, other],
      [eve, none],
    ] as const) {
      const program = { ...person.program, ...key };
      expect(await rowsOf(query, { ...person, program })).toEqual(rows);
    }
  });

  it('are not in the files of an earlier load that another account has read', async () => {
    const { data_version: load } = (await stateOf({ query: 'select 1' })).result;
    const past = { as_of_load: load };
    expect(await rowsOf(query, ada, past)).toHaveLength(9);
    expect(await rowsOf(query, bob, past)).toEqual([rail, vix]);
    const files = readdirSync(join(work, 'lake-cache'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((path) => path.includes('columns'))).toEqual([]);
  });
});

/** The files that were in the work folder while `act` ran. */
async function filesDuring(act: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const watcher = watch(work, (_, name) => void seen.push(String(name)));
  try {
    await act();
    const last = `end-${seen.length}`;
    writeFileSync(join(work, last), '');
    await eventually(
      async () => seen.includes(last),
      (isThere) => isThere,
    );
  } finally {
    watcher.close();
  }
  return [...new Set(seen)].filter((name) => name.startsWith('columns-'));
}

describe('the file of the rows', () => {
  it('is written for a query that names the view, and for no other', async () => {
    const named = ['from MY_Columns', 'with a as (select (select max(value) from "my_columns") as v) from a'];
    for (const query of named)
      expect([query, await filesDuring(() => rowsOf(query))]).toEqual([query, [expect.any(String)]]);
    const others = [
      `select count(*), 'from my_columns' from symbols -- from my_columns`,
      'select my_columns.symbol from symbols my_columns limit 1',
      'select 1 as my_columns',
      'show tables',
      'pragma table_info(my_columns)',
    ];
    for (const query of others) expect([query, await filesDuring(() => rowsOf(query))]).toEqual([query, []]);
    const refused = `select * from my_columns, read_text('/etc/hostname')`;
    expect(await filesDuring(() => stateOf({ query: refused }))).toEqual([]);
  });

  it('has no name while it is read, so nothing is left of it when the processes end', async () => {
    const file = required(await openColumns(context(), null));
    const abort = new AbortController();
    const running = runQuery(folder, { query: ENDLESS, limit: 1 }, { ...freely, signal: abort.signal }, file);
    running.catch(() => {});
    const links = () => readdirSync('/proc/self/fd').map((fd) => linkOf(`/proc/self/fd/${fd}`));
    const isColumns = (path: string) => path.startsWith(join(work, 'columns-'));
    expect(links().filter(isColumns)).toEqual([expect.stringContaining('(deleted)')]);
    expect(readdirSync(work).filter((name) => name.startsWith('columns-'))).toEqual([]);
    abort.abort(new Error('canceled'));
    await expect(running).rejects.toThrow('canceled');
    await file.close();
    for (const query of ['from my_columns', 'select nosuch from my_columns']) await stateOf({ query });
    expect(links().filter(isColumns)).toEqual([]);
  });

  it('is closed when its rows cannot be read', async () => {
    const ended = { ...context(), signal: AbortSignal.abort(new Error('canceled')) };
    await expect(openColumns(ended, null)).rejects.toThrow('canceled');
    const links = readdirSync('/proc/self/fd').map((fd) => linkOf(`/proc/self/fd/${fd}`));
    expect(links.filter((path) => path.startsWith(join(work, 'columns-')))).toEqual([]);
  });

  it('is the only one that its process may read beside the lake', async () => {
    const file = required(await openColumns(context(), null));
    const run = async (query: string) => (await runQuery(folder, { query, limit: 10 }, freely, file)).outcome.type;
    expect(await run('from my_columns')).toBe('done');
    for (const query of [
      `from read_parquet('/dev/fd/3')`,
      `from '/dev/fd/3'`,
      `from read_text('/etc/hostname')`,
      `from my_columns, read_blob('/proc/self/environ')`,
      'pragma storage_info(my_columns)',
    ]) {
      expect([query, await run(query)]).toEqual([query, 'refused']);
    }
    await file.close();
  });

  it('is not made of more rows than a query may read', async () => {
    const rows = (SQL_LIMITS.columnsMb * 2 ** 20) / 24 + 1;
    const { rows: was } = await database.pool.query(
      `update column_versions v set rows = $1 from own_columns c
       where c.id = v.column_id and c.name = 'sector' and c.account_id = $2 returning v.column_id as id`,
      [Math.ceil(rows), bob.id],
    );
    const { status, error } = await stateOf({ query: 'from my_columns' }, bob);
    expect([status, error.key]).toEqual(['failed', 'error.sql_exceeded']);
    expect(error.message).toContain('needs more than 512 MB (my_columns)');
    expect(await rowsOf('select count(*) from symbols where false', bob)).toEqual([[0]]);
    await database.pool.query('update column_versions set rows = 1 where column_id = $1', [was[0].id]);
  });
});

const linkOf = (path: string) => {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
};
