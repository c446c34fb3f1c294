/** The set-up of a run: what it begins with, what it says when it is wrong, and that its results are those of its fields. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { addPerson, type Person } from '../support/accounts.ts';
import { findings, openTestSite, type TestSite } from '../support/site.ts';

let site: TestSite;
let person: Person;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
});
// A login session for each test: a reused refresh token would count as stolen.
beforeEach(async () => {
  person = await addPerson(site.api, undefined, { plan: 'enterprise' });
});
afterAll(() => site.close());

const DEFAULTS = { execute_on: 'next_open', adjust: 'total', cost: { slippage_bps: 5 } };
const LIST = ['ACRX.US', 'LUMA.US'];
const linked = (page: string, run: object) => `${page}?${new URLSearchParams({ run: JSON.stringify(run) })}`;

/** The body of the call that something makes. */
async function sentTo(page: Page, address: string, act: () => Promise<unknown>) {
  const isRun = (request: { method(): string; url(): string }) =>
    request.method() === 'POST' && new URL(request.url()).pathname === address;
  const [request] = await Promise.all([page.waitForRequest(isRun), act()]);
  return request.postDataJSON();
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();
const submit = (form: string) => (page: Page) =>
  page.evaluate(`document.querySelector('${form} form').requestSubmit()`);

interface Beginning {
  readonly path: string;
  /** Address of the API. */
  readonly api: string;
  /** Sends the form; default: the link runs by itself. */
  readonly send?: (page: Page) => Promise<unknown>;
}

const BEGINNINGS: Readonly<Record<string, Beginning>> = {
  'the form of a backtest': { path: '/backtest', api: '/v1/backtest', send: submit('backtest-form') },
  'a bare link to a backtest': { path: '/backtest?symbol=ACRX.US', api: '/v1/backtest' },
  'the form of a rotation': { path: '/portfolio', api: '/v1/portfolio', send: press('Run the rotation') },
  'the form of a portfolio': {
    path: '/portfolio',
    api: '/v1/portfolio',
    send: async (page) => {
      await page.getByRole('radio', { name: 'Strategy' }).check();
      await page.getByRole('textbox', { name: /^Symbols ·/ }).fill('ACRX LUMA');
      await press('Run the portfolio')(page);
    },
  },
  'a bare link to a portfolio': { path: '/portfolio?symbols=ACRX+LUMA', api: '/v1/portfolio' },
  'a bare link to a rotation': { path: '/portfolio?kind=rotation&where=close+%3E+5', api: '/v1/portfolio' },
  'a link with a call that does not name them': {
    path: linked('/portfolio', { symbols: LIST, strategy: 'buy_hold' }),
    api: '/v1/portfolio',
  },
  'the form of a search': { path: '/optimize', api: '/v1/optimize', send: press('Search') },
  'a bare link to a search': { path: '/optimize?symbol=ACRX.US&strategy=sma_cross', api: '/v1/optimize' },
  'the form of a sweep': { path: '/sweeps', api: '/v1/sweeps', send: press('Start the sweep') },
  'a bare link to a sweep': { path: '/sweeps?symbols=ACRX+LUMA', api: '/v1/sweeps', send: press('Start the sweep') },
  'an own strategy': {
    path: '/strategies',
    api: '/v1/backtest',
    send: async (page) => {
      await page.getByLabel('Buy when').fill('close > sma(50)');
      await submit('strategy-editor')(page);
    },
  },
};

describe('one set of defaults', () => {
  it.each(Object.keys(BEGINNINGS))('is what %s begins with', async (name) => {
    const { path, api, send } = BEGINNINGS[name];
    const { page, context } = await site.open({}, person);
    const open = async () => {
      await page.goto(path);
      if (send === undefined) return;
      await page.locator('main form').first().waitFor();
      await send(page);
    };
    const body = await sentTo(page, api, open);
    expect(body).toMatchObject(DEFAULTS);
    expect(body.time_range).toMatch(/^[35]Y$/);
    await context.close();
  });

  it('is not put in place of what a kept run had', async () => {
    const run = { symbol: 'ACRX.US', strategy: 'sma_cross', time_range: '3Y', save: true };
    const kept = await site.api.post('/v1/backtest', run, person.program);
    const { page, context } = await site.open({}, person);
    await page.goto(`/backtest?id=${kept.body.data.id}`);
    await page.locator('run-chart canvas').first().waitFor();
    const body = await sentTo(page, '/v1/backtest', () => submit('backtest-form')(page));
    expect(body).toMatchObject({ execute_on: 'close', adjust: 'split', cost: { slippage_bps: 0 } });
    expect(new URL(page.url()).searchParams.get('slippage_bps')).toBe('0');
    await context.close();
  });

  it('goes with a cell of a sweep to its backtest', async () => {
    const { page, context } = await site.open();
    await page.goto('/sweeps');
    const cell = page.getByRole('region', { name: 'Worst cells' }).getByRole('link').first();
    const body = await sentTo(page, '/v1/backtest', () => cell.click());
    expect(body).toMatchObject({ ...DEFAULTS, time_range: '5Y' });
    await context.close();
  });
});

const UNKNOWN: Readonly<Record<string, string>> = {
  'a backtest': '/backtest?symbol=QQQQ.US',
  'a portfolio': linked('/portfolio', { symbols: ['ACRX.US', 'QQQQ.US'], strategy: 'buy_hold', time_range: '1Y' }),
  'a rotation': linked('/portfolio', {
    universe: { symbols: LIST, where: 'close > sma(' },
    rotation: { every: 'month', score: 'roc(20)', hold: { top: 1 } },
  }),
  'a search': '/optimize?symbol=QQQQ.US&strategy=sma_cross',
};

describe('a link that cannot be run', () => {
  it.each(Object.keys(UNKNOWN))('to %s says so, and opens the set-up where it is folded', async (name) => {
    const { page, context } = await site.open({}, person);
    for (const width of [1440, 1280, 1024, 360]) {
      await page.setViewportSize({ width, height: 740 });
      await page.goto(UNKNOWN[name]);
      const refusal = page.locator('.refused');
      await refusal.getByText('The set-up needs a correction').waitFor();
      if (width < 1440)
        expect(await refusal.innerText()).toMatch(name === 'a rotation' ? /rule|unfinished|expected/i : /QQQQ/);
      expect(await refusal.innerText()).not.toMatch(/\bbody\b/);
      const error = page.locator('#inspector .field-error').first();
      await error.waitFor();
      expect(await page.locator('#inspector:popover-open').count()).toBe(width === 1440 ? 0 : 1);
      expect(await findings(page)).toEqual([]);
    }
    await page.keyboard.press('Escape');
    await page.locator('.refused').getByRole('button', { name: 'Set-up' }).click();
    await page.locator('#inspector .field-error').first().waitFor();
    await context.close();
  });

  it('to a screen names what is wrong with its rule, without a path', async () => {
    const { page, context } = await site.open({ width: 360 }, person);
    await page.goto('/screener?where=close+%3E+sma(20');
    const text = await page.getByRole('alert').first().innerText();
    expect(text.length).toBeGreaterThan(20);
    expect(text).not.toMatch(/\bbody\b|\bwhere\b/);
    await context.close();
  });

  it('of a sweep is refused in sight', async () => {
    const { page, context } = await site.open({ width: 360 }, person);
    await page.goto('/sweeps?symbols=ACRX+QQQQ');
    await page.getByRole('figure', { name: 'Cells by Sharpe ratio' }).waitFor();
    await page.getByRole('button', { name: 'Set-up' }).first().click();
    await press('Start the sweep')(page);
    await page.locator('#inspector .field-error', { hasText: 'QQQQ' }).waitFor();
    await context.close();
  });
});

const RUN = '/backtest?symbol=ACRX.US&strategy=donchian&time_range=5Y&p.entry_period=22&p.exit_period=10';

describe('results', () => {
  it('are dimmed at once when a field is another, and say which value they are of', async () => {
    const { page, context, faults } = await site.open({}, person);
    await page.goto(RUN);
    await page.locator('run-chart canvas').first().waitFor();
    expect(await page.locator('.stale').count()).toBe(0);
    // A change runs by itself, but not before its reader has seen what is in sight.
    const { promise: isSeen, resolve: seen } = Promise.withResolvers<void>();
    await page.route('**/v1/backtest', async (route) => {
      await isSeen;
      await route.continue();
    });
    await page.getByLabel('Entry channel, bars').fill('30');
    await page.getByText('These results are for Entry channel, bars: 22').waitFor();
    expect(await page.locator('section.stale run-report').count()).toBe(1);
    await page.getByText('Results for 22').waitFor();
    seen();
    await page.waitForURL(/entry_period=30/);
    await page.locator('section:not(.stale) > run-report').waitFor();
    expect(await page.locator('.stale-note, .changed-note').count()).toBe(0);
    await page.route('**/v1/backtest', () => {});
    await page.locator('select[name=strategy]').selectOption('sma_cross');
    await page.getByText('These results are for Strategy: Donchian breakout').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('wait for a button beside the changed field when few runs are left', async () => {
    const { page, context } = await site.open({}, person);
    await page.route('**/v1/backtest', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'x-ratelimit-remaining': '1' } });
    });
    await page.goto(RUN);
    await page.locator('run-chart canvas').first().waitFor();
    await page.getByLabel('Exit channel, bars').fill('15');
    const note = page.locator('.changed-note');
    await note.getByText('Results for 10').waitFor();
    const [field, button] = await Promise.all([
      page.getByLabel('Exit channel, bars').boundingBox(),
      note.getByRole('button', { name: 'Run the backtest' }).boundingBox(),
    ]);
    expect(Math.abs((button?.y ?? 0) - (field?.y ?? 0))).toBeLessThan(60);
    await note.getByRole('button').click();
    await page.waitForURL(/exit_period=15/);
    await note.waitFor({ state: 'detached' });
    await context.close();
  });

  it('leave the title and the form in sight when the service fails', async () => {
    const { page, context } = await site.open({}, person);
    const failure = { status: 500, json: { code: 500, key: 'error.internal', message: 'Broken.', data: null } };
    await page.route('**/v1/backtest', (route) => route.fulfill(failure));
    await page.goto(RUN);
    await page.getByRole('alert').getByText('Broken.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Backtest' }).waitFor();
    expect(await page.getByLabel('Entry channel, bars').inputValue()).toBe('22');
    await page.unrouteAll();
    for (const path of ['/backtest', '/screener', '/portfolio', '/sweeps', '/optimize']) {
      await page.route('**/api/{backtest/strategies,screener/presets}', (route) => route.fulfill(failure));
      await page.goto(path);
      await page.getByRole('alert').getByText('Broken.').waitFor();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.unrouteAll();
    }
    await context.close();
  });
});

describe('a field that a browser refuses', () => {
  it('says what it takes in the language of the page', async () => {
    const { page, context } = await site.open({ locale: 'zh-CN' }, person);
    await page.goto('/optimize?symbol=ACRX.US&strategy=sma_cross');
    await page.locator('search-report .heat').waitFor();
    await page.locator('.fold', { hasText: '成本' }).locator('summary').click();
    const field = page.locator('input[name="cost.slippage_bps"]');
    await field.fill('-1');
    await page.locator('.run-foot button').click();
    await page.locator('.field', { has: field }).getByText('不得小于0').waitFor();
    expect(await page.locator('input[name="cost.slippage_bps"]:focus').count()).toBe(1);
    await field.fill('');
    await page.locator('.run-foot button').click();
    await page.locator('.field', { has: field }).getByText('请填写此项').waitFor();
    await field.fill('5');
    expect(await page.locator('.field-error').count()).toBe(0);
    await context.close();
  });
});
