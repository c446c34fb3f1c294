/** Own columns over HTTP on a real market, compared with figures that another implementation of the same rules computed. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import Papa from 'papaparse';
import { type FolderApi, openFolderApi } from '../../support/folder-api.ts';
import { expectServed, readKnownAnswers } from '../../support/known-answers.ts';
import { createRealFolder } from '../../support/real-folder.ts';

const NOW = Date.parse('2026-01-05T17:00:00Z');

interface GivenColumn {
  readonly header: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

interface Case {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  readonly uses: readonly string[];
  readonly metrics: Readonly<Record<string, number | string>>;
  readonly equity: readonly (readonly [string, number, number])[];
  readonly sessions: number;
  readonly rebalances?: readonly { readonly ts: string; readonly eligible: number; readonly scored: number }[];
  readonly trades: { readonly count: number; readonly first: readonly Record<string, number | string>[] };
}

interface Content {
  readonly columns: Readonly<Record<string, GivenColumn>>;
  readonly left_out: Readonly<Record<string, number>>;
  readonly lists: readonly { readonly where: string; readonly as_of: string; readonly symbols: readonly string[] }[];
}

const { cases, content, describe } = readKnownAnswers<Case, Content>('columns.json');
/** Outcomes of signals have no route. */
const runs = cases.filter(({ path }) => path !== '/v1/outcomes');

let api: FolderApi;

describe('own columns on a real market', () => {
  const { columns, left_out, lists } = content ?? { columns: {}, left_out: {}, lists: [] };

  beforeAll(async () => {
    // The list has a second LH with the bars of six weeks, which by our rules ends the first; the other implementation goes on with it.
    const ofSecond = /^LH,.*,2024-05-20,|^LH,2024-(05-[23]|06-[01]|06-2[0-6])/;
    const isKept = (line: string) => !ofSecond.test(line);
    api = await openFolderApi(createRealFolder({ has: () => true }, isKept), NOW);
    for (const [name, { header, rows, ...settings }] of Object.entries(columns)) {
      const query = new URLSearchParams(
        Object.entries(settings).map(([key, value]): [string, string] => [key, String(value)]),
      );
      const file = Papa.unparse([[...header], ...rows.map((row) => [...row])]);
      const { result } = await api.send(`/v1/my/columns/${name}?${query}`, file);
      expect(result.account).toMatchObject({ loaded: rows.length - left_out[name], left_out: left_out[name] });
    }
  });
  afterAll(() => api?.close());

  it.each(runs.map((one) => [one.name, one] as const))('%s', async (_, answer) => {
    const { error, result } = await api.run(answer.path, answer.body);
    expect(error).toBeNull();
    expectServed(result, answer);
    expect(result.trades).toHaveLength(answer.trades.count);
    for (const [i, { entry_date, exit_date }] of answer.trades.first.entries())
      expect(result.trades[i]).toMatchObject({ entry_date, exit_date });
    for (const { ts, eligible, scored } of answer.rebalances ?? [])
      expect(result.rebalances).toContainEqual(expect.objectContaining({ ts, eligible, scored }));
    expect((result.columns ?? []).map(({ name }: { name: string }) => name).sort()).toEqual([...answer.uses].sort());
    for (const { rows_used, sha256 } of result.columns ?? []) {
      expect(rows_used).toBeGreaterThan(0);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it.each(lists.map((list) => [list.where, list] as const))('find %s', async (where, { as_of, symbols }) => {
    const { result } = await api.run('/v1/screener', { where, as_of, limit: 500 });
    const found = result.items.map(({ symbol }: { symbol: string }) => symbol.replace('.US', ''));
    expect(found.sort()).toEqual([...symbols].sort());
  });
});
