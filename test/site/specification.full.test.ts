/** A run is the same wherever it is opened again: in the form, by its link, as it is kept, shared, and as a program. */
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { required } from '../../engine/util/values.ts';
import { addPerson, type Person } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { everyNth } from '../support/extent.ts';
import { installPythonClient } from '../support/python-client.ts';
import { findings, keepPicture, openTestSite, type TestSite } from '../support/site.ts';

const run = promisify(execFile);
const python = await installPythonClient();

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

interface Kind {
  readonly path: string;
  /** Address of the API that runs it. */
  readonly api: string;
  readonly submit: (page: Page) => Promise<unknown>;
  readonly fill: (page: Page) => Promise<unknown>;
  readonly request: object;
}

async function openFolds(page: Page): Promise<void> {
  await page.locator('.fold').first().waitFor();
  const folded = page.locator('.fold:not([open]) .fold-now');
  while ((await folded.count()) > 0) await folded.first().click();
}

async function fillTrade(page: Page): Promise<void> {
  const range = page.locator('select[name=time_range]');
  if ((await range.count()) > 0) await range.selectOption('3Y');
  else await page.getByRole('radio', { name: '3Y' }).check();
  await openFolds(page);
  await page.getByLabel('Trades at').selectOption('next_open');
  await page.getByLabel('Prices').selectOption('total');
  await page.getByLabel('Commission, %').fill('0.05');
  await page.getByLabel('Slippage, bp').fill('5');
  await page.getByLabel('Interest on cash, % a year').fill('4.5');
  await page.getByLabel('Below that rate, bp').fill('25');
}
const TRADE = {
  time_range: '3Y',
  execute_on: 'next_open',
  adjust: 'total',
  cost: { commission_rate: 0.0005, slippage_bps: 5 },
  cash: { rate: 4.5, spread_bps: 25 },
};

async function fillRuleTexts(page: Page): Promise<void> {
  await page.locator('select[name=strategy]').selectOption('rules');
  await page.getByLabel('Buy when').fill('crosses_above(sma($fast), sma($slow))');
  await page.getByLabel('Sell when').fill('sma($fast) < sma($slow)');
  await page.getByText('Stop and trailing stop').click();
  await page.getByLabel('Trailing stop at the price').fill('peak - 4 * atr(22)');
}

async function fillRules(page: Page): Promise<void> {
  await fillRuleTexts(page);
  // Two averages of one length would never cross.
  expect(await page.getByLabel('$fast').inputValue()).not.toBe(await page.getByLabel('$slow').inputValue());
  await page.getByLabel('$fast').fill('10');
  await page.getByLabel('$slow').fill('40');
}
const RULES = {
  strategy: 'rules',
  rules: {
    entry: 'crosses_above(sma($fast), sma($slow))',
    exit: 'sma($fast) < sma($slow)',
    trail: 'peak - 4 * atr(22)',
  },
  params: { fast: 10, slow: 40 },
};

async function fillAllocation(page: Page): Promise<void> {
  // The page opens with a rotation.
  await page.locator('portfolio-chart canvas').first().waitFor();
  await page.getByRole('radio', { name: 'Strategy' }).check();
  await page.getByRole('textbox', { name: /^Symbols ·/ }).fill('ACRX.US LUMA.US TMRK.US');
  await openFolds(page);
  await page.getByLabel('Maximum positions').fill('2');
  await page.getByLabel('Position size').selectOption('inverse_volatility');
  await page.getByLabel('Volatility period, bars').fill('40');
  await page.getByLabel('Rebalancing').selectOption('month');
  await page.getByLabel('Kept in cash, %').fill('5');
  await page.getByLabel('Candidates ranked by').selectOption('roc_pct desc');
  await page.getByLabel('Ranking period, bars').fill('30');
  await page.getByLabel('Compare with').fill('MTMX.US');
}
const ALLOCATION = {
  symbols: ['ACRX.US', 'LUMA.US', 'TMRK.US'],
  allocation: {
    max_positions: 2,
    sizing: 'inverse_volatility',
    volatility_period: 40,
    rebalance: 'month',
    cash_buffer_pct: 5,
    rank_by: { field: 'roc_pct', order: 'desc', period: 30 },
  },
  benchmark: 'MTMX.US',
};

const BACKTEST = {
  path: '/backtest',
  api: '/v1/backtest',
  submit: (page: Page) => page.evaluate('document.querySelector("backtest-form form").requestSubmit()'),
};
const PORTFOLIO = {
  path: '/portfolio',
  api: '/v1/portfolio',
  submit: (page: Page) => page.getByRole('button', { name: 'Run the portfolio' }).click(),
};
const KINDS: Readonly<Record<string, Kind>> = {
  'a built-in strategy': {
    ...BACKTEST,
    fill: async (page) => {
      await page.locator('form symbol-search input').fill('ACRX.US');
      await page.locator('select[name=strategy]').selectOption('chandelier');
      await page.getByLabel('Entry rule').selectOption('cross');
      await page.getByLabel('Moving average, bars').fill('60');
      await fillTrade(page);
    },
    request: { symbol: 'ACRX.US', strategy: 'chandelier', params: { sma_period: 60, entry_mode: 'cross' }, ...TRADE },
  },
  'own rules': {
    ...BACKTEST,
    fill: async (page) => {
      await page.locator('form symbol-search input').fill('ACRX.US');
      await fillRules(page);
      await fillTrade(page);
    },
    request: { symbol: 'ACRX.US', ...RULES, ...TRADE },
  },
  'a portfolio': {
    ...PORTFOLIO,
    fill: async (page) => {
      await fillAllocation(page);
      await page.locator('select[name=strategy]').selectOption('donchian');
      await fillTrade(page);
    },
    request: { strategy: 'donchian', ...ALLOCATION, ...TRADE },
  },
  'a portfolio of own rules': {
    ...PORTFOLIO,
    fill: async (page) => {
      await fillAllocation(page);
      await fillRules(page);
      await fillTrade(page);
    },
    request: { ...RULES, ...ALLOCATION, ...TRADE },
  },
};

/** The request that the page sends to an address while something is done, without what says whether it is kept and judged. */
async function requestOf(page: Page, address: string, act: () => Promise<unknown>) {
  const isRun = (request: { method(): string; url(): string }) =>
    request.method() === 'POST' && new URL(request.url()).pathname === address;
  // A run that begins by itself after a change of the form is given up for this one, and has no response.
  const [response] = await Promise.all([page.waitForResponse((one) => isRun(one.request())), act()]);
  const { save: _save, tear_sheet: _judged, ...body } = response.request().postDataJSON();
  const answer = await response.json();
  expect(answer).toMatchObject({ code: 0 });
  return { body, answer };
}

/** The body that a program of curl sends. */
function bodyInCurl(program: string): unknown {
  const [, body] = required(/-d '(.*)'$/m.exec(program), program);
  return JSON.parse(body.replaceAll(`'\\''`, `'`));
}

/** Whether a program of curl sends a request, with the defaults that it leaves out. */
function sends(program: string, request: object): boolean {
  try {
    expect(bodyInCurl(program)).toMatchObject(request);
    return true;
  } catch {
    return false;
  }
}

type Programs = Readonly<Record<'curl' | 'Python' | 'TypeScript', string>>;

/** The programs that a page shows, from when they are those of a request: before it, they may be those of the example. */
async function shownPrograms(page: Page, request: object): Promise<Programs> {
  const shown = async (name: keyof Programs) => {
    await page.locator('code-samples').getByText(name, { exact: true }).click();
    return page.locator('code-samples pre').innerText();
  };
  const curl = await eventually(
    () => shown('curl'),
    (text) => sends(text, request),
  );
  return { curl, Python: await shown('Python'), TypeScript: await shown('TypeScript') };
}

/** Runs them, but for those that ran before, and returns them. */
async function runPrograms(page: Page, request: object, before?: Programs): Promise<Programs> {
  // Programs of backtests run as a guest, who may run few in a minute.
  await site.database.pool.query(`delete from rate_limits where key like 'ip:%'`);
  const programs = await shownPrograms(page, request);
  const isNew = (name: keyof Programs) => programs[name] !== before?.[name];
  const env = { ...process.env, API_KEY: person.key };
  if (isNew('curl')) {
    const command = programs.curl.replace(/^curl /, 'curl -s ').split('\n#')[0];
    expect(JSON.parse((await run('bash', ['-c', command], { env })).stdout)).toMatchObject({ code: 0 });
  }
  if (isNew('TypeScript')) {
    const file = join(mkdtempSync(join(tmpdir(), 'programs-')), 'program.ts');
    writeFileSync(file, programs.TypeScript);
    expect((await run(process.execPath, [file], { env })).stdout).toMatch(/\d/);
  }
  if (python && isNew('Python'))
    expect(await python.run(['-c', programs.Python], { API_KEY: person.key })).toMatch(/\d/);
  return programs;
}

describe('the specification', () => {
  it.each(everyNth(2, Object.keys(KINDS)))(
    'of %s is the same in the form, kept, by its link, shared, and as a program',
    async (kind) => {
      const { path, api, submit: submitOn, fill, request } = KINDS[kind];
      const { page, context, faults } = await site.open({}, person);
      const submit = () => submitOn(page);
      await page.goto(path);
      await fill(page);
      const first = await requestOf(page, api, submit);
      expect(first.body).toEqual(request);
      await page.locator('run-chart canvas, portfolio-chart canvas').first().waitFor();
      expect(await findings(page)).toEqual([]);
      await keepPicture(page, `specification-${kind.replaceAll(' ', '-')}`);

      const kept = await requestOf(page, api, () => page.getByRole('button', { name: 'Keep', exact: true }).click());
      const { id, end_date: end, total_pnl_pct: total } = kept.answer.data;
      await page.goto(`${path}?id=${id}`);
      await page.getByRole('button', { name: 'Kept', exact: true }).waitFor();
      const programs = await runPrograms(page, { ...request, end });
      const again = await requestOf(page, api, submit);
      expect(again.body).toEqual({ ...request, end });
      const linked = await requestOf(page, api, () => page.reload());
      expect(linked.body).toEqual({ ...request, end });

      await page.goto(`${path}?id=${id}`);
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      const address = await page.getByRole('status').getByRole('link').getAttribute('href');
      await page.goto(new URL(String(address)).pathname);
      await runPrograms(page, { ...request, end }, programs);
      const tried = await requestOf(page, api, () => page.getByRole('link', { name: 'Try it yourself' }).click());
      expect(tried.answer.data.total_pnl_pct).toBe(total);
      expect(faults).toEqual([]);
      await context.close();
    },
  );
});

async function fillSearch(page: Page, axes: Readonly<Record<string, readonly [number, number, number]>>) {
  await page.locator('form symbol-search input').fill('ACRX.US');
  for (const [label, values] of Object.entries(axes)) {
    const group = page.getByRole('group', { name: label, exact: true });
    await group.getByRole('checkbox').check();
    for (const [i, value] of values.entries()) await group.locator('input[type=number]').nth(i).fill(String(value));
  }
  await openFolds(page);
  await page.getByLabel('Best by').selectOption('calmar');
  await page.getByRole('checkbox', { name: 'Walk forward' }).check();
  await page.locator('input[name=train]').fill('250');
  await page.locator('input[name=test]').fill('60');
  await fillTrade(page);
}
const SEARCH = {
  symbol: 'ACRX.US',
  objective: 'calmar',
  walk_forward: { train_bars: 250, test_bars: 60 },
  ...TRADE,
};
const FAST = { from: 10, to: 20, step: 10 };
const SLOW = { from: 40, to: 60, step: 20 };

const SEARCHES = {
  'a built-in strategy': {
    fill: async (page: Page) => {
      await page.locator('select[name=strategy]').selectOption('sma_cross');
      await fillSearch(page, { 'Fast average, bars': [10, 20, 10], 'Slow average, bars': [40, 60, 20] });
    },
    request: {
      ...SEARCH,
      strategy: 'sma_cross',
      grid: { fast_period: FAST, slow_period: SLOW },
      heatmap: ['fast_period', 'slow_period'],
    },
  },
  'own rules': {
    fill: async (page: Page) => {
      await fillRuleTexts(page);
      await page.getByRole('group', { name: '$slow', exact: true }).locator('input[type=number]').fill('40');
      await fillSearch(page, { $fast: [10, 20, 10] });
    },
    request: { ...SEARCH, ...RULES, params: { slow: 40 }, grid: { fast: FAST } },
  },
} as const;

describe('the specification of a search', () => {
  it.each(everyNth(2, Object.entries(SEARCHES)))(
    'over %s is the same in the form, by its link, and as a program',
    async (_, kind) => {
      const { page, context, faults } = await site.open({}, person);
      const submit = () => page.getByRole('button', { name: 'Search', exact: true }).click();
      await page.goto('/optimize');
      await page.locator('search-report code-samples').waitFor();
      await kind.fill(page);
      expect((await requestOf(page, '/v1/optimize', submit)).body).toEqual(kind.request);
      await page.locator('search-report code-samples').waitFor();
      const programs = await runPrograms(page, kind.request);
      await page.reload();
      await page.locator('search-report code-samples').waitFor();
      await runPrograms(page, kind.request, programs);
      expect((await requestOf(page, '/v1/optimize', submit)).body).toEqual(kind.request);
      expect(faults).toEqual([]);
      await context.close();
    },
  );
});

const SWEEP_API = '/v1/sweeps';
const SWEEPS = {
  'built-in strategies over a list': {
    fill: async (page: Page) => {
      await page.goto('/sweeps?symbols=ACRX+LUMA');
      await page.getByLabel('Fast average, bars').fill('10');
      await page.getByLabel('Slow average, bars').fill('40..60/20');
      await page.getByRole('button', { name: 'Add a strategy' }).click();
      const [, second] = await page.locator('select[name=strategy]').all();
      await second.selectOption('chandelier');
      const chandelier = page.locator('.sweep-run').last();
      const entry = chandelier.getByRole('group', { name: 'Entry rule' });
      await entry.getByLabel('Above the band').check();
      await entry.getByLabel('Crosses the band').check();
      await chandelier.getByRole('group', { name: 'Stop never falls' }).getByLabel('Yes').check();
    },
    request: {
      universe: { symbols: ['ACRX', 'LUMA'] },
      runs: [
        { strategy: 'sma_cross', params: { fast_period: 10 }, grid: { slow_period: { from: 40, to: 60, step: 20 } } },
        { strategy: 'chandelier', params: { ratchet: true }, grid: { entry_mode: ['band', 'cross'] } },
      ],
    },
  },
  'own rules over the results of a screen': {
    fill: async (page: Page) => {
      await page.goto('/sweeps');
      await page.locator('code-samples').waitFor();
      await page.getByRole('button', { name: 'Leave out' }).last().click();
      await page.locator('select[name=universe_kind]').selectOption('screen');
      await page.getByLabel('Screening condition').fill('close > sma(50)');
      await page.getByLabel('At most').fill('3');
      await fillRuleTexts(page);
      await page.getByLabel('$slow').fill('40');
      await page.getByLabel('$fast').fill('10, 20');
    },
    request: {
      universe: { screen: { where: 'close > sma(50)', limit: 3 } },
      runs: [{ strategy: RULES.strategy, rules: RULES.rules, params: { slow: 40 }, grid: { fast: [10, 20] } }],
    },
  },
} as const;

describe('the specification of a sweep', () => {
  const submit = (page: Page) => () => page.getByRole('button', { name: 'Start the sweep' }).click();

  it.each(everyNth(2, Object.entries(SWEEPS)))(
    'of %s is the same in the form, by its link, and as a program',
    async (kind, made) => {
      const { page, context, faults } = await site.open({}, person);
      await made.fill(page);
      await fillTrade(page);
      const request = { ...made.request, ...TRADE };
      expect((await requestOf(page, SWEEP_API, submit(page))).body).toEqual(request);
      await page.locator('code-samples').waitFor();
      const programs = await runPrograms(page, request);
      await page.reload();
      await page.locator('code-samples').waitFor();
      expect(await findings(page)).toEqual([]);
      await keepPicture(page, `specification-sweep-${kind.replaceAll(' ', '-')}`);
      await runPrograms(page, request, programs);
      expect((await requestOf(page, SWEEP_API, submit(page))).body).toEqual(request);
      expect(faults).toEqual([]);
      await context.close();
    },
  );

  it('has its universe even if the form has no fields for it', async () => {
    const universe = {
      screen: { conditions: [{ field: 'close', op: 'gt', value: 20 }], asset_type: ['stock'], limit: 3 },
    };
    const asked = { universe, runs: [{ strategy: 'macd' }], start: '2024-01-02', end: '2024-12-31' };
    const { id } = await site.api.post(SWEEP_API, asked, person.program).then(({ body }) => ({ id: body.data.job_id }));
    const { page, context, faults } = await site.open({}, person);
    await page.goto(`/sweeps?id=${id}`);
    const { body } = await requestOf(page, SWEEP_API, submit(page));
    expect(body).toEqual({ ...asked, execute_on: 'close', adjust: 'split', cost: { slippage_bps: 0 } });
    expect(faults).toEqual([]);
    await context.close();
  });

  it('has the rules of a saved strategy', async () => {
    const rules = { entry: 'close > sma($n)', exit: 'close < sma($n)' };
    const saving = { name: 'Above its average', rules, parameters: { n: { default: 30 } } };
    const saved = await site.api.post('/v1/my/strategies', saving, person.program);
    const runs = [{ strategy: 'rules', rules: { saved: saved.body.data.id } }];
    const asked = { universe: { symbols: ['ACRX.US'] }, runs };
    const { body } = await site.api.post(SWEEP_API, asked, person.program);
    const read = await site.api.get(`${SWEEP_API}/${body.data.job_id}`, person.program);
    expect(read.body.data.request.runs).toMatchObject([{ strategy: 'rules', rules, params: { n: 30 } }]);
  });
});

const SCREEN_API = '/v1/screener';
/** Figures in the table of a screen. */
const SCREEN_COLUMNS = { year: 'roc(252)' };
const SCREEN_CLOSES = 60;
const SCREEN_RULE = 'close > sma(20) and close > 20';
const SCREEN_REQUEST = {
  where: SCREEN_RULE,
  columns: SCREEN_COLUMNS,
  condition_columns: true,
  closes: SCREEN_CLOSES,
  limit: 100,
};
const SCREENS: Readonly<Record<string, { readonly path: string; readonly submit: (page: Page) => Promise<void> }>> = {
  'a condition': {
    path: '/screener?where=close+%3E+sma(20)',
    submit: async (page) => {
      await page.getByLabel('Add a condition').fill('close > 20');
      await page.keyboard.press('Enter');
    },
  },
  'a rule': {
    path: '/screener',
    submit: async (page) => {
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('As a rule').fill(SCREEN_RULE);
      await page.getByRole('button', { name: 'Screen the market' }).click();
    },
  },
};

/** The screen that a page asks for first; its history follows. */
async function screenOf(page: Page, act: () => Promise<unknown>): Promise<object> {
  const isScreen = (request: { method(): string; url(): string; postDataJSON(): object }) =>
    request.method() === 'POST' &&
    new URL(request.url()).pathname === SCREEN_API &&
    !('history' in request.postDataJSON());
  const [request] = await Promise.all([page.waitForRequest(isScreen), act()]);
  expect(await (await request.response())?.json()).toMatchObject({ code: 0 });
  return request.postDataJSON();
}

describe('the specification of a screen', () => {
  it.each(Object.entries(SCREENS))('by %s is the same in the form, by its link, and as a program', async (_, kind) => {
    const { page, context, faults } = await site.open({}, person);
    await page.goto(kind.path);
    await page.locator('data-table table').waitFor();
    expect(await screenOf(page, () => kind.submit(page))).toEqual(SCREEN_REQUEST);
    await page.locator('.rule-line code').getByText(SCREEN_RULE).waitFor();
    await page.getByRole('button', { name: 'Rules', exact: true }).click();
    const conditions = await page.getByLabel(/^Condition \d/).all();
    expect(await Promise.all(conditions.map((one) => one.inputValue()))).toEqual(SCREEN_RULE.split(' and '));
    await page.getByText('As a program').click();
    await runPrograms(page, SCREEN_REQUEST);
    expect(await findings(page)).toEqual([]);
    expect(await screenOf(page, () => page.reload())).toEqual(SCREEN_REQUEST);
    await page.locator('data-table table').waitFor();
    const past = { ...SCREEN_REQUEST, as_of: '2026-03-02' };
    const pickDay = async () => {
      await page.locator('input[type=date]').fill('2026-03-02');
      await page.locator('input[type=date]').blur();
    };
    expect(await screenOf(page, pickDay)).toEqual(past);
    expect(await screenOf(page, () => page.reload())).toEqual(past);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('a run that is opened', () => {
  it('by Back and Forward has its strategy in the form', async () => {
    const { page, context, faults } = await site.open({}, person);
    const select = page.locator('select[name=strategy]');
    const submit = () => BACKTEST.submit(page);
    await page.goto('/backtest?symbol=ACRX.US');
    for (const strategy of ['macd', 'donchian']) {
      await select.selectOption(strategy);
      expect((await requestOf(page, BACKTEST.api, submit)).body.strategy).toBe(strategy);
    }
    for (const [move, strategy] of [
      [() => page.goBack(), 'macd'],
      [() => page.goForward(), 'donchian'],
    ] as const) {
      expect((await requestOf(page, BACKTEST.api, move)).body.strategy).toBe(strategy);
      expect(await select.inputValue()).toBe(strategy);
    }
    expect((await requestOf(page, BACKTEST.api, submit)).body.strategy).toBe('donchian');
    expect(faults).toEqual([]);
    await context.close();
  });

  it.each([
    ['/r/slug', 'Shared backtest'],
    ['/p/slug', 'Shared portfolio'],
    ['/o/slug', 'Shared outcomes'],
  ])('at %s has a heading before its data are loaded', async (address, heading) => {
    const { page, context } = await site.open();
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/shared/slug', async (route) => {
      await isAnswered;
      await route.continue();
    });
    await page.goto(address);
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    answer();
    await page.getByRole('heading', { level: 1, name: 'There is nothing shared at this link' }).waitFor();
    await context.close();
  });
});

describe('what an account keeps', () => {
  const countKept = async ({ program }: Person): Promise<number> =>
    (await site.api.get('/v1/backtests?kind=all', program)).body.data.total;

  it('has neither trials nor runs of pages, before somebody keeps one', async () => {
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/strategies');
    await page.getByRole('button', { name: 'A pullback in an uptrend' }).click();
    await page.locator('form symbol-search input').fill('ACRX.US');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.waitForSelector('run-chart canvas');
    expect(await countKept(person)).toBe(0);
    const portfolio = { symbols: ['ACRX.US', 'LUMA.US'], strategy: 'macd', time_range: '1Y' };
    for (const address of [
      `/portfolio?${new URLSearchParams({ run: JSON.stringify(portfolio) })}`,
      '/backtest?symbol=ACRX.US&strategy=macd&time_range=1Y&run=1',
    ]) {
      await page.goto(address);
      await page.locator('run-chart canvas, portfolio-chart canvas').first().waitFor();
      expect([address, await countKept(person)]).toEqual([address, 0]);
    }
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await page.getByRole('button', { name: 'Kept', exact: true }).waitFor();
    expect(await countKept(person)).toBe(1);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('tells what a correction has changed, on the page of a run and where it is shared', async () => {
    const { pool } = site.database;
    const owner = await addPerson(site.api);
    const body = { symbol: 'ACRX.US', strategy: 'macd', time_range: '1Y' };
    const { id } = (await site.api.post('/v1/backtest', body, owner.program)).body.data;
    const { body: sharing } = await site.api.post(`/v1/backtests/${id}/share`, { shared: true }, owner.program);
    const before = { total_pnl_pct: 12.5, sharpe: 1.25, verdict: 'shown' };
    const after = { total_pnl_pct: -3.5, sharpe: -0.4, verdict: 'not_shown' };
    const { page, context, faults } = await site.open({}, owner);
    const told =
      'total return 12.50%, Sharpe ratio 1.25, skill shown → total return −3.50%, Sharpe ratio −0.40, skill not shown.';
    for (const address of [`/backtest?id=${id}`, new URL(sharing.data.url).pathname]) {
      await pool.query('update backtests set revised = null where id = $1', [id]);
      await page.goto(address);
      await page.waitForSelector('run-chart canvas');
      expect(await page.getByText('Prices corrected').count()).toBe(0);
      const revised = { load: 7, at: '2026-06-01T16:00:00.000Z', before, after };
      await pool.query('update backtests set revised = $2 where id = $1', [id, revised]);
      await page.reload();
      await page.locator('.notice', { hasText: 'change this run:' }).getByText(told).waitFor();
      expect(await findings(page)).toEqual([]);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  it('loses a shared run only with the consent of its owner', async () => {
    const { pool } = site.database;
    const owner = await addPerson(site.api);
    const body = { symbol: 'ACRX.US', strategy: 'macd', time_range: '1Y' };
    const { id } = (await site.api.post('/v1/backtest', body, owner.program)).body.data;
    const sharing = await site.api.post(`/v1/backtests/${id}/share`, { shared: true }, owner.program);
    await pool.query(
      `insert into backtests (user_id, kind, created_at, is_cached, summary, spec, selection)
       select user_id, kind, created_at, is_cached, summary, spec, selection from backtests, generate_series(2, 20)
       where id = $1`,
      [id],
    );
    const { page, context, faults } = await site.open({}, owner);
    await page.goto('/strategies');
    await page.getByRole('button', { name: 'A pullback in an uptrend' }).click();
    await page.locator('form symbol-search input').fill('ACRX.US');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByRole('link', { name: 'Open it as a backtest, to keep or share it' }).click();
    const keep = page.getByRole('button', { name: 'Keep', exact: true });
    await keep.click();
    const dialog = page.getByRole('dialog', { name: 'Keeping this run removes a shared one' });
    await dialog.getByText(/keeps 20 runs, so the oldest is deleted: ACRX · MACD crossover/).waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.locator('.head p', { hasText: /^Own rules/ }).count()).toBe(1);
    const oldest = 'select from backtests where id = $1';
    expect((await pool.query(oldest, [id])).rowCount).toBe(1);
    await keep.click();
    await dialog.getByRole('button', { name: 'Keep this one instead' }).click();
    await page.getByRole('button', { name: 'Kept', exact: true }).waitFor();
    expect([await countKept(owner), (await pool.query(oldest, [id])).rowCount]).toEqual([20, 0]);
    expect(faults).toEqual([]);

    const answer = await page.goto(new URL(sharing.body.data.url).pathname);
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { name: 'There is nothing shared at this link' }).waitFor();
    expect(await page.getByText(/stopped sharing/).count()).toBe(0);
    await context.close();
  });
});
