/** A forward record whose instrument has no bars any more. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import { appendToRecords } from '../../../jobs/forward/run.ts';
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

const LAST = '2026-04-21';
const SESSIONS = sessionsBetween(requireDay(LAST) + 1, requireDay('2026-05-29')).map(formatDay);
const noonAfter = (day: string) => Date.parse(`${day}T16:00:00Z`) + 86_400_000;

it('is abandoned after twenty sessions without an entry, and not before', async () => {
  const market = madeUpMarket(['ENDS', 'GOES'], '2024-07-01', '2026-05-29');
  const { ENDS } = market.bars;
  ENDS.splice(ENDS.findIndex(({ date }) => date > LAST));
  market.write();
  const database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'forward-silent-'));
  const storage = openStorage({ folder });
  let time = noonAfter(LAST);
  const now = () => time;
  const provider = market.folder.provider();
  await loadEverything(database.pool, provider);
  const api = await openTestApi({ database, provider, storage, now, realCallers: true });
  const job = () => testJobContext({ pool: database.pool, now, storage });
  try {
    const { program } = await addPerson(api, undefined, { plan: 'pro' });
    const ask = async (path: string, body: object) =>
      (await runNow(api, { storage }, { path, body, headers: program })).body.data.result;
    const { id: backtestId } = await ask('/v1/backtest', { symbol: 'ENDS', strategy: 'sma_cross', time_range: '1Y' });
    const { id } = await ask('/v1/my/forward', { run: { kind: 'backtest', id: backtestId } });
    const after = async (sessions: number) => {
      time = noonAfter(SESSIONS[sessions - 1]);
      await buildSnapshot(job());
      await appendToRecords(job());
      const { body } = await api.get(`/v1/my/forward/${id}/entries`, program);
      const kinds = body.data.items.map(({ kind }: { kind: string }) => kind);
      return [(await api.get(`/v1/my/forward/${id}`, program)).body.data.status, kinds];
    };
    // It was sealed on the day after its last bar, itself a session.
    expect([await after(1), await after(20), await after(21)]).toEqual([
      ['live', []],
      ['live', []],
      ['abandoned', ['abandoned']],
    ]);
    expect(await after(22)).toEqual(['abandoned', ['abandoned']]);
  } finally {
    await api.close();
    await database.drop();
    market.folder.remove();
    removeTree(folder);
  }
});
