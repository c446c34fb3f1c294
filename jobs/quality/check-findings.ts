/** Checks the events of the whole market against its prices, and records what is in doubt; tells likely renames of tickers without a list. */
import type { Logger } from 'pino';
import { selectAdjustments } from '../../db/market/adjustments.ts';
import { type FoundOf, saveFindings } from '../../db/market/findings.ts';
import { selectInstrumentKeys } from '../../db/market/instrument-list.ts';
import { selectUnlistedTickers } from '../../db/market/instruments.ts';
import { streamSeries } from '../../db/market/series-stream.ts';
import { type Pool, transaction } from '../../db/pool.ts';
import { tellOfTicker } from '../../db/queue/file-readings.ts';
import { FAR_FUTURE } from '../../engine/market/dates.ts';
import { type Finding, findEventDoubts, findHoles } from '../../engine/market/findings.ts';
import { lifeOf, likelyRenames, renameSentence, type TickerLife } from '../../engine/market/renames.ts';
import { reusedMemory } from '../../engine/market/series.ts';
import { SPLICE_YEAR, spliceSeries } from '../../engine/market/venue-basis.ts';

/** Reads every bar. An instrument that was never traded has none. */
export async function checkFindings(pool: Pool, now: number, log: Logger, signal?: AbortSignal): Promise<void> {
  const events = await selectAdjustments(pool);
  const ids = (await selectInstrumentKeys(pool)).map(({ id }) => id);
  const unlisted = await selectUnlistedTickers(pool);
  const lives: TickerLife[] = [];
  const allocate = reusedMemory();
  const found: FoundOf[] = [];
  for await (const { instrumentId, primary, consolidated } of streamSeries(pool, ids, SPLICE_YEAR)) {
    signal?.throwIfAborted();
    const series = spliceSeries(primary, consolidated, FAR_FUTURE, allocate);
    const ticker = unlisted.get(instrumentId);
    if (ticker !== undefined && series.length > 0) lives.push(lifeOf(ticker, series));
    const doubts = findEventDoubts(series, events.get(instrumentId) ?? []);
    for (const finding of [...doubts, ...withoutTwins([...findHoles(primary), ...findHoles(consolidated)])]) {
      found.push({ ...finding, instrumentId });
    }
  }
  const renames = likelyRenames(lives);
  const changed = await transaction(pool, async (connection) => {
    for (const one of renames) await tellOfTicker(connection, one.to, one.lastDay + 1, renameSentence(one));
    return saveFindings(connection, found, new Date(now));
  });
  if (changed > 0) log.info({ findings: found.length, changed }, 'events and prices were checked');
}

/** Both venue bases may lack the same days. */
function withoutTwins(holes: readonly Finding[]): Finding[] {
  return [...new Map(holes.map((hole) => [hole.day, hole])).values()];
}
