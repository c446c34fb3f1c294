/** Forward records of every kind of run, computed again from the tables of a service as anyone can, and what is not computed. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { type BodyOf, type Client, openClient } from '../../../api/clients/typescript/index.ts';
import { required } from '../../../engine/util/values.ts';
import { computedAgain, type Recomputed } from '../../../ops/commands/remote/forward-recompute.ts';
import { type ClientService, openClientService } from '../../support/client-service.ts';
import { forgeEntry, sealEarlier } from '../../support/forward-records.ts';

let service: ClientService;
let client: Client;

/** Values of ACRX that turn every third session or so, and of all days. */
const SCORES = Array.from({ length: 60 }, (_, i) => new Date(Date.UTC(2026, 2, 30 + i)).toISOString().slice(0, 10));
const scoresFile = (value: (i: number) => number) =>
  Buffer.from(['symbol,date,value', ...SCORES.map((day, i) => `ACRX,${day},${value(i)}`)].join('\n'));
const ratesFile = Buffer.from(['date,value', ...SCORES.map((day, i) => `${day},${3 + i / 100}`)].join('\n'));

beforeAll(async () => {
  service = await openClientService();
  client = openClient({ url: service.url, key: await service.addKey('enterprise') });
  // Records are brought forward here alone.
  await service.pause('forward.append');
  await client.putColumn(
    'score',
    scoresFile((i) => Math.sin(i)),
  );
  const moods = SCORES.map((day, i) => `ACRX,${day},${['low', 'high', 'even'][i % 3]}`);
  await client.putColumn('mood', Buffer.from(['symbol,date,value', ...moods].join('\n')));
  await client.putColumn('bills', ratesFile, { market: true, unit: 'percent_per_year' });
});
afterAll(() => service.close());

const recordOf = async (kept: number | null) =>
  sealEarlier(
    { pool: service.database.pool, now: () => Date.parse('2026-06-01T16:00:00Z') },
    required(kept),
    '2026-05-12',
  );

async function verified(id: number | string, by = client): Promise<Recomputed> {
  return computedAgain(by, {
    ...(await by.forwardRecord(id)),
    entries: await Array.fromAsync(by.forwardEntries(id)),
  });
}

const toldSchema = z.object({
  positions: z.array(z.object({ symbol: z.string(), shares: z.number() })),
  equity: z.number(),
});

/** That a record is as told, and is not once an entry of it is another one. */
async function expectVerified(id: number): Promise<void> {
  expect(await verified(id)).toEqual({ sessions: 12, different: [], left_out: [] });
  const entries = await Array.fromAsync(client.forwardEntries(id));
  const held = entries.findLastIndex(({ entry }) => toldSchema.parse(entry).positions.length > 0);
  const { positions, equity } = toldSchema.parse(entries[held].entry);
  await forgeEntry(service.database.pool, id, held + 1, {
    positions: positions.map((one) => ({ ...one, shares: one.shares + 1 })),
    orders: [{ symbol: 'ACRX.US', side: 'sell', reason: 'planted' }],
    return: 0.5,
    equity: equity + 1,
  });
  const { sessions, different } = await verified(id);
  const { session } = entries[held];
  const figures = different.filter((one) => one.session === session).map(({ figure }) => figure);
  expect([sessions, figures]).toEqual([12, ['return', 'positions', 'orders', 'equity']]);
}

const COMMON = { time_range: '1Y', execute_on: 'next_open', cost: { slippage_bps: 5 } } as const;
const byRules = (entry: string, exit: string) => ({ ...COMMON, strategy: 'rules', rules: { entry, exit } }) as const;
const FOUR = ['ACRX', 'BRVA', 'LUMA', 'TMRK'];

describe('a record is computed again', () => {
  it.each<[string, BodyOf<'runBacktest'>]>([
    ['of a strategy', { ...COMMON, symbol: 'ACRX', strategy: 'buy_hold', adjust: 'total' }],
    ['of rules that name another ticker', { symbol: 'ACRX', ...byRules("of('BRVA', close) > 0", 'close < 0') }],
    ['of rules on labels', { symbol: 'ACRX', ...byRules("my('mood') = 'even'", "my('mood') = 'high'") }],
    ['of rules on an own column', { symbol: 'ACRX', ...byRules("my('score') > 0", "my('score') < 0") }],
    [
      'with a column as the rate of its cash',
      { symbol: 'ACRX', ...byRules('close > sma(10)', 'close < sma(10)'), cash: { rate: 'bills' } },
    ],
  ])('%s', async (_, body) => expectVerified(await recordOf((await client.backtest(body)).id)));

  const rotation = { score: 'roc(20)', hold: { top: 2 }, every: 'week' } as const;
  it.each<[string, BodyOf<'runPortfolio'>]>([
    ['of a strategy on a list', { ...COMMON, symbols: FOUR, strategy: 'buy_hold', benchmark: 'LUMA' }],
    ['of own rules on a list', { symbols: FOUR, ...byRules('rank(roc(20)) > 0.4', 'rank(roc(20)) < 0.2') }],
    [
      'of target weights with flows',
      {
        ...COMMON,
        allocation: {
          targets: [
            { symbol: 'ACRX', weight: 0.6 },
            { symbol: 'BRVA', weight: 0.3 },
          ],
          rebalance: { band_pct: 2 },
          flows: [{ amount: 1_000, every: 'month' }],
        },
      },
    ],
    [
      'of a rotation in the whole market',
      {
        ...COMMON,
        universe: { all: true, where: 'volume > 0 and rank(volume) > 0.2' },
        rotation: {
          ...rotation,
          market_filter: "of('LUMA', close) > 0",
          exits: { stop_loss_pct: 9, trail: 'atr(14)*4' },
        },
      },
    ],
    [
      'of a rotation on a list by the least variance',
      {
        ...COMMON,
        universe: { symbols: FOUR },
        rotation: {
          ...rotation,
          hold: { top: 3 },
          keep: { top: 4 },
          weights: { method: 'min_variance', lookback: 60, max_weight: 0.6 },
        },
        benchmark: 'LUMA',
        cash_buffer_pct: 5,
      },
    ],
    [
      'of a rotation by an own column',
      {
        ...COMMON,
        universe: { symbols: FOUR },
        rotation: { ...rotation, score: "my('score')" },
        cash: { rate: 'bills' },
      },
    ],
  ])('%s', async (_, body) => expectVerified(await recordOf((await client.portfolio(body)).id)));
});

describe('own columns', () => {
  const asked = { symbol: 'ACRX', ...byRules("my('later') > 0", "my('later') < 0") };
  const gone = (version: number) => `the rows of version ${version} of the column later are not served to the caller`;

  it('are read as they were at each append, and told where they are not there for the caller', async () => {
    await client.putColumn(
      'later',
      scoresFile((i) => Math.sin(i)),
    );
    const id = await recordOf((await client.backtest(asked)).id);
    const held = { sessions: 12, different: [], left_out: [] };
    expect(await verified(id)).toEqual(held);
    // Rows that came afterwards turn every value.
    const more = SCORES.map((day, i) => `ACRX,${day},${day}T10:00:00,${-Math.sin(i)}`);
    await client.putColumn('later', Buffer.from(['symbol,date,known_at,value', ...more].join('\n')), {
      mode: 'append',
    });
    expect(await verified(id)).toEqual(held);

    const { slug } = await client.shareForward(id);
    const other = openClient({ url: service.url, key: await service.addKey('enterprise') });
    const leftOut = (reason: string) => ({
      sessions: 0,
      different: [],
      left_out: Array.from({ length: 12 }, () => ({ session: expect.any(String), reason })),
    });
    expect(await verified(required(slug), other)).toEqual(leftOut(gone(1)));
    await other.putColumn('later', scoresFile(Math.cos));
    expect(await verified(required(slug), other)).toEqual(leftOut(gone(1)));
    await client.putColumn('later', scoresFile(Math.cos));
    expect(await verified(id)).toEqual(leftOut(gone(1)));
  });
});

it('tells per entry that another engine told it', async () => {
  const id = await recordOf((await client.backtest({ ...COMMON, symbol: 'ACRX', strategy: 'buy_hold' })).id);
  await forgeEntry(service.database.pool, id, 12, { engine_version: '1.0.0' });
  const { sessions, left_out } = await verified(id);
  expect([sessions, left_out]).toEqual([
    11,
    [{ session: '2026-05-29', reason: expect.stringMatching(/^engine 1\.0\.0 told it, and this is /) }],
  ]);
});
