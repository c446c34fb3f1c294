/** The floor of sweeps: every cell of a share of the market, with nothing but the engine. */
import { setPriority } from 'node:os';
import { z } from 'zod';
import { createPool } from '../../db/pool.ts';
import { CellBlock, fillInstrument } from '../../engine/sweep/cells.ts';
import { required } from '../../engine/util/required.ts';
import { streamHistories } from '../../jobs/backtest/history.ts';
import { LANE_NICENESS } from '../../jobs/contracts/queue-contract.ts';
import { sweepInstrumentsSchema, sweepSpecSchema } from '../../jobs/contracts/sweep.ts';
import { countCombinations, runsOf } from '../../jobs/sweep/runs.ts';

const [url] = process.argv.slice(2);
const pool = createPool({ url, max: 4, applicationName: 'bench-sweep-child' });
const shareSchema = z.object({ spec: sweepSpecSchema, instruments: sweepInstrumentsSchema });

/** The database reads while this thread computes. */
async function computeShare({ spec, instruments }: z.output<typeof shareSchema>): Promise<void> {
  const runs = runsOf(spec);
  const block = new CellBlock(instruments.length, countCombinations(runs));
  const placeOf = new Map(instruments.map(({ instrumentId }, place) => [instrumentId, place]));
  for await (const history of streamHistories(pool, [...placeOf.keys()], spec.asOf)) {
    const place = required(placeOf.get(history.instrumentId), 'an instrument of the share');
    const { listedOn, delistedOn } = instruments[place];
    fillInstrument(block, place, spec, { ...history, asOf: spec.asOf, lifetime: { listedOn, delistedOn } }, runs);
  }
}

// Beside other work, both sides of the measurement get the same share of the cores.
setPriority(LANE_NICENESS.sweep);
process.on('message', async (share) => {
  await computeShare(shareSchema.parse(share));
  process.send?.('done');
});
process.send?.('ready');
process.on('disconnect', () => process.exit(0));
