/** Examples of pages, of texts, and of `npm start` on a market that has none of the sample market's symbols. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SITE_FOLDER } from '../../api/site/manifest.ts';
import { PAGES } from '../../api/site/pages.ts';
import { exampleSymbols, readyText } from '../../ops/processes/service.ts';
import { addAdmin, addPerson } from '../support/accounts.ts';
import { type MadeUpMarket, madeUpMarket } from '../support/made-up-market.ts';
import { keepPicture, openTestSite, type TestSite } from '../support/site.ts';

const SAMPLE_TICKER = /\b(ACRX|BRVA|LUMA|TMRK|MTMX)\b/;

let market: MadeUpMarket;
let site: TestSite;
beforeAll(async () => {
  market = madeUpMarket(['ALFA', 'BETA', 'GAMA'], '2024-01-02', '2026-05-29');
  site = await openTestSite({ market: market.folder, hasWorker: true, hasFiles: true });
});
afterAll(async () => {
  await site.close();
  market.folder.remove();
});

describe('on a market other than the sample market', () => {
  it('no page, module, or text of the site names a symbol of the sample market', async () => {
    const assets = readdirSync(SITE_FOLDER)
      .filter((name) => /\.(js|css|svg)$/.test(name))
      .map((name) => [name, readFileSync(join(SITE_FOLDER, name), 'utf8')]);
    expect(assets.length).toBeGreaterThan(PAGES.length);
    const pages = PAGES.filter(({ path }) => !path.includes('{')).map(async ({ path }) => {
      const response = await fetch(`${site.url}${path}`, { headers: { accept: 'text/html' } });
      return [path, await response.text()];
    });
    const texts = [...assets, ...(await Promise.all(pages))];
    expect(texts.filter(([, text]) => SAMPLE_TICKER.test(text)).map(([url]) => url)).toEqual([]);
    const clients = texts.find(([url]) => url === '/clients');
    expect(clients?.[1]).toContain('ALFA');
  });

  it('the example of backtests runs', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/backtest');
    await page.getByRole('heading', { level: 1, name: 'ALFA.US' }).waitFor();
    await page.locator('.head p', { hasText: /to May 29, 2026$/ }).waitFor();
    await keepPicture(page, 'backtest-other-market');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('the example of portfolios runs', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/portfolio');
    await page.getByRole('heading', { level: 1, name: '3 symbols' }).waitFor();
    await page.locator('.head p', { hasText: /to May 29, 2026$/ }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('the examples of SQL run, each on one venue basis', async () => {
    const person = await addPerson(site.api, undefined, { plan: 'pro' });
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/sql');
    const links = page.locator('sql-page a[href^="/sql?query="]');
    await links.first().waitFor();
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    const queries = addresses.map((address) => new URL(address, site.url).searchParams.get('query') ?? '');
    expect(queries.filter((query) => query.includes("'ALFA.US'"))).toHaveLength(2);
    for (const query of queries) {
      const ofModes = query.match(/\bfrom (bars|bars_adjusted|sessions)\b/g) ?? [];
      expect([query, query.match(/venue_mode = 'consolidated'/g) ?? []]).toEqual([
        query,
        ofModes.map(() => "venue_mode = 'consolidated'"),
      ]);
      await page.goto(`/sql?query=${encodeURIComponent(query)}`);
      await page.getByRole('heading', { name: /rows? in .* s/ }).waitFor();
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  it('forms and the overview begin with its symbols', async () => {
    const admin = await addAdmin(site.api);
    const { page, context, faults } = await site.open({}, admin);
    await page.goto('/');
    await page.getByText(`/v1/quote/ALFA.US`).waitFor();
    await page.goto('/strategies');
    await expect(page.locator('strategy-editor symbol-search input').inputValue()).resolves.toBe('ALFA.US');
    await page.goto('/runs');
    await page.getByRole('link', { name: 'Moving-average cross on ALFA.US, five years' }).waitFor();
    await page.goto('/admin/exports');
    await page.getByPlaceholder('ALFA.US, BETA.US').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('npm start prints calls with its symbols, and none before the first load', async () => {
    const printed = readyText('http://market', await exampleSymbols(site.database.pool));
    expect(printed).toContain('/v1/quote/ALFA.US');
    expect(printed).toContain('{"symbols":["ALFA.US","BETA.US"],"type":"quote"}');
    expect(readyText('http://market', [])).toBe('\nReady. Open http://market\n\nDocumentation: http://market/docs\n');
  });
});
