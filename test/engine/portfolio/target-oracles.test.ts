/** Target weights on the sample market beside recorded figures of bt and scipy: `oracles/targets.py` names the calls. */
import { readFileSync } from 'node:fs';
import { it } from '@jest/globals';
import { wholeSeries } from '../../judges/truth/sample-runs.ts';
import { expectOracle, RECORDED_EVERY } from '../../support/target-oracles.ts';

it('are worth what bt says, and return what scipy says, with money paid in', () => {
  const recorded = JSON.parse(readFileSync(new URL('oracles/targets.json', import.meta.url), 'utf8'));
  expectOracle(wholeSeries(7), recorded.answers, RECORDED_EVERY);
});
