/** A researcher who rotates a ranking: the form, the report, and the same on a phone. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addPerson } from '../support/accounts.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
});
afterAll(() => site.close());

describe('a rotation', () => {
  it('is run from its form and reported with its weights and rebalances', async () => {
    const person = await addPerson(site.api, undefined, { plan: 'enterprise' });
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/portfolio?symbols=ACRX+LUMA+TMRK+MTMX');
    await page.getByRole('radio', { name: 'Rotation' }).check();
    await page.getByText('Symbols · 4 symbols').waitFor();
    const inspector = page.getByRole('complementary', { name: 'Set-up' });
    await page.getByLabel('Begin with').selectOption('low_volatility');
    expect(await page.getByRole('textbox', { name: /^Score/ }).inputValue()).toBe('-volatility(126)');
    await page.getByLabel('Hold the best').fill('2');
    await inspector.locator('summary', { hasText: 'Weights' }).click();
    await page.getByRole('combobox', { name: 'Weights' }).selectOption('min_variance');
    await page.getByLabel('Look-back, sessions').fill('63');
    await inspector.locator('summary', { hasText: 'Weightsminimum variance' }).waitFor();
    await keepPicture(page, 'rotation-form.en.light.1440');
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Run the rotation' }).click();
    await page.locator('.head p', { hasText: /^Low volatility: the best 2, / }).waitFor();
    await page.getByRole('img', { name: /^Weights of/ }).waitFor();
    await page.getByText('Who was held when').waitFor();
    await page.getByRole('region', { name: 'Rebalances' }).first().waitFor();
    await page.locator('details.more-words > summary').click();
    await page.getByText(/Ranked again \d+ times/).waitFor();
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'rotation-run.en.light.1440');
    expect(faults).toEqual([]);
    const address = page.url();
    await context.close();

    const dark = await site.open({ theme: 'dark' }, person);
    await dark.page.goto(address);
    await dark.page.getByRole('img', { name: /^Weights of/ }).waitFor();
    expect(await findings(dark.page)).toEqual([]);
    await keepPicture(dark.page, 'rotation-run.en.dark.1440');
    await dark.context.close();

    const phone = await site.open({ locale: 'zh-CN', theme: 'dark', width: 360 }, person);
    await phone.page.goto(address);
    await phone.page.getByRole('img', { name: /权重/ }).waitFor();
    expect(await findings(phone.page)).toEqual([]);
    expect(await isTooWide(phone.page)).toBe(false);
    await keepPicture(phone.page, 'rotation-run.zh-CN.dark.390');
    await phone.context.close();
  });

  it('begins with the rule of a screen', async () => {
    const person = await addPerson(site.api, undefined, { plan: 'enterprise' });
    const { page, context } = await site.open({}, person);
    await page.goto(`/screener?${new URLSearchParams({ where: 'close > sma(20)' })}`);
    await page.getByRole('link', { name: 'Hold the top of this screen, month by month' }).click();
    await page.getByRole('radio', { name: 'Rotation' }).waitFor();
    await page.locator('summary', { hasText: 'close > sma(20)' }).click();
    expect(await page.getByLabel('Only those with').inputValue()).toBe('close > sma(20)');
    expect(await page.getByLabel('Universe').inputValue()).toBe('all');
    await context.close();
  });

  it('shows what is wrong with a score at its field', async () => {
    const person = await addPerson(site.api, undefined, { plan: 'enterprise' });
    const { page, context } = await site.open({}, person);
    await page.goto('/portfolio?symbols=ACRX+LUMA&kind=rotation');
    await page.getByRole('textbox', { name: /^Score/ }).fill('close > 5');
    await page.getByLabel('Hold the best').fill('1');
    await page.getByRole('button', { name: 'Run the rotation' }).click();
    await page.locator('label:has(input[name="rotation.score"]) .field-error').waitFor();
    await context.close();
  });
});
