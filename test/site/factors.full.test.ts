/** A researcher with factors: from the set-up through a study to its report, to a rotation, and back to earlier studies. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { deletePause, insertPause } from '../../db/queue/queues.ts';
import { failSweep } from '../../db/sweeps/sweeps.ts';
import { addPerson, type Person } from '../support/accounts.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';

const RUN = 'Start the study';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true, hasFiles: true });
});
afterAll(() => site.close());

const start = (page: Page) => page.getByRole('button', { name: RUN }).click();
const ofPlan = (plan: 'free' | 'pro') => addPerson(site.api, undefined, { plan });

/** The result of the study that a page shows, from the API. */
async function resultAt(page: Page, person: Person) {
  const id = new URL(page.url()).searchParams.get('id');
  return (await site.api.get(`/v1/factors/${id}/result`, person.program)).body.data;
}

describe('without the plan', () => {
  it('says what a study is, and which plan has it', async () => {
    const guest = await site.open();
    await guest.page.goto('/factors');
    const place = guest.page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Factors' });
    expect(await place.innerText()).toMatch(/Pro/);
    await guest.page.getByRole('heading', { name: 'No study yet' }).waitFor();
    await guest.page.getByRole('button', { name: `${RUN} Pro` }).click();
    await guest.page.getByRole('main').getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await findings(guest.page)).toEqual([]);
    await guest.context.close();

    const { page, context } = await site.open({}, await ofPlan('free'));
    await page.goto('/factors');
    await start(page);
    await page.getByText('Included in the Pro plan and above.').waitFor();
    await context.close();
  });
});

describe('a study', () => {
  it('is refused at its fields, run, and reported', async () => {
    const person = await ofPlan('pro');
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/factors');
    await page.getByText('Well-known factors', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Low volatility' }).check();
    await page.getByRole('checkbox', { name: 'Illiquidity (Amihud)' }).check();
    await keepPicture(page, 'factors-ready.en.light.1440');
    await page.getByRole('button', { name: 'Add a factor' }).click();
    const own = page.getByRole('group', { name: 'Factor', exact: true });
    await own.getByLabel('Name').fill('mine');
    await own.getByLabel('Value').fill('5');
    await start(page);
    await own.getByText('is the same number for all').waitFor();
    await own.getByLabel('Value').fill('close / sma(20');
    await own.locator('.rule-status code').waitFor();
    await own.getByLabel('Value').fill('close / sma(20)');
    await own.locator('.rule-status code').waitFor({ state: 'detached' });
    expect(await own.locator('.field-error').count()).toBe(0);
    await page.getByLabel('Sessions ahead').fill('5, 9000');
    await start(page);
    await page.locator('input[name=horizons][aria-invalid=true]').waitFor();
    await keepPicture(page, 'factors-refused.en.light.1440');
    faults.length = 0;
    await page.getByLabel('Sessions ahead').fill('5, 21, 63');
    await page.getByText('Long-short portfolio', { exact: true }).first().click();
    await page.getByRole('checkbox', { name: /^Form one of each factor/ }).check();
    await page.getByLabel('Weights').selectOption('value');
    await start(page);
    await page.locator('input[name="portfolio.cap"][aria-invalid=true]').waitFor();
    await page.getByLabel('Weights').selectOption('equal');
    // Each has ten names.
    await page.getByLabel('Groups by value').fill('2');
    faults.length = 0;
    await start(page);
    await page.getByRole('heading', { level: 1, name: /^Momentum, Reversal, Low volatility \+2$/ }).waitFor();
    await page.locator('factor-report').waitFor();
    const result = await resultAt(page, person);
    const table = page.getByRole('table', { name: 'All factors' });
    const momentum = result.factors[0];
    const cells = await table
      .getByRole('row', { name: /^Momentum/ })
      .getByRole('cell')
      .allInnerTexts();
    const { ic, spread } = momentum.horizons[0];
    expect(cells[1].replace('−', '-')).toBe(`${ic.mean > 0 ? '+' : ''}${ic.mean.toFixed(3)}`);
    expect(cells[5 - 1].replace('−', '-')).toBe(`${spread.mean > 0 ? '+' : ''}${(100 * spread.mean).toFixed(2)}%`);
    expect(result.selection.sessions).toBeGreaterThan(60);
    await page.locator('.run-words', { hasText: `${result.selection.best} is the best of 5 factors` }).waitFor();
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'factors-done.en.light.1440');

    // Another factor over another horizon.
    await page.getByRole('radio', { name: '63 sessions' }).check();
    await table.getByRole('row', { name: /^Illiquidity/ }).click();
    await page.getByRole('heading', { level: 2, name: 'Illiquidity (Amihud)' }).waitFor();
    await page.getByText(/^Nobody could have earned this sum/).waitFor();
    const quantiles = result.factors[3].horizons[2].quantiles;
    await page
      .getByRole('figure', { name: /^Return by group/ })
      .locator('text.figure')
      .first()
      .waitFor();
    const written = await page
      .getByRole('figure', { name: /^Return by group/ })
      .locator('text.figure')
      .allTextContents();
    expect(written.map((text) => Number(text.replace('−', '-').replace('%', '')))).toEqual(
      quantiles.map(({ mean }: { mean: number }) => Number((100 * mean).toFixed(2))),
    );
    const { months, mean, t_nw } = result.factors[3].portfolio;
    const facts = await page.locator('.factor-portfolio dd').allInnerTexts();
    expect(facts[0].replace(/−/g, '-')).toContain(`${mean > 0 ? '+' : ''}${(100 * mean).toFixed(2)}% (90%: `);
    expect(facts.slice(1, 3).map((text) => Number(text.replace('−', '-')))).toEqual([Number(t_nw.toFixed(2)), months]);
    await page.getByRole('figure', { name: /^Long-short returns, summed/ }).waitFor();
    const top = page.getByRole('table', { name: /^Largest values/ });
    expect(await top.getByRole('link').first().getAttribute('href')).toBe(`/s/${result.factors[3].top[0].symbol}`);
    await page.getByRole('table', { name: 'How alike the factors are' }).getByRole('row').nth(5).waitFor();
    await page.getByRole('link', { name: 'Trade it' }).click();
    await page.waitForURL('**/portfolio?run=*');
    const call = JSON.parse(new URL(page.url()).searchParams.get('run') ?? '');
    expect(call).toMatchObject({
      universe: { all: true, asset_type: 'stock' },
      rotation: { every: 'week', score: 'sma_of(abs(roc(1)) / dollar_volume, 252)' },
      time_range: '5Y',
    });
    await page.locator('portfolio-chart canvas').first().waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Query in SQL' }).click();
    await page.getByRole('heading', { name: /^10 rows/ }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('is canceled, fails and is tried again, and is removed from the list', async () => {
    const { pool } = site.database;
    const person = await ofPlan('pro');
    const { page, context, faults } = await site.open({}, person);
    await insertPause(pool, 'sweep.chunk', 'ada@example.com', new Date());
    await page.goto('/factors?symbols=ACRX+LUMA+TMRK+MTMX+BRVA+VEDX');
    await start(page);
    await page.getByRole('main').locator('.head').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'No study yet' }).waitFor();

    await start(page);
    await page.locator('.head').getByRole('button', { name: 'Cancel' }).waitFor();
    const id = String(new URL(page.url()).searchParams.get('id'));
    await failSweep(pool, id, 'internal', new Date());
    await deletePause(pool, 'sweep.chunk');
    await page.goto(`/factors?id=${id}`);
    await page.getByRole('alert').getByText('The study failed').waitFor();
    await page.locator('.head').getByRole('button', { name: 'Try again' }).click();
    await page.locator('factor-report').waitFor();
    await page.getByRole('button', { name: 'Remove: Momentum, Reversal' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'No study yet' }).waitFor();
    await page.getByRole('table', { name: 'Earlier studies' }).waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await context.close();
  });

  it('fits a phone in Chinese, and says where nothing can be judged', async () => {
    const person = await ofPlan('pro');
    const body = {
      universe: { all: true, asset_type: 'stock' },
      factors: [
        { name: '动量', value: 'lag(roc(231), 21)' },
        { name: '反转', value: '-roc(21)' },
      ],
      horizons: ['step'],
      time_range: '3Y',
    };
    const { job_id: id } = (await site.api.post('/v1/factors', body, person.program)).body.data;
    const { page, context, faults } = await site.open({ locale: 'zh-CN', theme: 'dark', width: 360 }, person);
    await page.goto(`/factors?id=${id}`);
    await page.locator('.run-words', { hasText: '互不重叠的时段仅' }).waitFor();
    await page
      .getByRole('figure', { name: /^各组超出平均/ })
      .locator('rect')
      .nth(4)
      .waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'factors-done.zh-CN.dark.360');
    expect(faults).toEqual([]);
    await context.close();
  });
});
