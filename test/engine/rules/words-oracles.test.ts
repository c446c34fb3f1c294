/** Values of rules beside recorded figures of numpy, pandas, scipy, and statsmodels: `oracles/words.py` names the calls. */
import { readFileSync } from 'node:fs';
import { it } from '@jest/globals';
import { expectWords, RECORDED_EVERY } from '../../support/rule-oracles.ts';

it('are those of the packages', () => {
  const recorded = JSON.parse(readFileSync(new URL('oracles/words.json', import.meta.url), 'utf8'));
  expectWords(recorded.answers, RECORDED_EVERY);
});
