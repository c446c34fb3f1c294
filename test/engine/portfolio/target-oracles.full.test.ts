/**
 * Target weights beside bt and scipy where Python packages can be installed, on the sample market and on real bars.
 * `RECORD_ORACLES=1` records the former.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { adjustToLastBar } from '../../../engine/market/adjust.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { sliceByDay } from '../../../engine/market/series.ts';
import { wholeSeries } from '../../judges/truth/sample-runs.ts';
import { openPythonEnvironment, type PythonEnvironment, PythonUnavailable } from '../../support/python-environment.ts';
import { hasRealMarket, readMembers } from '../../support/real-market.ts';
import {
  expectOracle,
  type NamedSeries,
  oracleRequest,
  type TargetAnswer,
  thinned,
} from '../../support/target-oracles.ts';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const RECORDED = pathOf('oracles/targets.json');

let python: PythonEnvironment | null = null;

beforeAll(async () => {
  const requirements = pathOf('../../judges/truth/requirements-performance.txt');
  try {
    python = await openPythonEnvironment(requirements, { progress: () => {} });
  } catch (error) {
    if (!(error instanceof PythonUnavailable)) throw error;
    process.stderr.write(`SKIPPED: target weights by bt and scipy: ${error.message}\n`);
  }
});

async function answersOf(sample: readonly NamedSeries[]): Promise<readonly TargetAnswer[] | null> {
  if (python === null) return null;
  return python.run(pathOf('oracles/targets.py'), oracleRequest(sample));
}

describe('target weights with money paid in', () => {
  it('on the sample market', async () => {
    const sample = wholeSeries(7);
    const answers = await answersOf(sample);
    if (answers === null) return;
    expectOracle(sample, answers);
    if (!process.env.RECORD_ORACLES) return;
    const from = 'bt 1.4.1: Strategy; scipy 1.17.1: optimize.brentq; every 63rd session and the last';
    writeFileSync(RECORDED, `${JSON.stringify({ from, answers: answers.map(thinned) }, null, 1)}\n`);
  });

  (hasRealMarket ? it : it.skip)('on real bars', async () => {
    const symbols = ['SPY', 'TLT', 'IEF', 'GLD', 'DBC', 'QQQ', 'SHY'];
    const members = readMembers(new Set(symbols));
    const sample = [...members.values()].map(({ symbol, series, events }) => ({
      symbol,
      series: sliceByDay(adjustToLastBar(series, events, 'total'), requireDay('2008-01-02'), requireDay('2025-12-31')),
    }));
    const [{ series }] = sample;
    for (const one of sample) expect(one.series.day).toEqual(series.day);
    const answers = await answersOf(sample);
    if (answers !== null) expectOracle(sample, answers);
  });
});
