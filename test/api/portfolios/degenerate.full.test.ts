/** Runs over HTTP on bars without sense: flat, alike, two of them, tiny and vast ones. Each has a result or a clear error. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import { WEIGHT_METHODS } from '../../../engine/rotation/weights/methods.ts';
import { type FolderApi, openFolderApi } from '../../support/folder-api.ts';
import { BARS_HEADER, createMarketFolder, type MarketFolder, runSyncJob } from '../../support/market-folder.ts';
import { lehmer } from '../../support/series.ts';

const NOW = Date.parse('2026-01-05T17:00:00Z');
const DAYS = sessionsBetween(requireDay('2025-08-01'), requireDay('2025-12-30')).map((day) => formatDay(day));
const random = lehmer(5);
const walk = DAYS.map(() => 100 * (0.9 + 0.2 * random()));
const CLOSES: Readonly<Record<string, (t: number) => number | null>> = {
  FLATA: () => 10,
  FLATB: () => 10,
  ALIKEA: (t) => walk[t],
  ALIKEB: (t) => walk[t],
  TWICE: (t) => 2 * walk[t],
  OTHER: (t) => 50 + ((t * 7) % 11),
  LEAPA: (t) => (t % 2 ? 1e9 : 1e-6),
  LEAPB: (t) => (t % 2 ? 1e-6 : 1e9),
  TWO: (t) => (t > DAYS.length - 3 ? 1e-6 * 1e14 ** (t - DAYS.length + 2) : null),
};

let folder: MarketFolder;
let api: FolderApi;

const rowOf = (symbol: string, date: string, price: number) => `${symbol},${date},${Array(4).fill(price)},1000`;

beforeAll(async () => {
  folder = createMarketFolder({
    'symbols.csv': `symbol\n${Object.keys(CLOSES).join('\n')}\n`,
    'adjustments.csv': 'symbol,ex_date,kind,factor\n',
  });
  const rows = Object.entries(CLOSES).flatMap(([symbol, closeAt]) =>
    DAYS.flatMap((date, t) => {
      const close = closeAt(t);
      return close === null ? [] : [rowOf(symbol, date, close)];
    }),
  );
  folder.write('daily/consolidated/2025.csv', `${BARS_HEADER}${rows.join('\n')}\n`);
  api = await openFolderApi(folder, NOW);
});
afterAll(() => api?.close());

const run = (path: string, body: object) => api.run(path, body);
const outcomeOf = ({ status, error }: { status: string; error: { key: string } | null }) => error?.key ?? status;
const codesOf = ({ result }: { result: { notes: { code: string }[] } }) => result.notes.map(({ code }) => code);

const rotation = (symbols: readonly string[], weights: object, more: object = {}) => ({
  universe: { symbols },
  rotation: {
    every: 'week',
    score: 'close',
    hold: { top: symbols.length },
    weights: { lookback: 20, ...weights },
    ...more,
  },
  start: '2025-10-01',
  end: '2025-12-30',
  execute_on: 'close',
  survivors: false,
});

it.each(WEIGHT_METHODS)('rotations by %s end with a result or say that money overflows', async (method) => {
  const sets = [
    ['FLATA', 'FLATB'],
    ['ALIKEA', 'ALIKEB'],
    ['ALIKEA', 'TWICE', 'OTHER'],
    ['FLATA', 'TWO', 'OTHER'],
    ['LEAPA', 'LEAPB'],
    ['LEAPA', 'OTHER', 'FLATB'],
  ];
  for (const symbols of sets) {
    for (const more of [{}, { target_volatility_pct: 10 }]) {
      const weights = method === 'fixed' ? { method, fixed: { [symbols[0]]: 0.5 } } : { method };
      const ended = await run('/v1/portfolio', rotation(symbols, weights, more));
      expect(['done', 'error.figures_overflow']).toContain(outcomeOf(ended));
    }
  }
});

it('weights without a solution are equal, and the result says so', async () => {
  const ended = await run('/v1/portfolio', rotation(['ALIKEA', 'ALIKEB', 'OTHER'], { method: 'min_variance' }));
  expect(codesOf(ended)).toContain('weights_undefined');
  expect(ended.result.rebalances[0].weights).toEqual({
    'ALIKEA.US': 0.333333,
    'ALIKEB.US': 0.333333,
    'OTHER.US': 0.333333,
  });
  const defined = await run('/v1/portfolio', rotation(['ALIKEA', 'OTHER'], { method: 'min_variance' }));
  expect(codesOf(defined)).not.toContain('weights_undefined');
});

it('an annualized return that overflows is null, with its note', async () => {
  const ended = await run('/v1/backtest', { symbol: 'TWO', strategy: 'buy_hold', time_range: 'MAX' });
  expect(outcomeOf(ended)).toBe('done');
  expect(ended.result).toMatchObject({ annualized_pct: null, calmar: null });
  expect(codesOf(ended)).toContain('figures_overflow');
});

it('money that overflows is an error of the request, and its job is not tried again', async () => {
  const leaps = rotation(
    ['LEAPA', 'LEAPB'],
    { method: 'equal' },
    { every: { sessions: 1 }, order: 'asc', hold: { top: 1 } },
  );
  const ended = await run('/v1/portfolio', leaps);
  expect(outcomeOf(ended)).toBe('error.figures_overflow');
});

it('prices that no market has are malformed rows', async () => {
  folder.write(
    'daily/consolidated/2025-12-31.csv',
    `${BARS_HEADER}${rowOf('OTHER', '2025-12-31', 1e308)}\n${rowOf('FLATA', '2025-12-31', 9e-7)}\n`,
  );
  const day = { start: '2025-12-31', end: '2025-12-31' };
  const job = await runSyncJob(api.database.pool, folder.provider(NOW), 'daily_bars', day);
  expect(job).toMatchObject({ rows_rejected_by_reason: { implausible_price: 2 } });
});
