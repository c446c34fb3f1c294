/** Own strategies on the site: written without documentation, tried, saved, watched, and found the next session. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { evaluateSignals } from '../../jobs/signals/run.ts';
import { buildSnapshot } from '../../jobs/snapshot/run.ts';
import { addPerson } from '../support/accounts.ts';
import { testJobContext } from '../support/job-context.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
});
afterAll(() => site.close());

/** The jobs after a load, at noon of a day. */
async function evaluateAt(day: string): Promise<void> {
  const now = () => Date.parse(`${day}T16:00:00Z`);
  const context = testJobContext({ pool: site.database.pool, storage: site.api.services.storage, now });
  await buildSnapshot(context);
  await evaluateSignals(context);
}

describe('a strategy', () => {
  it('is written with completion and marked errors, tried, saved, watched, and gives signals after the next session', async () => {
    const person = await addPerson(site.api, undefined, { plan: 'pro' });
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/strategies');
    const entry = page.getByLabel('Buy when');
    // A new 55-day high on twice the average volume: each name is suggested while it is typed.
    await entry.pressSequentially('close > high');
    await page.getByRole('option', { name: /^highest\(n\)/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await entry.inputValue()).toBe('close > highest(20)');
    await page.keyboard.type('55');
    await page.keyboard.press('End');
    await page.keyboard.type(' and volume > 2 * smaof(volume, 50)');
    await page.getByText('smaof is not known; the nearest name is sma_of').waitFor();
    expect(await page.locator('mark').innerText()).toBe('smaof');
    expect(await findings(page)).toEqual([]);
    await entry.fill('close > highest(55) and volume > 2 * sma_of(volume, 50)');
    await page.getByLabel('Sell when').fill('close < lowest(20)');
    await page.getByText('smaof is not known').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.waitForSelector('run-chart canvas');
    await keepPicture(page, 'strategies-tried');
    await page.getByLabel('Name').fill('Breakout on volume');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('“Breakout on volume” is saved.').waitFor();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const link = page.getByRole('link', { name: /\/strategies\?shared=/ });
    const shared = new URL(String(await link.getAttribute('href')));
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'strategies-saved');
    await readShared(`${shared.pathname}${shared.search}`);
    await page.getByRole('button', { name: 'Watch it' }).click();
    await page.getByText('“Breakout on volume” is watched from the newest session on').waitFor();
    await page.getByRole('link', { name: 'Signals' }).last().click();
    await page.getByText('No watch has given a signal yet.').waitFor();

    // The run above has bought at the close of March 27.
    await evaluateAt('2026-03-27');
    expect((await site.database.pool.query('select from signals')).rowCount).toBe(0);
    await evaluateAt('2026-03-30');
    await page.reload();
    const rows = page.getByRole('region', { name: 'Signals' }).locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.first().innerText()).toMatch(/Mar 27, 2026\s+ACRX\s+▲ Entry/);
    expect(await rows.first().innerText()).toContain('highest(55)');
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'signals');
    const question = await rows.first().getByRole('link', { name: 'What happened next: ACRX.US' }).getAttribute('href');
    expect([...new URLSearchParams(question?.split('?')[1])]).toEqual([
      ['condition', 'close > highest(55) and volume > 2 * sma_of(volume, 50)'],
      ['for', 'ACRX.US'],
    ]);
    await page.getByRole('switch', { name: 'Daily mail of Breakout on volume' }).check();
    await page.getByRole('button', { name: 'Delete the watch Breakout on volume' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Nothing is watched yet' }).waitFor();
    // The screener serves the newest session again.
    await evaluateAt('2026-06-01');
    expect(faults).toEqual([]);
    await context.close();
  });

  /** A guest opens the link of a shared strategy, reads about the language, and opens a link that was revoked. */
  async function readShared(address: string): Promise<void> {
    const { page, context, faults } = await site.open({ locale: 'zh-TW', width: 360 });
    await page.goto(address);
    await page.getByText('「Breakout on volume」由他人分享').waitFor();
    expect(await page.locator('textarea[name="entry"]').inputValue()).toBe(
      'close > highest(55) and volume > 2 * sma_of(volume, 50)',
    );
    await page.goto('/strategies?shared=of-nobody');
    await page.getByRole('alert').getByText('分享').first().waitFor();
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
    await context.close();
  }

  it('is tried by a guest on a phone with its own parameters, and a rule screens the market', async () => {
    const { page, context, faults } = await site.open({ width: 360, theme: 'dark' });
    await page.goto('/strategies');
    await page.getByRole('button', { name: 'A crossover with a trailing stop' }).click();
    await page.getByLabel('Buy when').fill('crosses_above(sma($fast), sma($slow))');
    await page.getByLabel('$fast').fill('5');
    await page.getByLabel('$slow').fill('30');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.waitForSelector('run-chart canvas');
    expect(await isTooWide(page)).toBe(false);
    expect(await findings(page)).toEqual([]);
    await page.getByLabel('Buy when').fill('close >');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page
      .getByRole('alert')
      .getByText(/ends too early/)
      .waitFor();
    expect(faults.filter((fault) => !/400/.test(fault))).toEqual([]);
    await context.close();

    const member = await site.open({}, await addPerson(site.api));
    await member.page.goto('/screener');
    await member.page.getByRole('button', { name: 'Edit' }).click();
    await member.page.getByLabel('As a rule').fill('close > sma(200) and volume > 0');
    await member.page.getByRole('button', { name: 'Screen the market' }).click();
    await member.page.locator('.rule-line code').getByText('close > sma(200) and volume > 0').waitFor();
    expect(new URL(member.page.url()).searchParams.get('where')).toBe('close > sma(200) and volume > 0');
    await member.page.getByRole('heading', { name: 'What followed' }).waitFor();
    expect(await findings(member.page)).toEqual([]);
    await member.page.getByRole('link', { name: 'Watch it with a strategy' }).click();
    await member.page.getByText('Choose or save a strategy to watch the screen with:').waitFor();
    await member.page.getByRole('button', { name: 'A pullback in an uptrend' }).click();
    await member.page.getByLabel('Name').fill('Pullback');
    await member.page.getByRole('button', { name: 'Save', exact: true }).click();
    await member.page.getByLabel(/^Or all instruments of a screen/).waitFor();
    await member.page.getByRole('button', { name: 'Watch it' }).click();
    await member.page.getByRole('link', { name: 'Signals' }).last().click();
    await member.page.getByRole('cell', { name: 'close > sma(200) and volume > 0' }).waitFor();
    expect(member.faults).toEqual([]);
    await member.context.close();
  });
});
