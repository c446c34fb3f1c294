/** Forward records on corrected bars: what was told stays told. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { required } from '../../../engine/util/values.ts';
import { appendToRecords } from '../../../jobs/forward/run.ts';
import { computeImpacts } from '../../../jobs/impact/run.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addPerson } from '../../support/accounts.ts';
import { openTestApi } from '../../support/api.ts';
import { createTestDatabase } from '../../support/database.ts';
import { removeTree } from '../../support/folders.ts';
import { testJobContext } from '../../support/job-context.ts';
import { madeUpMarket } from '../../support/made-up-market.ts';
import { loadEverything } from '../../support/market-folder.ts';
import { runNow } from '../../support/run-jobs.ts';

const noonAfter = (day: string) => Date.parse(`${day}T16:00:00Z`) + 86_400_000;

describe('a correction', () => {
  it('is told beside what was told, and moves nothing that was', async () => {
    const market = madeUpMarket(['DIVI', 'PLAIN'], '2024-07-01', '2026-05-29');
    market.write();
    const other = await createTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'forward-corrected-'));
    const storage = openStorage({ folder });
    let time = Date.parse('2026-05-19T16:00:00Z');
    const provider = market.folder.provider();
    await loadEverything(other.pool, provider);
    const service = await openTestApi({ database: other, provider, storage, now: () => time, realCallers: true });
    const job = () => testJobContext({ pool: other.pool, now: () => time, storage });
    try {
      const { program } = await addPerson(service, undefined, { plan: 'pro' });
      const ask = async (path: string, body: object) =>
        (await runNow(service, { storage }, { path, body, headers: program })).body.data.result;
      const hold = { symbol: 'PLAIN', strategy: 'rules', rules: { entry: 'close > 0' }, time_range: '1Y' };
      const { id: backtestId } = await ask('/v1/backtest', hold);
      const { id } = await ask('/v1/my/forward', { run: { kind: 'backtest', id: backtestId } });
      const bring = async (day: string, ...together: number[]) => {
        time = noonAfter(day);
        await buildSnapshot(job());
        await Promise.all([0, ...together].map(() => appendToRecords(job())));
        const { body } = await service.get(`/v1/my/forward/${id}/entries?size=100`, program);
        return body.data.items;
      };
      // Two schedulers at once append once.
      const told = await bring('2026-05-27', 1, 2);
      expect(told.map(({ session }: { session: string }) => session)).toEqual([
        '2026-05-20',
        '2026-05-21',
        '2026-05-22',
        '2026-05-26',
        '2026-05-27',
      ]);
      const bar = required(market.bars.PLAIN.find(({ date }) => date === '2026-05-22'));
      bar.close *= 1.001;
      bar.high = Math.max(bar.high, bar.close);
      market.write();
      await loadEverything(other.pool, market.folder.provider());
      const corrected = await bring('2026-05-28');
      expect(corrected.slice(0, 5)).toEqual(told);
      const events = corrected.slice(5).map(({ kind, session }: { kind: string; session: string }) => [kind, session]);
      expect(events).toEqual([
        ['revised', '2026-05-22'],
        ['revised', '2026-05-26'],
        ['session', '2026-05-28'],
      ]);
      const [, , friday, tuesday] = told.map(({ entry }: { entry: { return: number } }) => entry.return);
      const [now1, now2] = corrected
        .slice(5, 7)
        .map(({ entry }: { entry: { after: { return: number } } }) => entry.after.return);
      expect(now1).toBeCloseTo((1 + friday) * 1.001 - 1, 7);
      expect(now2).toBeCloseTo((1 + tuesday) / 1.001 - 1, 7);
      const { entry } = corrected[7];
      expect(entry.equity).toBeCloseTo(told[4].entry.equity * (1 + entry.return), 1);
      const { body } = await service.get(`/v1/my/forward/${id}`, program);
      const revised = body.data.after.map((one: { revised: number | null }) => one.revised !== null);
      expect(revised).toEqual([false, false, true, true, true, true]);
      await computeImpacts(job());
      const { body: impact } = await service.get('/v1/my/impact', program);
      const changed = impact.data.items.filter(({ kind }: { kind: string }) => kind === 'forward');
      expect(changed).toEqual([
        expect.objectContaining({ id, before: { total_pnl_pct: expect.any(Number) }, after: expect.anything() }),
      ]);
      // Nothing more is told of what is known.
      expect(await bring('2026-05-28')).toHaveLength(8);
    } finally {
      await service.close();
      await other.drop();
      market.folder.remove();
      removeTree(folder);
    }
  });
});
