/** A folder of one's own: prices that are kept adjusted say so, and histories begin with its first day. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { recordMarketSource, saveConsolidatedFrom, selectConsolidatedFrom } from '../../../db/market/market-source.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { CONSOLIDATED_FROM, setConsolidatedFrom, splicedVenueBasisOn } from '../../../engine/market/venue-basis.ts';
import { readHistories } from '../../../jobs/runs/history.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { inventBars, LAYOUT_WRITERS } from '../../support/file-layouts.ts';
import { loadFolder } from '../../support/folder-load.ts';
import { testJobContext } from '../../support/job-context.ts';
import { createMarketFolder, type MarketFolder } from '../../support/market-folder.ts';
import { runNow } from '../../support/run-jobs.ts';

const BARS = inventBars(['XAA', 'XBB'], '2014-01-02', '2014-03-14');
let database: TestDatabase;
let folder: MarketFolder;
let api: TestApi;
let person: Person;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = createMarketFolder({ 'symbols.csv': 'symbol\nXAA\nXBB\n' });
  const write = (layout: string, symbol: string) => {
    const writer = LAYOUT_WRITERS.find((one) => one.layout === layout);
    for (const { name, lines } of writer?.files(BARS.filter((bar) => bar.symbol === symbol)) ?? []) {
      folder.write(name, `${lines.join('\n')}\n`);
    }
  };
  write('yahoo', 'XAA');
  write('own', 'XBB');
  const provider = folder.provider();
  await loadFolder(database.pool, provider);
  await recordMarketSource(database.pool, provider.source, new Date());
  await saveConsolidatedFrom(database.pool, await provider.consolidatedFrom());
  api = await openTestApi({ database, provider, realCallers: true });
  person = await addPerson(api, undefined, { plan: 'pro' });
});
afterAll(async () => {
  await api.close();
  await database.drop();
  folder.remove();
  setConsolidatedFrom(null);
});

it('says what the prices of an instrument and of the market are', async () => {
  const prices = async (symbol: string) => {
    const { body } = await api.get(`/v1/kline/${symbol}?start=2014-01-02&end=2014-03-14`);
    return [body.data.count, body.data.data_range.prices, body.data.adjust_applied];
  };
  expect(await prices('XAA')).toEqual([BARS.length / 2, 'split_adjusted', false]);
  expect(await prices('XBB')).toEqual([BARS.length / 2, 'as_traded', false]);
  const { body } = await api.get('/api/meta');
  expect(body.data).toMatchObject({ prices: 'mixed', consolidated_from: '2014-01-02' });
});

it('says it of runs, and that rules on levels of prices mean something else there', async () => {
  const run = async (path: string, body: object) => {
    const state = await runNow(
      api,
      { storage: api.services.storage },
      { path, body: { time_range: 'MAX', strategy: 'rules', ...body }, headers: person.program },
    );
    expect(state.body.data?.status).toBe('done');
    const { notes, data_range } = state.body.data.result;
    const codes: string[] = notes.map(({ code }: { code: string }) => code);
    return [data_range.prices, codes.includes('levels_as_adjusted')];
  };
  const on = (entry: string) => ({ rules: { entry } });
  const level = 'close > $least';
  expect(await run('/v1/backtest', { symbol: 'XAA', ...on('close > 5') })).toEqual(['split_adjusted', true]);
  expect(await run('/v1/backtest', { symbol: 'XAA', ...on('close > sma(5)') })).toEqual(['split_adjusted', false]);
  expect(await run('/v1/backtest', { symbol: 'XBB', ...on('close > 5') })).toEqual(['as_traded', false]);
  const both = { symbols: ['XAA', 'XBB'], ...on(level), params: { least: 5 } };
  expect(await run('/v1/portfolio', both)).toEqual(['mixed', true]);
});

it('says it of screens too, whichever way they are written', async () => {
  await buildSnapshot(testJobContext({ pool: database.pool, storage: api.services.storage }));
  const notes = async (body: object) => {
    const { body: answer } = await eventually(
      () => api.post('/v1/screener', body, person.program),
      ({ status }) => status !== 503,
    );
    return answer.data.notes.map(({ code }: { code: string }) => code);
  };
  const price = (op: string, value: number) => ({ conditions: [{ field: 'close', op, value }] });
  expect(await notes(price('gt', 0.01))).toEqual(['levels_as_adjusted']);
  expect(await notes({ where: 'close > 5' })).toEqual(['levels_as_adjusted']);
  expect(await notes({ where: 'close > sma(5)' })).toEqual([]);
  expect(await notes({ conditions: [{ field: 'rsi', op: 'gt', value: 1, period: 5 }] })).toEqual([]);
  expect(await notes({})).toEqual([]);
});

it('uses its bars in histories from their first day on', async () => {
  expect(await selectConsolidatedFrom(database.pool)).toBe(requireDay('2014-01-02'));
  expect(CONSOLIDATED_FROM).toBe(requireDay('2014-01-02'));
  expect(splicedVenueBasisOn(requireDay('2014-01-03'))).toBe('consolidated');
  const { rows } = await database.pool.query('select id from instruments order by symbol');
  const histories = await readHistories(
    database.pool,
    rows.map(({ id }) => id),
    requireDay('2014-12-31'),
  );
  expect(histories.map(({ series }) => series.length)).toEqual([BARS.length / 2, BARS.length / 2]);
});
