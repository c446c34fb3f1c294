/** Tables and files of the market, SQL over them, and screens as of a past day, as a researcher uses them. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Download } from 'playwright-core';
import { addPerson, type Person } from '../support/accounts.ts';
import { openPythonEnvironment, PythonUnavailable } from '../support/python-environment.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';

const contentOf = async (download: Download) => buffer(await download.createReadStream());

const NARROW = { width: 360, theme: 'dark' } as const;

let site: TestSite;
let person: Person;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true, hasFiles: true });
  person = await addPerson(site.api, undefined, { plan: 'pro' });
});
afterAll(() => site.close());

describe('the tables', () => {
  it('are listed to anyone with their columns and snapshots, one at a time', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/data');
    const changes = page.getByRole('table', { name: 'Snapshots of market.daily_bars' });
    await changes.getByText('session-2026-05-28').waitFor();
    expect(await changes.getByRole('row').count()).toBe(1 + 6);
    expect(await changes.getByRole('row').nth(1).innerText()).toMatch(/session-2026-05-29\s+\+\d+\s+0\s/);
    await page.getByText('venue_mode, year(date)').waitFor();
    await page.getByRole('slider', { name: 'Rows that each load changed' }).waitFor();
    await page.getByRole('row', { name: /market\.symbols/ }).click();
    const columns = page.getByRole('table', { name: 'Columns of market.symbols' });
    await columns.getByRole('row', { name: 'delisted_on date may be null' }).waitFor();
    expect(new URL(page.url()).search).toBe('?table=market.symbols');
    await keepPicture(page, 'data-tables');
    expect([await findings(page), faults]).toEqual([[], []]);
    await context.close();
  });

  it('have lines for each engine with the address of this service, and no key', async () => {
    const { page, context } = await site.open();
    await page.goto('/data');
    for (const [engine, line] of [
      ['DuckDB', `os.environ["MARKET_DATA_KEY"]`],
      ['Spark', 'spark.table("lake.market.daily_bars")'],
    ]) {
      await page.getByRole('radio', { name: engine, exact: true }).first().check();
      const lines = page.getByLabel(engine, { exact: true }).and(page.locator('pre'));
      await lines.getByText(line).waitFor();
      expect(await lines.innerText()).toContain(`"${site.url}"`);
      expect(await lines.innerText()).not.toContain('MARKET_DATA_URL');
    }
    await context.close();
  });

  it('are where the files were', async () => {
    const answer = await fetch(`${site.url}/files?lang=zh-TW`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([301, '/data?lang=zh-TW']);
  });
});

describe('an administrator', () => {
  it('checks files before they are loaded, and decides about data in doubt', async () => {
    await site.database.pool.query(
      `insert into data_findings (instrument_id, kind, day, event_key, details, found_at)
       select id, 'split_suspected', '2026-05-28', '', '{"factor": 0.25, "move_pct": -74.8}', now() from instruments where symbol = 'ACRX'`,
    );
    const { page, context, faults } = await site.open(
      {},
      await addPerson(site.api, undefined, { plan: 'pro', isAdmin: true }),
    );
    await page.goto('/data');
    const text = 'Date,Open,High,Low,Close,Adj Close,Volume\n2026-05-28,1,2,1,2,2,10\n2026-05-29,oops\n';
    const file = { name: 'ROCK.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.getByLabel('Files', { exact: true }).setInputFiles(file);
    await page.getByText('These files can be loaded.').waitFor();
    const wrong = page.getByRole('listitem').filter({ hasText: '2026-05-29,oops' });
    await wrong.getByText(/ROCK.csv:3 · cannot be read/).waitFor();
    await page.getByText('like a split of factor 0.25').waitFor();
    await page.getByText('Bars around it').first().click();
    await page.getByRole('table', { name: 'Bars around it' }).getByText('2026-05-29').waitFor();
    await keepPicture(page, 'data-findings');
    expect([await findings(page), faults]).toEqual([[], []]);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('It is confirmed now.').waitFor();
    await page.setViewportSize({ width: NARROW.width, height: 800 });
    expect(await isTooWide(page)).toBe(false);
    await context.close();
  });
});

describe('market files', () => {
  it('are listed with their sizes, downloaded, and explained for each engine', async () => {
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/data');
    const row = page.getByRole('row', { name: /symbols\.parquet/ });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      row.getByRole('button', { name: 'Download symbols.parquet' }).click(),
    ]);
    expect((await contentOf(download)).subarray(0, 4).toString()).toBe('PAR1');
    expect([await findings(page), faults]).toEqual([[], []]);
    await context.close();
  });

  it('are read by the lines that are shown', async () => {
    const { page, context } = await site.open({}, person);
    await page.goto('/data');
    const shown = page.locator('market-files');
    const linesFor = async (name: string) => {
      await shown.getByRole('radio', { name, exact: true }).check();
      return shown.getByLabel(name, { exact: true }).and(page.locator('pre')).innerText();
    };
    const [curl, sql] = [await linesFor('curl'), await linesFor('DuckDB')];
    await context.close();
    const folder = mkdtempSync(join(tmpdir(), 'market-files-'));
    try {
      await promisify(execFile)('sh', ['-c', curl], { cwd: folder, env: { ...process.env, KEY: person.key } });
      const file = join(folder, 'daily_bars/venue_mode=consolidated/year=2026/part-0.parquet');
      expect(readFileSync(file).subarray(0, 4).toString()).toBe('PAR1');
    } finally {
      rmSync(folder, { recursive: true });
    }
    const progress = (line: string) => void process.stderr.write(`${line}\n`);
    const python = await openPythonEnvironment('test/judges/engines/duckdb.txt', { progress }).catch((error) => {
      if (!(error instanceof PythonUnavailable)) throw error;
      process.stderr.write(`SKIPPED: DuckDB does not read the files (${error.message})\n`);
      return null;
    });
    const rows = await python?.run<[string, number][]>('test/site/run_lines.py', sql.replace('md_…', person.key));
    if (rows) expect(rows.find(([symbol]) => symbol === 'ACRX.US')?.[1]).toBeGreaterThan(0);
  });
});

describe('SQL', () => {
  it('answers with a table, a chart, and a file, by link as well', async () => {
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/sql');
    await page.locator('summary').getByText('sessions', { exact: true }).click();
    await page.getByRole('link', { name: 'First rows of sessions' }).click();
    await page.getByRole('columnheader', { name: 'is_complete' }).waitFor();
    await page.getByRole('link', { name: 'How many are oversold, by day' }).click();
    await page.getByRole('img', { name: 'of_all by date' }).waitFor();
    await page.getByRole('combobox', { name: 'Y axis' }).selectOption({ label: 'oversold' });
    await page.getByRole('img', { name: 'oversold by date' }).waitFor();
    expect(await page.getByRole('row').count()).toBeGreaterThan(50);
    // The file is of the result, not of the text that is being written.
    await page.getByLabel('Query').fill('select 1 as other');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect((await contentOf(download)).toString()).toMatch(/^\uFEFFdate,oversold,of_all\r\n\d{4}-/);
    await keepPicture(page, 'sql-result');
    expect([await findings(page), faults]).toEqual([[], []]);
    await context.close();
  });

  it('draws bars for names, filters rows, and leaves columns out', async () => {
    const { page, context, faults } = await site.open({}, person);
    await page.goto(
      `/sql?query=${encodeURIComponent('select symbol, name, lot_size from symbols order by symbol limit 30')}`,
    );
    await page.getByRole('img', { name: 'lot_size by symbol' }).waitFor();
    const chart = page.getByRole('combobox', { name: 'Chart' });
    const drawn = (mark: string) => page.locator(`query-chart ${mark}`).count();
    const barKind = await chart.inputValue();
    expect(await drawn('rect')).toBe(30);
    const { width } = (await page.locator('query-chart rect').first().boundingBox()) ?? { width: 0 };
    expect(width).toBeGreaterThan(200);
    await chart.selectOption({ label: 'Points' });
    await page.locator('query-chart circle').first().waitFor();
    expect([await drawn('rect'), await drawn('circle')]).toEqual([0, 30]);
    expect(await chart.inputValue()).not.toBe(barKind);
    const first = await page.locator('tbody td').first().innerText();
    await page.getByLabel('Filter these rows').fill(first.toLowerCase());
    await page.getByText('1 of 30 rows').waitFor();
    await page.getByText('Columns, 3 of 3').click();
    await page.getByLabel('lot_size', { exact: true }).uncheck();
    await page.getByText('Columns, 2 of 3').waitFor();
    expect(await page.locator('tbody td').allInnerTexts()).toHaveLength(2);
    expect([await findings(page), faults]).toEqual([[], []]);
    await context.close();
  });

  it('completes views and columns, and takes names from the list beside the editor', async () => {
    const { page, context } = await site.open({}, person);
    await page.goto('/sql');
    const query = page.getByLabel('Query');
    await query.fill('');
    await query.pressSequentially('select ');
    await page.getByRole('button', { name: 'Insert open' }).click();
    await query.pressSequentially(' from sy');
    await page.getByRole('option', { name: 'symbols' }).waitFor();
    await query.press('Tab');
    await query.pressSequentially(' where prim');
    await page.getByRole('option', { name: 'primary_venue' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await query.press('ArrowDown');
    await query.press('Enter');
    expect(await query.inputValue()).toBe('select open from symbols where primary_venue');
    await context.close();
  });

  it('says what is wrong with a query, and fits a phone', async () => {
    const { page, context } = await site.open(NARROW, person);
    await page.goto('/sql');
    await page.getByLabel('Query').fill(`select * from read_csv('/etc/passwd')`);
    await page.getByLabel('Query').press('Control+Enter');
    await page.getByRole('alert').getByText('read_csv()').waitFor();
    await page.getByLabel('Query').fill('select clos from bars');
    await page.getByLabel('Query').press('Control+Enter');
    await page.getByRole('alert').getByText('LINE 1: select clos').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await keepPicture(page, 'sql-refused');
    await page.getByLabel('Query').fill('select symbol from symbols where false');
    await page.getByRole('button', { name: 'Run the query' }).click();
    await page.getByText('The query returned no rows.').waitFor();
    expect(await findings(page)).toEqual([]);
    await context.close();
  });

  it('says which plan includes it to readers of other plans', async () => {
    const free = await addPerson(site.api, undefined, { plan: 'free' });
    const { page, context } = await site.open({}, free);
    for (const path of ['/data', '/sql?query=select%201']) {
      await page.goto(path);
      await page.getByText('Included in the Pro plan and above.').waitFor();
      expect(await findings(page)).toEqual([]);
    }
    await context.close();
  });
});

describe('a screen as of a past day', () => {
  it('is built, shown with its day, and refused for a day without data', async () => {
    const { page, context } = await site.open({}, person);
    await page.goto('/screener?preset=trend_breakout&as_of=2025-05-30');
    await page.getByText(/at the close of May 30, 2025/).waitFor();
    await keepPicture(page, 'screener-as-of');
    await page.getByLabel('As of').fill('2025-05-31');
    await page.getByLabel('As of').blur();
    await page.getByRole('alert').getByText('2025-05-30').waitFor();
    expect(await findings(page)).toEqual([]);
    await context.close();
  });
});
