/** Values of rules beside numpy, pandas, scipy, and statsmodels, where they can be installed. `RECORD_ORACLES=1` records them. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, it } from '@jest/globals';
import { openPythonEnvironment, type PythonEnvironment, PythonUnavailable } from '../../support/python-environment.ts';
import { expectWords, RECORDED_EVERY, type WordsAnswer, wordsRequest } from '../../support/rule-oracles.ts';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

let python: PythonEnvironment | null = null;

beforeAll(async () => {
  try {
    python = await openPythonEnvironment(pathOf('oracles/requirements.txt'), { progress: () => {} });
  } catch (error) {
    if (!(error instanceof PythonUnavailable)) throw error;
    process.stderr.write(`SKIPPED: values of rules by pandas and statsmodels: ${error.message}\n`);
  }
});

it('are those of the packages', async () => {
  if (python === null) return;
  const answers: WordsAnswer = await python.run(pathOf('oracles/words.py'), wordsRequest());
  expectWords(answers);
  if (!process.env.RECORD_ORACLES) return;
  const thinned = Object.entries(answers).map(([text, column]) => [
    text,
    column.filter((_, day) => day % RECORDED_EVERY === 0),
  ]);
  const from = 'numpy 2.4.6, pandas 3.1.1, scipy 1.17.1, statsmodels 0.15.0: words.py; every 13th day';
  writeFileSync(
    pathOf('oracles/words.json'),
    `${JSON.stringify({ from, answers: Object.fromEntries(thinned) }, null, 1)}\n`,
  );
});
