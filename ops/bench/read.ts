/** Compares reading long histories with the bytes of the same years, which nobody unpacks. */
import { selectSeries } from '../../db/market/bars.ts';
import { selectInstruments } from '../../db/market/instruments.ts';
import { createPool } from '../../db/pool.ts';
import { ensureLongMarket } from '../../test/support/long-market.ts';
import { BENCH_BASIS, BENCH_VENUE_BASIS, type Bench, benchDatabase } from './market.ts';
import { compare, timedEach } from './measure.ts';

const BARS = 5_000;
const INSTRUMENTS = 50;

const benchRead: Bench = async ({ serverUrl }) => {
  const pool = createPool({ url: await benchDatabase(serverUrl, 'bench_read'), max: 4, applicationName: 'bench' });
  await ensureLongMarket(pool, INSTRUMENTS, BARS);
  await pool.query('vacuum analyze bar_blocks');
  const ids = (await selectInstruments(pool)).map(({ id }) => id);
  const text = 'select data from bar_blocks where instrument_id = $1 and basis = $2 order by year';
  const sides = {
    ours: () => timedEach(INSTRUMENTS, (i) => selectSeries(pool, [ids[i]], BENCH_VENUE_BASIS)),
    floor: () => timedEach(INSTRUMENTS, (i) => pool.query({ name: 'bytes', text, values: [ids[i], BENCH_BASIS] })),
  };
  const figure = await compare(`${BARS} bars; the bytes of their packed years`, 'ms', sides, 9);
  await pool.end();
  return figure;
};

export const READ = { 'read.bars5000_time_vs_cheapest': benchRead };
